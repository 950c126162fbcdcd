package dev.edl.k8s.render;

import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobSpecBuilder;
import java.time.Duration;

/** Kubernetes' own Jobs, which relaunch what fails by the role's policies while EDL is not there. */
final class Jobs {
    private final JobPlan plan;

    Jobs(JobPlan plan) {
        this.plan = plan;
    }

    /** One Job for all replicas of a role. */
    Job indexed(Identity role, PodTemplateSpec template) {
        int relaunches = FailurePolicy.relaunches(role.role());
        int replicas = role.role().replicas();
        return job(
                role,
                spec(role.role(), template)
                        .withCompletionMode("Indexed")
                        .withCompletions(replicas)
                        .withParallelism(replicas)
                        .withBackoffLimitPerIndex(relaunches)
                        // One replica that cannot be saved fails the role, as it does under EDL.
                        .withMaxFailedIndexes(0));
    }

    /** A Job of one replica. */
    Job single(Identity replica, PodTemplateSpec template) {
        return job(
                replica,
                spec(replica.role(), template)
                        .withCompletions(1)
                        .withParallelism(1)
                        .withBackoffLimit(FailurePolicy.relaunches(replica.role())));
    }

    private JobSpecBuilder spec(RolePlan role, PodTemplateSpec template) {
        JobSpecBuilder spec = new JobSpecBuilder().withTemplate(template);
        FailurePolicy.of(role).ifPresent(spec::withPodFailurePolicy);
        plan.policy().deadline().ifPresent(d -> spec.withActiveDeadlineSeconds(seconds(d)));
        plan.policy()
                .ttl()
                .ifPresent(d -> spec.withTtlSecondsAfterFinished((int) Math.min(Integer.MAX_VALUE, seconds(d))));
        return spec;
    }

    /** Rounded up, as Kubernetes counts whole seconds and takes no 0 for a deadline. */
    private static long seconds(Duration duration) {
        return duration.getSeconds() + (duration.getNano() > 0 ? 1 : 0);
    }

    private Job job(Identity identity, JobSpecBuilder spec) {
        return new JobBuilder()
                .withNewMetadata()
                .withName(identity.name())
                .withNamespace(plan.namespace())
                .withLabels(identity.labels())
                .withAnnotations(plan.annotations())
                .endMetadata()
                .withSpec(spec.build())
                .build();
    }
}
