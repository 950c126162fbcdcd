package dev.edl.reconcile.internal;

import dev.edl.Backoff;
import dev.edl.RestartPolicy;
import dev.edl.plan.RolePlan;
import dev.edl.reconcile.ReplicaState;
import java.time.Duration;
import java.util.Locale;

/**
 * Relaunches after temporary exit codes: they spend nothing, and the delay before each grows with those in a row.
 *
 * <p>A replica that ended a minute or more after its creation begins a new row. So a replica that ends with a temporary code
 * each time is relaunched about once a minute, whether it ends at once or late.
 */
public final class TemporaryExitRetry {
    private static final Backoff DELAYS = Backoff.doubling(Duration.ofSeconds(1), Duration.ofMinutes(1));

    private TemporaryExitRetry() {}

    /** Returns whether a replica that has ended asked to be tried again, and its role grants that. */
    public static boolean granted(RolePlan role, ReplicaState ended) {
        return role.restart() != RestartPolicy.NEVER
                && ended.exitCode().isPresent()
                && role.exitCodes().temporary().contains(ended.exitCode().getAsInt())
                && !ReplicaFailure.overused(ended);
    }

    /** Returns how many relaunches in a row it makes with the one of a replica that asked to be tried again. */
    public static int count(ReplicaState ended) {
        Duration life = Duration.between(ended.createdAt(), ended.endedAt().orElse(ended.createdAt()));
        return life.compareTo(DELAYS.max()) >= 0 ? 1 : ended.retries() + 1;
    }

    /** Returns the delay before the last of so many relaunches in a row, at least 1. */
    public static Duration delay(int count) {
        return DELAYS.delay(count - 1);
    }

    /** Returns for example {@code asked to be tried again (exit code 75): the master does not answer}. */
    public static String words(ReplicaState ended) {
        return "asked to be tried again (exit code " + ended.exitCode().orElseThrow() + ")"
                + ended.message().map(said -> ": " + said).orElse("");
    }

    /** Returns a delay as {@code 4s} or {@code 1m}. */
    public static String text(Duration delay) {
        return delay.toString().substring("PT".length()).toLowerCase(Locale.ROOT);
    }
}
