package dev.edl.env;

import dev.edl.plan.Endpoint;
import dev.edl.plan.EnvRule;
import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import dev.edl.spec.RoleType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Rule for EDL's own runtime: an {@link ElasticDlEnv} for each replica. */
final class ElasticDlRule implements EnvRule {
    @Override
    public boolean followsIndex() {
        return true;
    }

    @Override
    public Map<String, String> env(JobPlan plan, RolePlan role, int id, int index) {
        Optional<RolePlan> workers = plan.role(RoleType.WORKER);
        return new ElasticDlEnv(
                        plan.name(),
                        plan.runId(),
                        role.type(),
                        index,
                        plan.role(RoleType.MASTER)
                                .map(master -> plan.endpoint(master, 0).address()),
                        plan.role(RoleType.PS).map(ps -> addresses(plan, ps)).orElse(List.of()),
                        workers.isPresent() ? OptionalInt.of(workers.get().replicas()) : OptionalInt.empty(),
                        role.type() == RoleType.WORKER ? OptionalInt.of(id) : OptionalInt.empty())
                .variables();
    }

    private static List<String> addresses(JobPlan plan, RolePlan ps) {
        return plan.endpoints(ps).stream().map(Endpoint::address).toList();
    }
}
