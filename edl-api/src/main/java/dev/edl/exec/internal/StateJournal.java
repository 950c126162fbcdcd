package dev.edl.exec.internal;

import dev.edl.reconcile.Decision;
import dev.edl.reconcile.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Hands states to a journal. A state that a new driver can derive from the persisted state and the replicas is handed over
 * after the lag, together with its successors; every other state is handed over at once. Not thread-safe.
 */
public final class StateJournal {
    private final Consumer<JobState> journal;
    private final Duration lag;
    private JobState latest;
    private Optional<Instant> due = Optional.empty();

    /**
     * Creates a journal with a lag.
     *
     * @param from the state that the journal has
     * @param lag the longest delay of a write; zero writes every state at once
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

    /** Writes the last state if it is deferred or its write failed, when no decision follows. */
    public void flush(JobState last) {
        if (!last.equals(latest)) {
            write(last);
        }
    }

    /** Returns whether the last written state is of an ended job. */
    boolean ended() {
        return latest.phase().ended();
    }

    /** Returns the delay until the deferred state is written; empty if none is deferred. */
    public Optional<Duration> due(Instant now) {
        return due.map(at -> at.isAfter(now) ? Duration.between(now, at) : Duration.ZERO);
    }
}
