package dev.edl.spec;

import java.util.Optional;
import org.immutables.value.Value;

/** Plain values of one role: its number of replicas and its own settings. */
@ImmutablesStyle
@Value.Immutable
public interface RoleSpec {
    /** Creates a builder. */
    static Builder builder() {
        return new Builder();
    }

    /** Returns the type of the role. */
    RoleType type();

    /** Returns the number of replicas at the start, at least 1. */
    int replicas();

    /** Returns the bounds for scaling; empty when the role is not elastic. */
    Optional<ElasticBounds> elastic();

    /** Returns the role's own settings, without the job's defaults. */
    RoleTemplate template();

    /** Builder of a role. */
    final class Builder extends ImmutableRoleSpec.Builder {
        Builder() {}
    }
}
