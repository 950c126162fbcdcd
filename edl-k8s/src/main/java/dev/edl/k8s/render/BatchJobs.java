package dev.edl.k8s.render;

import dev.edl.k8s.render.internal.FailurePolicy;
import dev.edl.k8s.render.internal.KueueMetadata;
import dev.edl.k8s.render.internal.ReplicaIdentity;
import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobSpecBuilder;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * Renders roles as Kubernetes Jobs, whose controller relaunches failed replicas by the role's policies while EDL does
 * not run.
 */
final class BatchJobs {
    private final JobPlan plan;
    private final PodOptions options;

    BatchJobs(JobPlan plan, PodOptions options) {
        this.plan = plan;
        this.options = options;
    }

    /** Returns one Job for all replicas of a role. */
    Job indexed(ReplicaIdentity role, PodTemplateSpec template) {
        int replicas = role.role().replicas();
        JobSpecBuilder spec = spec(role.role(), template)
                .withCompletionMode("Indexed")
                .withCompletions(replicas)
                .withParallelism(replicas);
        if (isNever(template)) {
            // One unrecoverable replica fails the role, as under EDL.
            spec.withBackoffLimitPerIndex(FailurePolicy.relaunches(role.role())).withMaxFailedIndexes(0);
        }
        return job(role, spec);
    }

    /** Returns a Job of one replica. */
    Job single(ReplicaIdentity replica, PodTemplateSpec template) {
        JobSpecBuilder spec = spec(replica.role(), template).withCompletions(1).withParallelism(1);
        // If the node restarts the container, the Job keeps Kubernetes' default limit, as under the operators.
        if (isNever(template)) {
            spec.withBackoffLimit(FailurePolicy.relaunches(replica.role()));
        }
        return job(replica, spec);
    }

    private JobSpecBuilder spec(RolePlan role, PodTemplateSpec template) {
        if (!isNever(template)) {
            // A Job accepts every restart policy except Always, which is also the default.
            template.getSpec().setRestartPolicy("OnFailure");
        }
        JobSpecBuilder spec = new JobSpecBuilder().withTemplate(template);
        if (isNever(template)) {
            FailurePolicy.of(role).ifPresent(spec::withPodFailurePolicy);
        }
        plan.policy().deadline().ifPresent(d -> spec.withActiveDeadlineSeconds(seconds(d)));
        plan.policy().ttl().ifPresent(d -> spec.withTtlSecondsAfterFinished(ttl(d)));
        return spec;
    }

    /** Returns the time to live as the field can have it, in 32 bits; a deadline has 64 bits. */
    private int ttl(Duration ttl) {
        if (seconds(ttl) > Integer.MAX_VALUE) {
            throw new RenderException("job \"" + plan.name() + "\": ttl must be at most " + Integer.MAX_VALUE
                    + " seconds, as ttlSecondsAfterFinished of a Job is, was " + ttl
                    + "; for example ttl(Duration.ofDays(365)), or use Workload.PODS");
        }
        return (int) seconds(ttl);
    }

    private static boolean isNever(PodTemplateSpec template) {
        return "Never".equals(template.getSpec().getRestartPolicy());
    }

    /**
     * Returns the duration in seconds, rounded up, because Kubernetes counts whole seconds and rejects a deadline of 0.
     */
    private static long seconds(Duration duration) {
        return duration.getSeconds() + (duration.getNano() > 0 ? 1 : 0);
    }

    private Job job(ReplicaIdentity identity, JobSpecBuilder spec) {
        Map<String, String> labels = new TreeMap<>(identity.labels());
        options.queue().ifPresent(queue -> labels.put(KueueMetadata.QUEUE, queue));
        return new JobBuilder()
                .withNewMetadata()
                .withName(identity.name())
                .withNamespace(plan.namespace())
                .withLabels(labels)
                .withAnnotations(plan.annotations())
                .endMetadata()
                .withSpec(spec.build())
                .build();
    }
}
