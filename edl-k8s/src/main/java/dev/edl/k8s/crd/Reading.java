package dev.edl.k8s.crd;

import dev.edl.Job;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A job that was read from a custom resource.
 *
 * <p>A resource says everything of each role, so the job does too: it has no defaults of all roles. What is EDL's
 * default is left out.
 *
 * @param job what a job can say of the resource
 * @param losses what it cannot, in the order of the resource; empty when the job says it all
 */
public record Reading(Job job, List<Loss> losses) {
    /** Copies the losses. */
    public Reading {
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
