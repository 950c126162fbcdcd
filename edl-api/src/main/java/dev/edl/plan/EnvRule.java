package dev.edl.plan;

import java.util.Map;

/**
 * The variables that a framework expects in the environment of a replica; pure.
 *
 * <p>{@code dev.edl.env.EnvRules} has one for each supported framework.
 */
@FunctionalInterface
public interface EnvRule {
    /**
     * The framework's variables of one replica, without those that the user gave.
     *
     * @param plan the plan; its {@link JobPlan#endpoint} and {@link JobPlan#roles} are what a rule reads
     * @param role the replica's role
     * @param id the replica's id, never reused within a worker role
     * @param index the replica's place within the role, kept through relaunches
     */
    Map<String, String> env(JobPlan plan, RolePlan role, int id, int index);

    /**
     * Refuses a plan that the framework would refuse, in the version that the job names; called before any other method.
     *
     * @throws PlanException with what is wrong, and a way out
     */
    default void check(JobPlan plan) {}

    /**
     * Whether the replicas of a role are known to differ by nothing but numbers that follow from their index without a
     * condition, so that a few of them tell about all. {@code false} unless a rule says so: then all are looked at where one
     * text is to stand for them.
     */
    default boolean followsIndex() {
        return false;
    }
}
