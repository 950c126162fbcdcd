package dev.edl.spec;

import dev.edl.Backoff;
import dev.edl.CleanupPolicy;
import dev.edl.SuccessPolicy;
import java.time.Duration;
import java.util.Optional;
import org.immutables.value.Value;

/** How a job as a whole runs and ends. */
@EdlStyle
@Value.Immutable
public interface RunPolicy {
    /** The defaults. */
    static RunPolicy defaults() {
        return builder().build();
    }

    /** Starts from the defaults. */
    static Builder builder() {
        return new Builder();
    }

    /** When the job has succeeded; absent: LEADER when the job has a leader, else ALL_WORKERS. */
    Optional<SuccessPolicy> success();

    /** What is removed at the end. */
    @Value.Default
    default CleanupPolicy cleanup() {
        return CleanupPolicy.RUNNING;
    }

    /** How long an ended job is kept before all of it is removed; absent: for good. */
    Optional<Duration> ttl();

    /** How long a job may run before it fails; absent: without a limit. */
    Optional<Duration> deadline();

    /** How long a relaunch waits. */
    @Value.Default
    default Backoff backoff() {
        return Backoff.NONE;
    }

    /** Collects the parts. */
    final class Builder extends ImmutableRunPolicy.Builder {
        Builder() {}
    }
}
