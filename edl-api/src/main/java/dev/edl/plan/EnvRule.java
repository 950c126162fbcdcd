package dev.edl.plan;

import java.util.Map;

/**
 * Computes the environment variables that a framework expects in a replica. An implementation must be a pure function.
 *
 * <p>{@code dev.edl.env.EnvRules} has a rule for each supported framework.
 */
@FunctionalInterface
public interface EnvRule {
    /**
     * Returns the framework's variables of one replica, without the user's variables.
     *
     * @param plan the plan; a rule reads its {@link JobPlan#endpoint} and {@link JobPlan#roles}
     * @param role the replica's role
     * @param id the replica's id, never reused if {@link RolePlan#freshIds} is true for the role
     * @param index the replica's index within the role, which a relaunched replica keeps
     */
    Map<String, String> env(JobPlan plan, RolePlan role, int id, int index);

    /**
     * Checks that the framework, in the version that the job sets, supports the plan. The planner calls it before any
     * other method of the rule. The default accepts every plan.
     *
     * @throws PlanException when the framework does not support the plan; the message has the mistake and a fix
     */
    default void check(JobPlan plan) {}

    /**
     * Returns whether the variables of all replicas of a role follow one formula of the index, without special cases.
     * If true, only a few replicas are compared before the role shares one pod template. The default, false, compares
     * all.
     */
    default boolean followsIndex() {
        return false;
    }
}
