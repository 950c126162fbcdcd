package dev.edl.operators.crd.kubeflow;

import dev.edl.Job;
import dev.edl.operators.crd.internal.ConversionReport;
import dev.edl.operators.crd.internal.CustomObjectFieldReader;
import dev.edl.operators.crd.internal.JobConversionLosses;
import dev.edl.operators.crd.internal.PodReader;
import dev.edl.operators.crd.internal.PodWriter;
import dev.edl.spec.ExitCodePolicy;
import dev.edl.spec.RestartPolicy;
import dev.edl.spec.RoleSpec;
import dev.edl.spec.RoleTemplate;
import dev.edl.spec.RoleType;
import java.util.List;

/**
 * Conversion between Kubeflow's restart policies and those of a job. Kubeflow's {@code ExitCode} becomes a job's exit
 * code policy.
 */
final class RestartPolicyConversion {
    private RestartPolicyConversion() {}

    static String write(KubeflowKind kind, Job job, RoleSpec role, ConversionReport report) {
        RoleTemplate template = job.spec().effective(role);
        RestartPolicy restart = template.restart().orElse(RestartPolicy.ON_FAILURE);
        if (kind.exitCode()
                && restart == RestartPolicy.ON_FAILURE
                && template.exitCodes().filter(ExitCodePolicy.KUBEFLOW::equals).isPresent()) {
            return "ExitCode";
        }
        new JobConversionLosses(job, report)
                .exitCodes(
                        role,
                        kind.exitCode()
                                ? "the one rule for exit codes is that 1 to 127 are final and 128 to 255 restart"
                                : "there is no rule for exit codes");
        if (restart == RestartPolicy.ALWAYS && !kind.always()) {
            report.loss(role.type() + ".restart", "always", "the operator restarts never or on failure");
            return "OnFailure";
        }
        return PodWriter.word(restart);
    }

    static void read(KubeflowKind kind, CustomObjectFieldReader replica, RoleType type, RoleTemplate.Builder template) {
        String word = replica.filled("restartPolicy").orElse(kind.restarts().getOrDefault(type, "Never"));
        if (word.equals("ExitCode") && kind.exitCode()) {
            template.exitCodes(ExitCodePolicy.KUBEFLOW);
        } else if (word.equals("Always") && !kind.always()) {
            replica.unknownWord("restartPolicy", word, List.of("Never", "OnFailure"));
        } else {
            PodReader.restart(replica, word, template);
        }
    }
}
