package dev.edl.spec;

import java.time.Duration;
import java.util.Optional;
import org.immutables.value.Value;

/** Policies of a whole job: when it succeeds, how long it runs, and its cleanup. */
@ImmutablesStyle
@Value.Immutable
public interface RunPolicy {
    /** Returns the policies of a job that sets none. */
    static RunPolicy defaults() {
        return builder().build();
    }

    /** Creates a builder with the defaults. */
    static Builder builder() {
        return new Builder();
    }

    /** Returns when the job has succeeded. Empty means LEADER when the job has a leader, otherwise ALL_WORKERS. */
    Optional<SuccessPolicy> success();

    /** Returns which replicas are deleted once the job has ended. */
    @Value.Default
    default CleanupPolicy cleanup() {
        return CleanupPolicy.RUNNING;
    }

    /** Returns how long an ended job is kept before all its objects are deleted; empty means forever. */
    Optional<Duration> ttl();

    /** Returns how long a job may run before it fails; empty means unlimited. */
    Optional<Duration> deadline();

    /** Returns the delay before a relaunch. */
    @Value.Default
    default Backoff backoff() {
        return Backoff.NONE;
    }

    /** Builder of a policy. */
    final class Builder extends ImmutableRunPolicy.Builder {
        Builder() {}
    }
}
