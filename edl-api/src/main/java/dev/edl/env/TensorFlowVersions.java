package dev.edl.env;

import dev.edl.spec.JobSpec;
import dev.edl.spec.RoleSpec;
import dev.edl.spec.RoleType;
import java.util.ArrayList;
import java.util.List;

/**
 * Restrictions of TensorFlow versions on distributed jobs, verified with 1.15.5, 2.15.1 and 2.21.0.
 *
 * <p>A master belongs to an Estimator, and 2.15 is the last version with Estimators. A TensorFlow 2 job without
 * parameter servers uses MultiWorkerMirroredStrategy, which requires a chief and a list of all workers.
 */
final class TensorFlowVersions {
    private TensorFlowVersions() {}

    /**
     * Returns a message for each setting of a distributed job that its version of TensorFlow does not support; empty if
     * the job sets no version.
     */
    static List<String> mistakes(JobSpec spec) {
        List<String> mistakes = new ArrayList<>();
        spec.frameworkVersion()
                .ifPresent(text -> FrameworkVersion.find(text)
                        .ifPresent(version -> check(spec, version, "TensorFlow " + text, mistakes)));
        return mistakes;
    }

    private static void check(JobSpec spec, FrameworkVersion version, String tensorflow, List<String> mistakes) {
        boolean two = !version.before(2, 0);
        boolean mirrored = two
                && spec.role(RoleType.PS).isEmpty()
                && spec.role(RoleType.WORKER).isPresent();
        if (spec.role(RoleType.MASTER).isPresent()) {
            if (!version.before(2, 16)) {
                mistakes.add(tensorflow + " has no Estimators, which a master requires; use .chief() in its place");
            }
            if (mirrored) {
                mistakes.add("MultiWorkerMirroredStrategy of " + tensorflow
                        + " does not support a master (\"Disallowed task type found in cluster spec\"); use .chief()"
                        + " in its place, or add .ps(1) for an Estimator with parameter servers");
            }
            if (spec.role(RoleType.EVALUATOR).isPresent()) {
                mistakes.add("an Estimator of " + tensorflow
                        + " does not support a master beside an evaluator; use .chief() in its place");
            }
        }
        if (mirrored && spec.role(RoleType.WORKER).flatMap(RoleSpec::elastic).isPresent()) {
            mistakes.add("MultiWorkerMirroredStrategy of " + tensorflow
                    + " does not support elastic workers (\"task_id 1 exceeds the maximum id\"); leave .elastic"
                    + " out, or add .ps(1) for ParameterServerStrategy");
        }
    }
}
