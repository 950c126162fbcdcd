package dev.edl.env;

import dev.edl.env.TorchrunEnv.Master;
import dev.edl.env.TorchrunEnv.Rendezvous;
import dev.edl.plan.Endpoint;
import dev.edl.plan.EnvRule;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import dev.edl.plan.RolePlan;
import dev.edl.spec.ElasticBounds;
import dev.edl.spec.RoleType;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Rule for PyTorch: a {@link TorchrunEnv} for each replica, which {@code torchrun} calls a node. Immutable; each
 * setting returns a new rule.
 *
 * <p>The master, if the job has one, is node 0; the workers are the following nodes. Elastic nodes meet at a rendezvous
 * at the master, or at worker 0 without a master; the job fails if that replica is lost. In {@link Profile#KUBEFLOW_V1}
 * replicas also have PyTorchJob's variables such as {@code MASTER_ADDR} and {@code RANK}, and the rendezvous is always
 * at worker 0.
 */
public final class PyTorchEnv implements EnvRule {
    private static final int RESTARTS = 100;

    private final Profile profile;
    private final Optional<String> processes;
    private final int maxRestarts;

    private PyTorchEnv(Profile profile, Optional<String> processes, int maxRestarts) {
        this.profile = profile;
        this.processes = processes;
        this.maxRestarts = maxRestarts;
    }

    /** Returns the rule of a profile, with the default settings. */
    public static PyTorchEnv of(Profile profile) {
        return new PyTorchEnv(profile, Optional.empty(), RESTARTS);
    }

    /**
     * Sets the number of processes on each node. By default it is one for each device in the limit
     * ({@link dev.edl.spec.Resources#isDevice}), otherwise one. In {@link Profile#KUBEFLOW_V1} the default is {@code auto}.
     *
     * @param processes a number, {@code auto}, {@code gpu} or {@code cpu}
     */
    public PyTorchEnv processes(String processes) {
        return new PyTorchEnv(profile, Optional.of(processes), maxRestarts);
    }

    /**
     * Sets how often an elastic job may restart its processes; by default 100. Each lost node costs one restart,
     * because the collective operation of the other nodes fails with it.
     *
     * @param maxRestarts number of restarts, at least 0
     */
    public PyTorchEnv maxRestarts(int maxRestarts) {
        return new PyTorchEnv(profile, processes, maxRestarts);
    }

    @Override
    public void check(JobPlan plan) {
        FrameworkRestrictions.check(plan);
    }

    @Override
    public boolean followsIndex() {
        return true;
    }

    @Override
    public Map<String, String> env(JobPlan plan, RolePlan role, int id, int index) {
        TorchrunEnv torchrun = torchrun(plan, role, index);
        return profile == Profile.KUBEFLOW_V1 ? pyTorchJob(plan, torchrun) : torchrun.variables();
    }

    private TorchrunEnv torchrun(JobPlan plan, RolePlan role, int index) {
        Optional<RolePlan> master = plan.role(RoleType.MASTER);
        Optional<RolePlan> workers = plan.role(RoleType.WORKER);
        int masters = master.isPresent() ? 1 : 0;
        ElasticBounds nodes = new ElasticBounds(
                masters + workers.map(w -> w.bounds().min()).orElse(0),
                masters + workers.map(w -> w.bounds().max()).orElse(0));
        boolean elastic = workers.filter(RolePlan::elastic).isPresent();
        boolean kubeflow = profile == Profile.KUBEFLOW_V1;
        int rank = role.type() == RoleType.MASTER ? 0 : masters + index;
        Endpoint first = plan.endpoint(plan.leader(), 0);
        boolean named = kubeflow ? master.isPresent() : !elastic;
        return new TorchrunEnv(
                nodes,
                processes.orElseGet(() -> kubeflow ? "auto" : Integer.toString(ProcessesPerReplica.processes(role))),
                named ? Optional.of(new Master(first.host(), first.port(), rank)) : Optional.empty(),
                elastic ? Optional.of(rendezvous(plan, first, rank)) : Optional.empty(),
                elastic ? OptionalInt.of(maxRestarts) : OptionalInt.empty());
    }

    private Rendezvous rendezvous(JobPlan plan, Endpoint first, int rank) {
        boolean kubeflow = profile == Profile.KUBEFLOW_V1;
        Endpoint at = kubeflow ? plan.endpoint(plan.role(RoleType.WORKER.id()), 0) : first;
        SortedMap<String, String> settings = new TreeMap<>();
        // PyTorch derives from the address which node hosts the store. On one machine all nodes have the same address,
        // so the first process would host it, and the job would end with that process. In a cluster the result is
        // right. There, workers without a master get no is_host, so that they differ by their index alone.
        if (!kubeflow && (first.role() != RoleType.WORKER || HostAddresses.isLoopback(first.host()))) {
            settings.put("is_host", rank == 0 ? "1" : "0");
        }
        return new Rendezvous(
                "c10d",
                at.address(),
                kubeflow ? Optional.empty() : Optional.of(plan.name() + "-" + plan.runId()),
                settings);
    }

    private static Map<String, String> pyTorchJob(JobPlan plan, TorchrunEnv torchrun) {
        Map<String, String> env = new LinkedHashMap<>();
        env.put("PYTHONUNBUFFERED", "1");
        torchrun.master().ifPresent(master -> {
            int each = torchrun.processes().matches("\\d+") ? Integer.parseInt(torchrun.processes()) : 1;
            int replicas = plan.roles().stream().mapToInt(RolePlan::replicas).sum();
            env.put("MASTER_PORT", Integer.toString(master.port()));
            env.put("MASTER_ADDR", master.host());
            env.put("WORLD_SIZE", Integer.toString(replicas * each));
            env.put("RANK", Integer.toString(master.rank()));
        });
        env.putAll(torchrun.variables());
        return env;
    }

    /** Returns, for example, {@code PyTorchEnv (ELASTICDL, at most 100 restarts)}. */
    @Override
    public String toString() {
        return "PyTorchEnv (" + profile + ", at most " + maxRestarts + " restarts"
                + processes.map(each -> ", " + each + " processes").orElse("") + ")";
    }
}
