package dev.edl.plan;

import dev.edl.RoleType;

/**
 * Resolves the address of a replica where the names of the plan's profile do not apply, as on one machine. Must be pure
 * and return a different address for each role and index.
 *
 * @see JobPlan#reachedBy
 */
@FunctionalInterface
public interface AddressResolver {
    /**
     * Returns the address of a replica.
     *
     * @param role the role
     * @param index position within the role, from 0 to below the largest number of replicas that the role can have
     */
    Endpoint of(RoleType role, int index);
}
