package dev.edl.k8s.render.internal.profiles;

import dev.edl.RestartPolicy;
import dev.edl.RoleType;
import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.render.PodSecurity;
import dev.edl.k8s.render.Workload;
import dev.edl.plan.Endpoint;
import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What Kubernetes' objects are like in one profile. */
public interface ProfileRenderer {
    /** The style of a plan's profile. */
    static ProfileRenderer of(JobPlan plan, PodOptions options) {
        return switch (plan.profile()) {
            case ELASTICDL -> new ElasticDlRenderer(plan);
            case TFJOB_V1ALPHA1 -> new TfJobRenderer(plan, options);
            case KUBEFLOW_V1 -> new KubeflowRenderer(plan);
            case MXJOB_V1BETA1 -> new MxJobRenderer(plan);
            case ET_V1ALPHA1 -> new EtRenderer(plan, options);
        };
    }

    /** As which objects replicas are written. */
    Workload workload();

    PodSecurity security();

    /**
     * Whether pods are left as Kubernetes makes them where the plan says nothing: with a token, with the addresses of every
     * Service in the environment. So they were when the operators of the legacy profiles were written.
     */
    boolean legacy();

    /** The beginning of the names of what a job has as a whole. */
    String namePrefix();

    /** The name of a role's container. */
    String container(RolePlan role);

    /** The name of the port that containers tell; empty when they tell none. */
    Optional<String> port();

    /** Whether the node restarts containers by itself, or leaves it to a Job or to EDL. */
    String restartPolicy(RolePlan role);

    /** The image of a role that names none. */
    default Optional<String> image(RolePlan role) {
        return Optional.empty();
    }

    /** The replicas that get a Service. */
    List<Endpoint> endpointsWithService();

    /** The Service of a replica whose pod the labels select. */
    Service service(Endpoint endpoint, Map<String, String> selector);

    /** Accounts, Secrets and ConfigMaps of the profile's own. */
    default List<HasMetadata> profileObjects() {
        return List.of();
    }

    /** What a role's pods ask the Kubernetes API for, of the profile's own accord. */
    default List<PolicyRule> rules(RoleType role) {
        return List.of();
    }

    /** Whether replicas reach each other by the names of their pods, which those of a Job have not. */
    default boolean needsPodNames() {
        return false;
    }

    /** The roles in the order in which their pods are to start. */
    default List<RolePlan> startOrder(List<RolePlan> roles) {
        return roles;
    }

    /**
     * What the profile adds to a pod of a role.
     *
     * @param index of the replica, or what Kubernetes replaces by it
     */
    default void customizePod(RolePlan role, String index, PodTemplateSpec pod) {}

    /** The name of a TensorBoard's objects. */
    String boardName();

    /** The labels of a TensorBoard's objects. */
    Map<String, String> boardLabels();

    /** The image of a TensorBoard that names none. */
    default Optional<String> boardImage() {
        return Optional.empty();
    }

    /** Workers first: the launcher looks for them. */
    static List<RolePlan> launcherLast(List<RolePlan> roles) {
        return roles.stream()
                .sorted(Comparator.comparing((RolePlan role) -> role.type() == RoleType.LAUNCHER))
                .toList();
    }

    /** The node's restart policy that is nearest to a role's, in a Job, which knows no Always. */
    static String inJob(RolePlan role) {
        return role.restart() == RestartPolicy.NEVER ? "Never" : "OnFailure";
    }

    /** The profile's labels of a replica, without the user's. */
    static Map<String, String> labels(JobPlan plan, Endpoint endpoint) {
        Map<String, String> labels = new TreeMap<>(plan.labels(endpoint.role(), endpoint.index()));
        labels.keySet().removeAll(plan.userLabels().keySet());
        return labels;
    }
}
