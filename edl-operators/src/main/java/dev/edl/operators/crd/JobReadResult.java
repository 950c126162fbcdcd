package dev.edl.operators.crd;

import dev.edl.Job;
import dev.edl.k8s.render.PodOptions;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A job that was read from a custom resource, and what the resource says of its pods beyond a job's words.
 *
 * <pre>{@code
 * Reading reading = KubeflowTfJobs.read(yaml);
 * Manifests.of(reading.job().plan(), reading.options());       // run it without its operator
 * TrainingJobs.write(reading.job(), reading.options());        // or by another one
 * }</pre>
 *
 * <p>A resource says everything of each role, so the job does too: it has no defaults of all roles. What is EDL's
 * default is left out.
 *
 * @param job what a job can say of the resource
 * @param options what the templates of its pods say beyond that (tolerations, node selectors, accounts, sidecars …), word
 *     for word; {@link PodOptions#none()} when that is nothing. A role of whose security anything is said is to be
 *     taken as given
 * @param losses what neither can, in the order of the resource; empty when nothing is lost
 */
public record JobReadResult(Job job, PodOptions options, List<ConversionLoss> losses) {
    /** Copies the losses. */
    public JobReadResult {
        losses = List.copyOf(losses);
    }

    /** The job, and a line for each loss. */
    @Override
    public String toString() {
        return job
                + losses.stream()
                        .map(loss -> System.lineSeparator() + "  " + loss)
                        .collect(Collectors.joining());
    }
}
