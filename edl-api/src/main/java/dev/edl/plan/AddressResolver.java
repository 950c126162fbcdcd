package dev.edl.plan;

import dev.edl.RoleType;

/**
 * Where replicas are reached when it is not by the names of the plan's profile, as on one machine: pure, the same answer
 * each time, and another one for each role and index.
 *
 * @see JobPlan#reachedBy
 */
@FunctionalInterface
public interface AddressResolver {
    /**
     * The address of a replica.
     *
     * @param role its role
     * @param index its place within the role, from 0 to below the largest number of replicas that the role can have
     */
    Endpoint of(RoleType role, int index);
}
