package dev.edl.plan;

import java.util.Map;

/**
 * Computes the environment variables that a framework expects in a replica; must be pure.
 *
 * <p>{@code dev.edl.env.EnvRules} has a rule for each supported framework.
 */
@FunctionalInterface
public interface EnvRule {
    /**
     * Returns the framework's variables of one replica, without the user's.
     *
     * @param plan the plan; a rule reads its {@link JobPlan#endpoint} and {@link JobPlan#roles}
     * @param role the replica's role
     * @param id the replica's id, never reused within a worker role
     * @param index the replica's position within the role, kept through relaunches
     */
    Map<String, String> env(JobPlan plan, RolePlan role, int id, int index);

    /**
     * Rejects a plan that the framework does not support in the job's version. Called before any other method.
     *
     * @throws PlanException with the mistake and a way to fix it
     */
    default void check(JobPlan plan) {}

    /**
     * Returns whether the variables of a role's replicas differ only by numbers computed unconditionally from the
     * index. If so, a few replicas represent all of them. By default {@code false}: then all replicas are compared
     * before one pod template is used for the role.
     */
    default boolean followsIndex() {
        return false;
    }
}
