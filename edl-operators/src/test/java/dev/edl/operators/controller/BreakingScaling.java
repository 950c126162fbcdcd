package dev.edl.operators.controller;

import dev.edl.exec.ControlLoop;
import dev.edl.exec.Substrate;
import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.render.SshKeys;
import dev.edl.k8s.spi.JobPods;
import dev.edl.k8s.spi.WorkerScaling;
import dev.edl.k8s.spi.WorkerScalingProvider;
import dev.edl.operators.et.HostfileScalingProvider;
import dev.edl.plan.JobPlan;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Scaling provider that fails the loops of certain jobs in their first pass. Found on the class path like any provider.
 */
public final class BreakingScaling implements WorkerScalingProvider {
    /** Exceptions of the loops, by the job's name. */
    static final Map<String, Throwable> BREAKS = new ConcurrentHashMap<>();

    /** Start times of the loops in nanoseconds, by the job's name. */
    static final Map<String, List<Long>> BEGAN = new ConcurrentHashMap<>();

    private final HostfileScalingProvider hostfile = new HostfileScalingProvider();

    static List<Long> began(String job) {
        return BEGAN.computeIfAbsent(job, name -> new CopyOnWriteArrayList<>());
    }

    @Override
    public boolean scales(JobPlan plan) {
        return BREAKS.containsKey(plan.name());
    }

    @Override
    public PodOptions options(JobPlan plan, PodOptions options) {
        // Keys of 3,072 bits take seconds, and no pod of these jobs uses them.
        return hostfile.scales(plan)
                ? options.toBuilder()
                        .sshKeys(new SshKeys("-----BEGIN PRIVATE KEY-----\n", "ssh-rsa AAAA"))
                        .build()
                : options;
    }

    @Override
    public Substrate substrate(JobPods pods) {
        String job = pods.plan().name();
        began(job).add(System.nanoTime());
        Substrate whole = pods.substrate();
        return (Substrate) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Substrate.class}, (self, method, arguments) -> {
                    if (method.getName().equals("observe")) {
                        throw new IllegalStateException("it cannot be observed");
                    }
                    Throwable broken = BREAKS.get(job);
                    if (method.getName().equals("explain") && broken != null) {
                        // Not a failed request: the loop itself fails.
                        throw broken;
                    }
                    try {
                        return method.invoke(whole, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Override
    public WorkerScaling start(ControlLoop loop, JobPods pods) {
        return hostfile.scales(pods.plan()) ? hostfile.start(loop, pods) : WorkerScaling.direct(loop);
    }

    @Override
    public List<PolicyRule> permissions(JobPlan plan, PodOptions options) {
        return List.of();
    }

    @Override
    public Optional<String> handOverObstacle(JobPlan plan) {
        return Optional.empty();
    }
}
