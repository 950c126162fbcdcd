package dev.edl.plan;

import dev.edl.spec.RoleType;

/**
 * Resolves the address of a replica if the host names of the plan's profile cannot be resolved, for example on one
 * machine. An implementation must be a pure function and return a different address for each role and index.
 *
 * @see JobPlan#reachedBy
 */
@FunctionalInterface
public interface AddressResolver {
    /**
     * Returns the address of a replica.
     *
     * @param role the role
     * @param index the replica's index within the role, at least 0 and less than the role's maximum number of replicas
     */
    Endpoint of(RoleType role, int index);
}
