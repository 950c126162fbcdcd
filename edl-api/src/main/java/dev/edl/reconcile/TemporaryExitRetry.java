package dev.edl.reconcile;

import dev.edl.plan.RolePlan;
import dev.edl.spec.Backoff;
import dev.edl.spec.RestartPolicy;
import java.time.Duration;

/**
 * Rules for relaunches after temporary exit codes. They count against no limit, and their delay grows with each
 * consecutive relaunch.
 *
 * <p>If a replica ended 1m or more after its creation, the count of consecutive relaunches restarts. So a replica that
 * always ends with a temporary exit code is relaunched about once a minute, whether it ends at once or late.
 */
final class TemporaryExitRetry {
    private static final Backoff DELAYS = Backoff.doubling(Duration.ofSeconds(1), Duration.ofMinutes(1));

    /** Exit code of a process that SIGTERM ended. */
    private static final int TERMINATED = 143;

    private TemporaryExitRetry() {}

    /**
     * Returns whether an ended replica is relaunched for a temporary exit code. False if its role's restart policy is
     * NEVER, or if it exceeded its memory or disk limit.
     */
    static boolean granted(RolePlan role, ReplicaState ended) {
        return role.restart() != RestartPolicy.NEVER
                && ended.exitCode().isPresent()
                && role.exitCodes().temporary().contains(ended.exitCode().getAsInt())
                && !ended.overused();
    }

    /**
     * Returns the number of consecutive relaunches after temporary exit codes, including the coming relaunch of this
     * ended replica.
     */
    static int count(ReplicaState ended) {
        Duration life = Duration.between(ended.createdAt(), ended.endedAt().orElse(ended.createdAt()));
        return life.compareTo(DELAYS.max()) >= 0 ? 1 : ended.retries() + 1;
    }

    /**
     * Returns the delay before a relaunch.
     *
     * @param count the result of {@link #count}, at least 1
     */
    static Duration delay(int count) {
        return DELAYS.delay(count - 1);
    }

    /**
     * Returns the end of an event's message about an ended replica, for example {@code requested a retry (exit code
     * 75): the master does not answer}, or {@code was terminated (exit code 143)}.
     */
    static String describe(ReplicaState ended) {
        int code = ended.exitCode().orElseThrow();
        return (code == TERMINATED ? "was terminated" : "requested a retry") + " (exit code " + code + ")"
                + ended.message().map(said -> ": " + said).orElse("");
    }
}
