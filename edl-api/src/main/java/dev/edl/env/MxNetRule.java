package dev.edl.env;

import dev.edl.plan.Endpoint;
import dev.edl.plan.EnvRule;
import dev.edl.plan.JobPlan;
import dev.edl.plan.PlanException;
import dev.edl.plan.Profile;
import dev.edl.plan.RolePlan;
import dev.edl.spec.RoleType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Rule for MXNet: {@code DMLC_*} and, in Kubeflow's profile, {@code MX_CONFIG}.
 *
 * <p>A job whose only replica is one worker is local. It gets no variables, except in Kubeflow's profile, since
 * Kubeflow's operator sets them. Several workers need a scheduler and servers; otherwise each worker would train a
 * separate model.
 */
record MxNetRule(Profile profile) implements EnvRule {
    @Override
    public boolean followsIndex() {
        return true;
    }

    @Override
    public Map<String, String> env(JobPlan plan, RolePlan role, int id, int index) {
        if (profile == Profile.KUBEFLOW_V1) {
            Map<String, String> env = new LinkedHashMap<>();
            env.put(MxConfig.VARIABLE, config(plan, role, index).json());
            env.putAll(dmlc(plan, role, index).variables());
            return env;
        }
        if (plan.roles().size() == 1
                && role.type() == RoleType.WORKER
                && role.bounds().max() == 1) {
            return Map.of();
        }
        required(plan, RoleType.SERVER, ".ps(2), which implies the scheduler");
        required(plan, RoleType.SCHEDULER, ".scheduler()");
        required(plan, RoleType.WORKER, ".workers(4)");
        return dmlc(plan, role, index).variables();
    }

    private static MxConfig config(JobPlan plan, RolePlan role, int index) {
        SortedMap<String, List<MxConfig.Node>> cluster = new TreeMap<>();
        SortedMap<String, String> labels = new TreeMap<>();
        for (RolePlan other : plan.roles()) {
            cluster.put(
                    other.type().id(),
                    plan.endpoints(other).stream()
                            .map(endpoint -> new MxConfig.Node(endpoint.host(), endpoint.port()))
                            .toList());
            labels.put(other.type().id(), plan.annotations().getOrDefault("tuner-server-key", ""));
        }
        return new MxConfig(cluster, labels, new Task(role.type().id(), index));
    }

    private DmlcEnv dmlc(JobPlan plan, RolePlan role, int index) {
        Optional<Endpoint> root = plan.role(RoleType.SCHEDULER).map(scheduler -> plan.endpoint(scheduler, 0));
        String host = root.map(Endpoint::host).orElse("");
        boolean kubeflow = profile == Profile.KUBEFLOW_V1;
        return new DmlcEnv(
                host,
                root.map(Endpoint::port).orElse(0),
                count(plan, RoleType.SERVER),
                count(plan, RoleType.WORKER),
                role.type().id(),
                kubeflow || (profile != Profile.MXJOB_V1BETA1 && !HostAddresses.isIp(host)),
                HostAddresses.isLoopback(host) ? Optional.of(host) : Optional.empty(),
                kubeflow && role.type() == RoleType.WORKER ? OptionalInt.of(index) : OptionalInt.empty());
    }

    /**
     * Does nothing unless the plan has a scheduler and a framework version. Rejects a scheduler whose address is a host
     * name, unless it binds to all addresses: MXNet would end with "bind failed". Then applies {@link FrameworkRestrictions}.
     */
    @Override
    public void check(JobPlan plan) {
        if (plan.frameworkVersion().isEmpty() || plan.role(RoleType.SCHEDULER).isEmpty()) {
            return;
        }
        String mxnet = "MXNet " + plan.frameworkVersion().orElseThrow();
        RolePlan scheduler = plan.role(RoleType.SCHEDULER.id());
        DmlcEnv env = dmlc(plan, scheduler, 0);
        boolean byHand = "1".equals(scheduler.template().env().get("DMLC_USE_KUBERNETES"));
        if (!env.useKubernetes() && !byHand && !HostAddresses.isIp(env.rootUri())) {
            throw new PlanException(
                    "job \"" + plan.name() + "\": the scheduler of " + mxnet + " cannot bind to the name "
                            + env.rootUri() + ", its address in profile " + profile
                            + "; add .env(\"DMLC_USE_KUBERNETES\", \"1\"), or use another profile");
        }
        FrameworkRestrictions.check(plan);
    }

    private static int count(JobPlan plan, RoleType type) {
        return plan.role(type).map(RolePlan::replicas).orElse(0);
    }

    private static void required(JobPlan plan, RoleType type, String form) {
        if (plan.role(type).isEmpty()) {
            throw new PlanException("job \"" + plan.name()
                    + "\": a distributed MXNet job needs the roles scheduler, server and worker; it has no " + type
                    + ", add " + form);
        }
    }
}
