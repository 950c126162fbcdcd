package dev.edl.exec.internal;

import dev.edl.reconcile.Decision;
import dev.edl.reconcile.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Writes job states to a journal. The write of a state is deferred by at most the lag if its decision has no actions
 * and a new driver can derive it from the last written state and the replicas. Every other state is written at once.
 * Not thread-safe.
 */
public final class StateJournal {
    private final Consumer<JobState> journal;
    private final Duration lag;
    private JobState latest;
    private Optional<Instant> due = Optional.empty();

    /**
     * Creates a writer for a journal.
     *
     * @param journal persists a state, and throws if it cannot
     * @param from the state that was persisted last
     * @param lag the longest time for which a write is deferred; zero writes every state at once
     */
    public StateJournal(Consumer<JobState> journal, Duration lag, JobState from) {
        this.journal = journal;
        this.lag = lag;
        this.latest = from;
    }

    /** Writes or defers the state of a decision. If the journal throws, the state is not persisted. */
    public void record(Decision decision, Instant now) {
        JobState next = decision.next();
        boolean late = due.isPresent() && !due.get().isAfter(now);
        if (lag.isZero()
                || late
                || !decision.actions().isEmpty()
                || next.phase().ended()) {
            write(next);
        } else if (next.equals(latest)) {
            due = Optional.empty();
        } else if (!next.isDeferrableFrom(latest)) {
            write(next);
        } else if (due.isEmpty()) {
            due = Optional.of(now.plus(lag));
        }
    }

    /** Writes a state at once. If the journal throws, the state is not persisted. */
    public void write(JobState next) {
        journal.accept(next);
        latest = next;
        due = Optional.empty();
    }

    /** Writes the last state of a loop if its write was deferred or failed; called when no decision follows. */
    public void flush(JobState last) {
        if (!last.equals(latest)) {
            write(last);
        }
    }

    /** Returns whether the job has ended in the last written state. */
    boolean ended() {
        return latest.phase().ended();
    }

    /** Returns the delay until the deferred state is written; empty if none is deferred. */
    public Optional<Duration> due(Instant now) {
        return due.map(at -> at.isAfter(now) ? Duration.between(now, at) : Duration.ZERO);
    }
}
