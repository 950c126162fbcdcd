package dev.edl.runtime.wire.control;

import dev.edl.runtime.ps.ports.Term;
import dev.edl.runtime.wire.control.internal.Welcome;
import java.time.Duration;

/**
 * Properties of the leading master that a caller receives.
 *
 * @param term term of the master
 * @param run name of the run, which is part of all lives of the run's shards
 * @param rounds whether workers wait for each other, so that the master watches their minibatches
 * @param notes the longest time for which a worker delays reports about minibatches: at most a tenth of the round
 *     timeout
 * @param touches the least time between two progress reports of one task: at most an eighth of the task timeout
 */
public record Leadership(Term term, String run, boolean rounds, Duration notes, Duration touches) {
    private static final Duration NOTES = Duration.ofMillis(100);
    private static final Duration TOUCHES = Duration.ofSeconds(1);

    /** Returns the leadership of a training, or of a pass over data without rounds. */
    public static Leadership of(Term term, String run, boolean rounds, Duration roundTimeout, Duration taskTimeout) {
        return new Leadership(
                term, run, rounds, least(NOTES, roundTimeout.dividedBy(10)), least(TOUCHES, taskTimeout.dividedBy(8)));
    }

    Welcome welcome(String session) {
        return new Welcome(term, run, session, rounds, notes.toNanos(), touches.toNanos());
    }

    private static Duration least(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
