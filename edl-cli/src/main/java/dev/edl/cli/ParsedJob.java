package dev.edl.cli;

import dev.edl.Job;
import dev.edl.k8s.render.PodOptions;
import dev.edl.plan.JobPlan;
import java.util.List;
import java.util.Optional;

/**
 * A job that a command has read.
 *
 * @param job the job
 * @param options settings of its pods that a job cannot express
 * @param losses settings of the input that neither expresses, each with its reason
 * @param kind kind of the custom resource that the job was read from; empty for a job of EDL
 * @param placed whether the input names the job's namespace, even if it is {@code default}
 */
record ParsedJob(Job job, PodOptions options, List<String> losses, Optional<ResourceKind> kind, boolean placed) {
    ParsedJob {
        losses = List.copyOf(losses);
    }

    /** Returns the job in a namespace. */
    ParsedJob in(String namespace) {
        return new ParsedJob(job.toBuilder().namespace(namespace).build(), options, losses, kind, true);
    }

    /** Returns the plan: that of the operator for a job of an operator's resource. */
    JobPlan plan() {
        return kind.map(ResourceKind::profile).map(job::plan).orElseGet(job::plan);
    }
}
