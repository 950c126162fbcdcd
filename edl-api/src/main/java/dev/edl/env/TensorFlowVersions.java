package dev.edl.env;

import dev.edl.RoleType;
import dev.edl.plan.JobPlan;
import dev.edl.plan.PlanException;
import dev.edl.plan.RolePlan;

/**
 * What a version of TensorFlow refuses of a distributed job, as seen with 1.15.5, 2.15.1 and 2.21.0.
 *
 * <p>A master is an Estimator's, and the last version with Estimators is 2.15. MultiWorkerMirroredStrategy, which a job of
 * TensorFlow 2 without parameter servers is for, wants a chief, and each of its workers in a list.
 */
final class TensorFlowVersions {
    private TensorFlowVersions() {}

    static void check(JobPlan plan) {
        plan.frameworkVersion().ifPresent(text -> check(plan, Version.of(text), "TensorFlow " + text));
    }

    private static void check(JobPlan plan, Version version, String tensorflow) {
        boolean two = !version.before(2, 0);
        boolean mirrored = two
                && plan.role(RoleType.PS).isEmpty()
                && plan.role(RoleType.WORKER).isPresent();
        if (plan.role(RoleType.MASTER).isPresent()) {
            if (!version.before(2, 16)) {
                refuse(
                        plan,
                        tensorflow
                                + " has no Estimator any more, which alone takes a master; use .chief() in its place");
            }
            if (mirrored) {
                refuse(
                        plan,
                        "MultiWorkerMirroredStrategy of " + tensorflow
                                + " takes no master (\"Disallowed task type found in cluster spec\"); use .chief() in its"
                                + " place, or add .ps(1) for an Estimator with parameter servers");
            }
            if (plan.role(RoleType.EVALUATOR).isPresent()) {
                refuse(
                        plan,
                        "an Estimator of " + tensorflow
                                + " takes no master beside an evaluator; use .chief() in its place");
            }
        }
        if (mirrored && plan.role(RoleType.WORKER).filter(RolePlan::elastic).isPresent()) {
            refuse(
                    plan,
                    "MultiWorkerMirroredStrategy of " + tensorflow
                            + " takes no elastic workers (\"task_id 1 exceeds the maximum id\"); leave .elastic out, or add"
                            + " .ps(1) for ParameterServerStrategy");
        }
    }

    private static void refuse(JobPlan plan, String sentence) {
        throw new PlanException("job \"" + plan.name() + "\": " + sentence);
    }
}
