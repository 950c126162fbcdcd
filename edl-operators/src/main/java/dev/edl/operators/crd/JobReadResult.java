package dev.edl.operators.crd;

import dev.edl.Job;
import dev.edl.k8s.render.PodOptions;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Job read from a custom resource, with the pod settings that a job cannot express.
 *
 * <pre>{@code
 * JobReadResult result = KubeflowTfJobs.read(yaml);
 * Manifests.of(result.job().plan(), result.options());         // run it without its operator
 * TrainingJobs.write(result.job(), result.options());          // or convert it for another operator
 * }</pre>
 *
 * <p>A resource specifies every role in full, so the job has no role defaults, only settings of single roles. The job
 * omits values that equal EDL's defaults.
 *
 * @param job job that was read from the resource
 * @param options settings of the pod templates that the job does not have, verbatim (tolerations, node selectors,
 *     accounts, sidecars …); {@link PodOptions#none()} for none. If a role's template has a security setting, EDL adds
 *     no security defaults to that role
 * @param losses settings that neither the job nor the options can express, in the order of the resource; empty for none
 */
public record JobReadResult(Job job, PodOptions options, List<ConversionLoss> losses) {
    /** Copies the list of losses. */
    public JobReadResult {
        losses = List.copyOf(losses);
    }

    /** Returns the job, and a line for each loss. */
    @Override
    public String toString() {
        return job
                + losses.stream()
                        .map(loss -> System.lineSeparator() + "  " + loss)
                        .collect(Collectors.joining());
    }
}
