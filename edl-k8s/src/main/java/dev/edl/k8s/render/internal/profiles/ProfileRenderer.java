package dev.edl.k8s.render.internal.profiles;

import dev.edl.plan.Endpoint;
import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import dev.edl.spec.RestartPolicy;
import dev.edl.spec.RoleType;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Renderer of one profile's Kubernetes objects. */
public interface ProfileRenderer {
    /** Returns the renderer of a plan's profile. */
    static ProfileRenderer of(JobPlan plan, ProfileOptions options) {
        return switch (plan.profile()) {
            case ELASTICDL -> new ElasticDlRenderer(plan);
            case TFJOB_V1ALPHA1 -> new TfJobRenderer(plan, options);
            case KUBEFLOW_V1 -> new KubeflowRenderer(plan);
            case MXJOB_V1BETA1 -> new MxJobRenderer(plan);
            case ET_V1ALPHA1 -> new EtRenderer(plan, options);
        };
    }

    /** Returns why the plan has no objects under this profile; empty if it has. */
    default Optional<String> mistake() {
        return Optional.empty();
    }

    /** Returns why a role has no pods under this profile; empty if it has. */
    default Optional<String> mistake(RolePlan role) {
        return Optional.empty();
    }

    /**
     * Returns whether pods keep Kubernetes' defaults where the plan sets nothing: with a token, and with the addresses
     * of every Service in the environment. Pods had these when the legacy profiles' operators were written.
     */
    boolean legacy();

    /** Returns the prefix of the names of job-wide objects. */
    String namePrefix();

    /** Returns the name of a role's container. */
    String container(RolePlan role);

    /** Returns the name of the containers' declared port; empty when they declare none. */
    Optional<String> port();

    /** Returns the pods' restart policy: the node restarts containers, or leaves it to a Job or to EDL. */
    String restartPolicy(RolePlan role);

    /** Returns the image of a role that names none. */
    default Optional<String> image(RolePlan role) {
        return Optional.empty();
    }

    /** Returns the replicas that get a Service. */
    List<Endpoint> endpointsWithService();

    /** Returns the Service of a replica whose pod the labels select. */
    Service service(Endpoint endpoint, Map<String, String> selector);

    /** Returns the profile's own accounts, Secrets and ConfigMaps. */
    default List<HasMetadata> profileObjects() {
        return List.of();
    }

    /** Returns the Kubernetes API permissions that the profile itself requires for a role's pods. */
    default List<PolicyRule> rules(RoleType role) {
        return List.of();
    }

    /** Returns whether replicas address each other by pod name, which pods of a Job do not have. */
    default boolean needsPodNames() {
        return false;
    }

    /** Returns the roles in the start order of their pods. */
    default List<RolePlan> startOrder(List<RolePlan> roles) {
        return roles;
    }

    /**
     * Adds the profile's parts to a pod of a role.
     *
     * @param index of the replica, or the variable that Kubernetes expands to it
     */
    default void customizePod(RolePlan role, String index, PodTemplateSpec pod) {}

    /** Returns the name of a TensorBoard's objects. */
    String boardName();

    /** Returns the labels of a TensorBoard's objects. */
    Map<String, String> boardLabels();

    /** Returns the image of a TensorBoard that names none. */
    default Optional<String> boardImage() {
        return Optional.empty();
    }

    /** Puts workers first, because the launcher looks them up. */
    static List<RolePlan> launcherLast(List<RolePlan> roles) {
        return roles.stream()
                .sorted(Comparator.comparing((RolePlan role) -> role.type() == RoleType.LAUNCHER))
                .toList();
    }

    /** Returns the closest node restart policy in a Job, which does not allow Always. */
    static String inJob(RolePlan role) {
        return role.restart() == RestartPolicy.NEVER ? "Never" : "OnFailure";
    }

    /** Returns the profile's labels of a replica, without the user's. */
    static Map<String, String> labels(JobPlan plan, Endpoint endpoint) {
        Map<String, String> labels = new TreeMap<>(plan.labels(endpoint.role(), endpoint.index()));
        labels.keySet().removeAll(plan.userLabels().keySet());
        return labels;
    }
}
