package dev.edl.env;

import dev.edl.plan.Endpoint;
import dev.edl.plan.EnvRule;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import dev.edl.plan.RolePlan;
import dev.edl.spec.RoleType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Rule for TensorFlow: a {@link TfConfig} for each replica. Immutable; each setting returns a new rule.
 *
 * <p>The roles are the types of tasks. Differences between the profiles:
 *
 * <table>
 * <caption>Profiles</caption>
 * <tr><th></th><th>ELASTICDL</th><th>TFJOB_V1ALPHA1</th><th>KUBEFLOW_V1</th></tr>
 * <tr><td>{@code environment}</td><td>none</td><td>{@code cloud}</td><td>{@code cloud}</td></tr>
 * <tr><td>a job of one replica</td><td>no TF_CONFIG</td><td>TF_CONFIG</td><td>no TF_CONFIG</td></tr>
 * <tr><td>evaluator in {@code cluster}</td><td>no</td><td>not supported</td><td>yes</td></tr>
 * <tr><td>elastic workers</td><td>sparse</td><td>all as at the start</td><td>sparse</td></tr>
 * </table>
 *
 * <p><b>Sparse.</b> The cluster of an elastic worker lists no other worker, so that workers can join and leave without
 * a change of its variable. In {@code ELASTICDL} it also lists the chief or master and all parameter servers. The
 * clusters of these replicas list the workers at the start. In Kubeflow's profile, a parameter server's cluster lists
 * only itself, and those of chief and evaluator are empty.
 */
public final class TensorFlowEnv implements EnvRule {
    private final Profile profile;
    private final boolean evaluatorInCluster;
    private final boolean whenSingle;
    private final boolean underSparseCluster;

    private TensorFlowEnv(Profile profile, boolean evaluatorInCluster, boolean whenSingle, boolean underSparseCluster) {
        this.profile = profile;
        this.evaluatorInCluster = evaluatorInCluster;
        this.whenSingle = whenSingle;
        this.underSparseCluster = underSparseCluster;
    }

    /** Returns the rule of a profile, with the default settings. */
    public static TensorFlowEnv of(Profile profile) {
        return new TensorFlowEnv(profile, profile == Profile.KUBEFLOW_V1, profile == Profile.TFJOB_V1ALPHA1, false);
    }

    /**
     * Sets whether {@code cluster} lists the evaluator. TensorFlow expects the evaluator outside, because it is not part
     * of the training cluster. Kubeflow's operator has listed it since 2020.
     */
    public TensorFlowEnv evaluatorInCluster(boolean inside) {
        return new TensorFlowEnv(profile, inside, whenSingle, underSparseCluster);
    }

    /**
     * Sets whether the replica of a one-replica job gets {@code TF_CONFIG}. TensorFlow treats a process with that
     * variable as part of a cluster.
     */
    public TensorFlowEnv whenSingle(boolean given) {
        return new TensorFlowEnv(profile, evaluatorInCluster, given, underSparseCluster);
    }

    /**
     * Returns a rule that writes the cluster of elastic workers under the key {@code sparseCluster}, as Kubeflow's
     * operator did up to 1.6. Later versions use {@code cluster}.
     *
     * @throws IllegalStateException if the profile is not {@link Profile#KUBEFLOW_V1}
     */
    public TensorFlowEnv underSparseCluster() {
        if (profile != Profile.KUBEFLOW_V1) {
            throw new IllegalStateException("sparseCluster belongs to profile KUBEFLOW_V1, this rule is for " + profile
                    + "; leave underSparseCluster() out");
        }
        return new TensorFlowEnv(profile, evaluatorInCluster, whenSingle, true);
    }

    @Override
    public void check(JobPlan plan) {
        if (distributed(plan)) {
            FrameworkRestrictions.refuse(plan, TensorFlowVersions.mistakes(plan.spec()));
        }
    }

    @Override
    public boolean followsIndex() {
        return true;
    }

    @Override
    public Map<String, String> env(JobPlan plan, RolePlan role, int id, int index) {
        return whenSingle || distributed(plan)
                ? Map.of(TfConfig.VARIABLE, config(plan, role, index).json())
                : Map.of();
    }

    /**
     * Returns whether the job needs a cluster: it can have more than one replica. A single elastic worker needs a
     * cluster because other workers may join. Kubeflow's operator, however, counts only the replicas at the start.
     */
    private boolean distributed(JobPlan plan) {
        return plan.roles().stream()
                        .mapToInt(role -> profile == Profile.KUBEFLOW_V1
                                ? role.replicas()
                                : role.bounds().max())
                        .sum()
                > 1;
    }

    private TfConfig config(JobPlan plan, RolePlan role, int index) {
        boolean dynamic =
                plan.role(RoleType.WORKER).filter(RolePlan::elastic).isPresent() && profile != Profile.TFJOB_V1ALPHA1;
        if (dynamic && profile == Profile.KUBEFLOW_V1) {
            TfConfig dynamicConfig = TfConfig.of(kubeflowDynamic(plan, role, index))
                    .task(role.type().id(), index);
            return underSparseCluster ? dynamicConfig.underSparseCluster() : dynamicConfig;
        }
        Map<String, TfTasks> cluster = new TreeMap<>();
        for (RolePlan other : plan.roles()) {
            if (other.type() == RoleType.EVALUATOR && !evaluatorInCluster) {
                continue;
            }
            boolean alone = dynamic && role.type() == RoleType.WORKER && other.type() == RoleType.WORKER;
            cluster.put(other.type().id(), alone ? self(plan, role, index) : all(plan, other));
        }
        TfConfig config = TfConfig.of(cluster).task(role.type().id(), index);
        return profile == Profile.ELASTICDL ? config : config.environment("cloud");
    }

    /** Returns the cluster that Kubeflow's operator writes for {@code enableDynamicWorker}, in its order of keys. */
    private static Map<String, TfTasks> kubeflowDynamic(JobPlan plan, RolePlan role, int index) {
        Map<String, TfTasks> cluster = new LinkedHashMap<>();
        cluster.put("worker", role.type() == RoleType.WORKER ? self(plan, role, index) : TfTasks.sparse(Map.of()));
        cluster.put(
                "ps",
                switch (role.type()) {
                    case WORKER ->
                        plan.role(RoleType.PS).map(ps -> all(plan, ps)).orElse(TfTasks.nothing());
                    case PS -> TfTasks.list(List.of(plan.endpoint(role, index).address()));
                    default -> TfTasks.list(List.of());
                });
        return cluster;
    }

    private static TfTasks self(JobPlan plan, RolePlan role, int index) {
        return TfTasks.sparse(Map.of(index, plan.endpoint(role, index).address()));
    }

    private static TfTasks all(JobPlan plan, RolePlan role) {
        return TfTasks.list(plan.endpoints(role).stream().map(Endpoint::address).toList());
    }

    /** Returns, for example, {@code TensorFlowEnv (KUBEFLOW_V1, evaluator in cluster)}. */
    @Override
    public String toString() {
        return "TensorFlowEnv (" + profile + (evaluatorInCluster ? ", evaluator in cluster" : "")
                + (whenSingle ? ", when single" : "")
                + (underSparseCluster ? ", under sparseCluster" : "") + ")";
    }
}
