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
     * A journal.
     *
     * @param from what it has
     * @param lag how much later; zero for every state at once
     */
    public StateJournal(Consumer<JobState> journal, Duration lag, JobState from) {
        this.journal = journal;
        this.lag = lag;
        this.latest = from;
    }

    /** Keeps what was decided; what the journal throws says that it is not kept. */
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

    /** Keeps a state at once; what the journal throws says that it is not kept. */
    public void write(JobState next) {
        journal.accept(next);
        latest = next;
        due = Optional.empty();
    }

    /** Keeps what waits, or could not be kept, when nothing will be decided any more. */
    public void flush(JobState last) {
        if (!last.equals(latest)) {
            write(last);
        }
    }

    /** Whether what the journal has is the end of the job. */
    boolean ended() {
        return latest.phase().ended();
    }

    /** When what waits is to be kept; empty when nothing does. */
    public Optional<Duration> due(Instant now) {
        return due.map(at -> at.isAfter(now) ? Duration.between(now, at) : Duration.ZERO);
    }
}
