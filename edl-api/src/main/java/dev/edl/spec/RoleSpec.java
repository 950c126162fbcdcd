package dev.edl.spec;

import dev.edl.ElasticBounds;
import dev.edl.RoleType;
import java.util.Optional;
import org.immutables.value.Value;

/** One role of a job: how many replicas, and what is its own beside the job's default. */
@EdlStyle
@Value.Immutable
public interface RoleSpec {
    /** Starts a role. */
    static Builder builder() {
        return new Builder();
    }

    /** Which role. */
    RoleType type();

    /** How many replicas at the start, at least 1. */
    int replicas();

    /** Between which numbers it may be scaled; absent: not at all. */
    Optional<ElasticBounds> elastic();

    /** What is its own. */
    RoleTemplate template();

    /** Collects the parts. */
    final class Builder extends ImmutableRoleSpec.Builder {
        Builder() {}
    }
}
