package dev.edl.k8s.render;

import dev.edl.k8s.render.internal.KueueMetadata;
import dev.edl.k8s.render.internal.ManifestYaml;
import dev.edl.k8s.render.internal.ReplicaIdentity;
import dev.edl.k8s.render.internal.SharedPodTemplate;
import dev.edl.k8s.render.internal.profiles.ProfileRenderer;
import dev.edl.plan.Endpoint;
import dev.edl.plan.JobPlan;
import dev.edl.plan.ReplicaPlan;
import dev.edl.plan.RolePlan;
import dev.edl.spec.RoleType;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Service;
import java.util.Objects;
import java.util.Optional;

/**
 * Immutable pod templates of a plan. They are a pure function of the plan and the options, so pods can be inspected and
 * tested without a cluster.
 *
 * <pre>{@code
 * PodTemplateSpec pod = PodTemplates.of(job.plan()).get("worker", 2);
 * pod.getSpec().getContainers().get(0).getEnv();
 * }</pre>
 *
 * <p>A template has the replica's labels and its whole environment, sorted. Values of the job reach the process
 * literally, {@code $(NAME)} included. Thread-safe. Each call returns new templates, which the caller may change.
 */
public final class PodTemplates {
    private final JobPlan plan;
    private final PodOptions options;
    private final PodComposer composer;

    private PodTemplates(JobPlan plan, PodOptions options) {
        this.plan = plan;
        this.options = options;
        this.composer = new PodComposer(plan, options);
    }

    /** Returns the pod templates of a plan without options. */
    public static PodTemplates of(JobPlan plan) {
        return of(plan, PodOptions.none());
    }

    /**
     * Returns the pod templates of a plan.
     *
     * @throws RenderException with every mistake of the options, one per line
     */
    public static PodTemplates of(JobPlan plan, PodOptions options) {
        OptionRules.check(Objects.requireNonNull(plan, "plan"), Objects.requireNonNull(options, "options"));
        return new PodTemplates(plan, options);
    }

    /**
     * Returns the pod of an initial replica, or of a replica that scaling may add. Its replica id equals its index.
     *
     * @param role the role's name, {@code worker}
     * @param index from 0 to below the largest number of replicas of the role
     * @throws IllegalArgumentException when the job has no such role, or never so many replicas
     * @throws RenderException when Kubernetes would reject the pod
     */
    public PodTemplateSpec get(String role, int index) {
        return compose(plan.replica(role, index));
    }

    /**
     * Returns the pod of {@link #get(String, int)} as YAML for people: labels, annotations and spec.
     *
     * @param role the role's name, {@code worker}
     * @param index from 0 to below the largest number of replicas of the role
     * @throws IllegalArgumentException when the job has no such role, or never so many replicas
     * @throws RenderException when Kubernetes would reject the pod
     */
    public String toYaml(String role, int index) {
        return ManifestYaml.one(get(role, index));
    }

    /**
     * Returns the pod of a replica with any id, as a relaunch needs it.
     *
     * @param role the role
     * @param id id of the replica, at least 0
     * @param index index of the replica's slot in the role, at least 0
     * @throws IllegalArgumentException when the job has no such role
     * @throws RenderException when Kubernetes would reject the pod
     */
    public PodTemplateSpec get(RoleType role, int id, int index) {
        return compose(plan.replica(role, id, index));
    }

    /**
     * Returns one pod template for all replicas of a role, for an indexed Job. Values that depend on the index have
     * {@code $(JOB_COMPLETION_INDEX)}.
     *
     * @param role the role's name, {@code worker}
     * @return empty when the role has one replica, or when its replicas differ in more than their index, for example by
     *     a fractional priority
     * @throws IllegalArgumentException when the job has no such role
     * @throws RenderException when Kubernetes would reject the pod
     */
    public Optional<PodTemplateSpec> shared(String role) {
        return SharedPodTemplate.of(plan, plan.role(role)).map(composer::compose);
    }

    /**
     * Returns the Service of a replica, without an owner reference. The replica may be one that scaling adds.
     *
     * @return the Service; empty when the plan's profile has none for the role
     */
    public Optional<Service> service(RoleType role, int index) {
        ProfileRenderer renderer = options.renderer(plan);
        if (renderer.endpointsWithService().stream().noneMatch(endpoint -> endpoint.role() == role)) {
            return Optional.empty();
        }
        Endpoint endpoint = plan.endpoint(plan.role(role.id()), index);
        return Optional.of(renderer.service(endpoint, ProfileRenderer.labels(plan, endpoint)));
    }

    /**
     * Returns the name of the main container of a role's pods.
     *
     * @throws IllegalArgumentException when the job has no such role
     */
    public String container(RoleType role) {
        return options.renderer(plan).container(plan.role(role.id()));
    }

    private PodTemplateSpec compose(ReplicaPlan replica) {
        RolePlan role = plan.role(replica.role().id());
        PodTemplateSpec pod = composer.compose(ReplicaIdentity.of(plan.profile(), role, replica));
        KueueMetadata.join(
                plan, options.renderer(plan).namePrefix(), options.queue(), role, replica.index(), pod.getMetadata());
        return pod;
    }

    /** Returns one line: {@code pods of test-mnist: master, ps, worker}. */
    @Override
    public String toString() {
        return "pods of " + plan.name() + ": "
                + String.join(
                        ", ",
                        plan.roles().stream().map(role -> role.type().id()).toList());
    }
}
