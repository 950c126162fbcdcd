package dev.edl.env;

import dev.edl.RoleType;
import dev.edl.plan.Endpoint;
import dev.edl.plan.EnvRule;
import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What EDL's own runtime reads.
 *
 * <p>{@code MASTER_ADDR}, {@code WORKER_ID} and {@code WORKER_NUM} are ElasticDL's variables; {@code PS_ADDRS} carries what
 * ElasticDL passes as the flag {@code --ps_addrs}; the rest names job, run, role and place.
 */
final class ElasticDlRule implements EnvRule {

    @Override
    public Map<String, String> env(JobPlan plan, RolePlan role, int id, int index) {
        Map<String, String> env = new TreeMap<>();
        env.put("JOB_NAME", plan.name());
        env.put("EDL_RUN_ID", plan.runId());
        env.put("EDL_ROLE", role.type().id());
        env.put("EDL_INDEX", Integer.toString(index));
        plan.role(RoleType.MASTER)
                .ifPresent(master ->
                        env.put("MASTER_ADDR", plan.endpoint(master, 0).address()));
        plan.role(RoleType.PS).ifPresent(ps -> env.put("PS_ADDRS", addresses(plan, ps)));
        plan.role(RoleType.WORKER).ifPresent(w -> env.put("WORKER_NUM", Integer.toString(w.replicas())));
        if (role.type() == RoleType.WORKER) {
            env.put("WORKER_ID", Integer.toString(id));
        }
        return env;
    }

    private static String addresses(JobPlan plan, RolePlan ps) {
        return plan.endpoints(ps).stream().map(Endpoint::address).collect(Collectors.joining(","));
    }
}
