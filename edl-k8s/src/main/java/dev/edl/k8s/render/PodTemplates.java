package dev.edl.k8s.render;

import dev.edl.RoleType;
import dev.edl.k8s.render.internal.ManifestYaml;
import dev.edl.k8s.render.internal.ReplicaIdentity;
import dev.edl.k8s.render.internal.SharedPodTemplate;
import dev.edl.k8s.render.internal.profiles.ProfileRenderer;
import dev.edl.plan.Endpoint;
import dev.edl.plan.JobPlan;
import dev.edl.plan.ReplicaPlan;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Service;
import java.util.Objects;
import java.util.Optional;

/**
 * The pods of a plan: a pure function of it, so that a pod can be looked at and tested without a cluster.
 *
 * <pre>{@code
 * PodTemplateSpec pod = PodTemplates.of(job.plan()).get("worker", 2);
 * pod.getSpec().getContainers().get(0).getEnv();
 * }</pre>
 *
 * <p>A template has the replica's labels and its whole environment, sorted; what the job says reaches the process as it
 * stands, {@code $(NAME)} included. Immutable, and safe for use by several threads; each call gives templates of its own,
 * which the caller may change.
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

    /** The pods of a plan, with nothing said beside it. */
    public static PodTemplates of(JobPlan plan) {
        return of(plan, PodOptions.none());
    }

    /**
     * The pods of a plan.
     *
     * @throws RenderException with every mistake of the options, one a line
     */
    public static PodTemplates of(JobPlan plan, PodOptions options) {
        OptionRules.check(Objects.requireNonNull(plan, "plan"), Objects.requireNonNull(options, "options"));
        return new PodTemplates(plan, options);
    }

    /**
     * The pod of a replica of the start, or of one that scaling may add: its index is its id.
     *
     * @param role the role's word, {@code worker}
     * @param index from 0 to below the largest number of replicas that the role can have
     * @throws IllegalArgumentException when the job has no such role, or never so many replicas
     * @throws RenderException when Kubernetes would not take the pod
     */
    public PodTemplateSpec get(String role, int index) {
        return compose(plan.replica(role, index));
    }

    /**
     * Returns the pod of a replica as {@link #get(String, int)} does, as YAML for a person: labels, annotations and spec.
     *
     * @param role the role's word, {@code worker}
     * @param index from 0 to below the largest number of replicas that the role can have
     * @throws IllegalArgumentException when the job has no such role, or never so many replicas
     * @throws RenderException when Kubernetes would not take the pod
     */
    public String toYaml(String role, int index) {
        return ManifestYaml.one(get(role, index));
    }

    /**
     * The pod of a replica of any id, as a relaunch needs it.
     *
     * @param role the role
     * @param id its own id, at least 0
     * @param index the place in the role that it takes, at least 0
     * @throws IllegalArgumentException when the job has no such role
     * @throws RenderException when Kubernetes would not take the pod
     */
    public PodTemplateSpec get(RoleType role, int id, int index) {
        return compose(plan.replica(role, id, index));
    }

    /**
     * One pod template for all replicas of a role, for an indexed Job: where the replicas differ by their index, it
     * stands as {@code $(JOB_COMPLETION_INDEX)}.
     *
     * @param role the role's word, {@code worker}
     * @return empty when the role is of one replica, or when its replicas differ by more than their index, as by a
     *     priority that is a fraction
     * @throws IllegalArgumentException when the job has no such role
     * @throws RenderException when Kubernetes would not take the pod
     */
    public Optional<PodTemplateSpec> shared(String role) {
        return SharedPodTemplate.of(plan, plan.role(role)).map(composer::compose);
    }

    /**
     * The Service by which a replica is reached, also one that scaling adds; without an owner.
     *
     * @return empty when the plan's profile has none for the role
     */
    public Optional<Service> service(RoleType role, int index) {
        ProfileRenderer renderer = ProfileRenderer.of(plan, options);
        if (renderer.endpointsWithService().stream().noneMatch(endpoint -> endpoint.role() == role)) {
            return Optional.empty();
        }
        Endpoint endpoint = plan.endpoint(plan.role(role.id()), index);
        return Optional.of(renderer.service(endpoint, ProfileRenderer.labels(plan, endpoint)));
    }

    /**
     * Returns the name of the container that is a role's replica; the others of its pod are beside it.
     *
     * @throws IllegalArgumentException when the job has no such role
     */
    public String container(RoleType role) {
        return ProfileRenderer.of(plan, options).container(plan.role(role.id()));
    }

    private PodTemplateSpec compose(ReplicaPlan replica) {
        return composer.compose(
                ReplicaIdentity.of(plan.profile(), plan.role(replica.role().id()), replica));
    }

    /** One line: {@code pods of test-mnist: master, ps, worker}. */
    @Override
    public String toString() {
        return "pods of " + plan.name() + ": "
                + String.join(
                        ", ",
                        plan.roles().stream().map(role -> role.type().id()).toList());
    }
}
