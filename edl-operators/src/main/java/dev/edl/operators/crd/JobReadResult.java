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
 * <p>A resource specifies every role in full, so the job has no defaults for all roles. Values equal to EDL's defaults
 * are omitted.
 *
 * @param job read from the resource
 * @param options other settings of the pod templates, verbatim (tolerations, node selectors, accounts, sidecars …);
 *     {@link PodOptions#none()} for none. If a template has a security setting of a role, EDL adds none to that role
 * @param losses what neither can express, in the order of the resource; empty for none
 */
public record JobReadResult(Job job, PodOptions options, List<ConversionLoss> losses) {
    /** Copies the losses. */
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
