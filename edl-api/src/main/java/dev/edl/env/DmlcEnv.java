package dev.edl.env;

import dev.edl.RoleType;
import dev.edl.plan.Endpoint;
import dev.edl.plan.EnvRule;
import dev.edl.plan.JobPlan;
import dev.edl.plan.PlanException;
import dev.edl.plan.RolePlan;
import java.util.Map;
import java.util.TreeMap;

/**
 * MXNet's {@code DMLC_*}: the scheduler's address, the numbers of servers and workers, and the replica's role.
 *
 * @see <a href="https://mxnet.apache.org/versions/1.9.1/api/faq/distributed_training">MXNet: distributed training</a>
 */
public final class DmlcEnv implements EnvRule {
    /** The rule. */
    public DmlcEnv() {}

    @Override
    public Map<String, String> env(JobPlan plan, RolePlan role, int id, int index) {
        if (plan.roles().size() == 1 && role.type() == RoleType.WORKER) {
            return Map.of();
        }
        Endpoint root = plan.endpoint(required(plan, RoleType.SCHEDULER, ".scheduler()"), 0);
        Map<String, String> env = new TreeMap<>();
        env.put("DMLC_PS_ROOT_URI", root.host());
        env.put("DMLC_PS_ROOT_PORT", Integer.toString(root.port()));
        env.put("DMLC_NUM_SERVER", count(required(plan, RoleType.SERVER, ".servers(2)")));
        env.put("DMLC_NUM_WORKER", count(required(plan, RoleType.WORKER, ".workers(4)")));
        env.put("DMLC_ROLE", role.type().id());
        return env;
    }

    private static String count(RolePlan role) {
        return Integer.toString(role.replicas());
    }

    private static RolePlan required(JobPlan plan, RoleType type, String form) {
        return plan.role(type)
                .orElseThrow(() -> new PlanException("job \"" + plan.name()
                        + "\": a distributed MXNet job needs the roles scheduler, server and worker; it has no " + type
                        + ", add " + form));
    }
}
