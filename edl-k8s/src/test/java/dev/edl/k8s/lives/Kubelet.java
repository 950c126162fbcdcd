package dev.edl.k8s.lives;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Simulated nodes: pods are scheduled, run, end and are deleted; a node may become unreachable. */
final class Kubelet {
    static final String PROXY = "istio-proxy";
    private static final int NODES = 3;
    private static final long RETRY = 5_000;

    private final Life life;
    private final Random random;
    private final Map<String, Integer> node = new HashMap<>();
    private final Set<String> met = new HashSet<>();
    private final Set<String> leaving = new HashSet<>();
    final Set<Integer> silent = new HashSet<>();

    Kubelet(Life life, Random random) {
        this.life = life;
        this.random = random;
        life.server.watch(this::hear);
    }

    private void hear(MemoryServer.Change change) {
        Pod pod = change.pod();
        if (change.gone()) {
            return;
        }
        if (met.add(Pods.uid(pod))) {
            node.put(Pods.uid(pod), random.nextInt(NODES));
            life.time.in(
                    random.nextInt(2_000),
                    () -> act(pod, () -> {
                        life.server.schedule(pod);
                        life.time.in(random.nextInt(3_000), () -> act(pod, () -> run(pod)));
                    }));
        }
        if (Pods.leaves(pod) && leaving.add(Pods.uid(pod))) {
            long grace = pod.getMetadata().getDeletionGracePeriodSeconds() * 1_000;
            long ends = random.nextInt(8) == 0 ? grace : random.nextInt(3_000);
            life.time.in(
                    ends,
                    () -> act(pod, () -> {
                        if (!Pods.ended(life.server.there(Pods.name(pod)))) {
                            life.server.status(pod, status(pod, 143, "Error", false));
                        }
                        life.time.in(random.nextInt(500), () -> act(pod, () -> life.server.remove(pod)));
                    }));
        }
    }

    /** Acts on an existing pod once its node and the API server are reachable. */
    private void act(Pod pod, Runnable what) {
        if (life.server.now(pod) == null) {
            return;
        }
        if (silent.contains(node.get(Pods.uid(pod))) || life.weather.outage()) {
            life.time.in(RETRY, () -> act(pod, what));
        } else {
            what.run();
        }
    }

    private void run(Pod pod) {
        Pod now = life.server.there(Pods.name(pod));
        if (!Pods.leaves(now)) {
            List<ContainerStatus> running = new ArrayList<>();
            now.getSpec().getContainers().forEach(c -> running.add(Pods.running(c.getName())));
            life.server.status(now, Pods.status("Running", running.toArray(ContainerStatus[]::new)));
        }
    }

    /** Returns the running pods on reachable nodes, in the order of their creation. */
    List<Pod> running() {
        return life.server.pods.values().stream()
                .filter(pod -> Pods.phase(pod).equals("Running") && !Pods.leaves(pod) && !mainEnded(pod))
                .filter(pod -> !silent.contains(node.get(Pods.uid(pod))))
                .toList();
    }

    /** Ends a pod's process. */
    void exit(Pod pod, int code, String reason) {
        life.server.status(pod, status(pod, code, reason, sidecar(pod)));
    }

    private static boolean sidecar(Pod pod) {
        return pod.getSpec().getContainers().get(0).getName().equals(PROXY);
    }

    private static PodStatus status(Pod pod, int code, String reason, boolean proxyRuns) {
        List<ContainerStatus> all = new ArrayList<>();
        pod.getSpec().getContainers().forEach(c -> {
            boolean proxy = c.getName().equals(PROXY);
            all.add(
                    proxy && proxyRuns
                            ? Pods.running(PROXY)
                            : Pods.ended(c.getName(), proxy ? 0 : code, proxy ? "Completed" : reason));
        });
        String phase = proxyRuns ? "Running" : code == 0 ? "Succeeded" : "Failed";
        return Pods.status(phase, all.toArray(ContainerStatus[]::new));
    }

    /** Returns whether the replica's main container has ended. */
    static boolean mainEnded(Pod pod) {
        return Pods.ended(pod)
                || pod.getStatus().getContainerStatuses().stream()
                        .anyMatch(
                                c -> !c.getName().equals(PROXY) && c.getState().getTerminated() != null);
    }

    /** Evicts a pod, as its node or a preemption does. */
    void evict(Pod pod) {
        life.server.status(pod, Pods.disrupted(status(pod, 137, "Error", false), "TerminationByKubelet"));
    }

    /** Makes a node unreachable; after a while its pods are deleted. */
    void silence(long millis) {
        int lost = random.nextInt(NODES);
        silent.add(lost);
        life.time.in(Math.min(millis, 45_000), () -> {
            if (silent.contains(lost)) {
                for (Pod pod : List.copyOf(life.server.pods.values())) {
                    if (node.getOrDefault(Pods.uid(pod), -1) == lost && !Pods.leaves(pod) && !mainEnded(pod)) {
                        life.oracle.cause(pod, "its node is lost");
                        life.server.delete(Pods.name(pod), java.util.Optional.empty(), java.util.OptionalLong.empty());
                    }
                }
            }
        });
        life.time.in(millis, () -> silent.remove(lost));
    }
}
