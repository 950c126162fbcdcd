package dev.edl.env;

import dev.edl.plan.EnvRule;
import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * TensorFlow's {@code TF_CONFIG}: {@code {"cluster":{"ps":[…],"worker":[…]},"task":{"index":0,"type":"worker"}}}.
 *
 * <p>As Kubeflow's TFJob v1 makes it: every role of the job is a task type, addresses are {@code <service>.<ns>.svc:<port>},
 * and a job of one single replica gets none, since it is not distributed. Without whitespace, keys sorted. There is no
 * {@code environment} key: only TensorFlow 1.3 and older looked at it.
 *
 * @see <a href="https://www.tensorflow.org/guide/distributed_training#setting_up_the_tf_config_environment_variable">
 *     TensorFlow: distributed training</a>
 */
public final class TfConfig implements EnvRule {
    /** The rule. */
    public TfConfig() {}

    @Override
    public Map<String, String> env(JobPlan plan, RolePlan role, int id, int index) {
        boolean distributed = plan.roles().stream().mapToInt(RolePlan::replicas).sum() > 1;
        return distributed ? Map.of("TF_CONFIG", json(plan, role, index)) : Map.of();
    }

    private static String json(JobPlan plan, RolePlan role, int index) {
        Map<String, String> cluster = new TreeMap<>();
        for (RolePlan r : plan.roles()) {
            cluster.put(r.type().id(), addresses(plan, r));
        }
        String tasks = cluster.entrySet().stream()
                .map(e -> "\"" + e.getKey() + "\":[" + e.getValue() + "]")
                .collect(Collectors.joining(","));
        return "{\"cluster\":{" + tasks + "},\"task\":{\"index\":" + index + ",\"type\":\""
                + role.type().id() + "\"}}";
    }

    /** Addresses need no escape: they hold letters, digits, {@code -}, {@code .} and {@code :} only. */
    private static String addresses(JobPlan plan, RolePlan role) {
        return plan.endpoints(role).stream()
                .map(endpoint -> "\"" + endpoint.address() + "\"")
                .collect(Collectors.joining(","));
    }
}
