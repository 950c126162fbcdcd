package dev.edl.operators.et;

import dev.edl.env.HorovodHosts;
import dev.edl.env.HorovodHosts.Host;
import dev.edl.operators.crd.et.ObservedWorker;
import dev.edl.plan.JobPlan;
import dev.edl.reconcile.JobState;
import dev.edl.reconcile.ReplicaState;
import dev.edl.spec.RoleType;
import dev.edl.status.ObservedPhase;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Desired workers of an elastic job and their observed state. Pure. */
final class DesiredWorkers {
    private DesiredWorkers() {}

    /** Returns the ids of the replicas that a role should have. */
    static SortedSet<Integer> of(JobState state, RoleType role) {
        List<Integer> members = state.pinnedIds().get(role);
        return new TreeSet<>(
                members != null
                        ? members
                        : state.replicas().values().stream()
                                .filter(r -> r.role() == role && r.stage().occupiesSlot())
                                .map(ReplicaState::id)
                                .toList());
    }

    /** Returns the replica id at the end of a worker's name. */
    static int id(String name) {
        return Integer.parseInt(name.substring(name.lastIndexOf('-') + 1));
    }

    /**
     * Returns the existing and the desired workers, in order of their ids. A running pod that is not ready counts as
     * PENDING, because its sshd may not listen yet. A desired worker without a pod is PENDING too.
     *
     * @param pods existing pods of workers
     * @param attached names of the workers on which the launcher still has a process
     */
    static List<ObservedWorker> seen(JobPlan plan, JobState state, List<Pod> pods, Set<String> attached) {
        Map<Integer, ObservedWorker> workers = new TreeMap<>();
        for (int id : of(state, RoleType.WORKER)) {
            String name = plan.replicaName(RoleType.WORKER, id);
            workers.put(id, new ObservedWorker(plan.namespace(), name, ObservedPhase.PENDING, attached.contains(name)));
        }
        for (Pod pod : pods) {
            String name = pod.getMetadata().getName();
            workers.put(id(name), new ObservedWorker(plan.namespace(), name, phase(pod), attached.contains(name)));
        }
        return List.copyOf(workers.values());
    }

    private static ObservedPhase phase(Pod pod) {
        String phase = Optional.ofNullable(pod.getStatus())
                .map(status -> status.getPhase())
                .orElse("Pending");
        return switch (phase) {
            case "Succeeded" -> ObservedPhase.SUCCEEDED;
            case "Failed" -> ObservedPhase.FAILED;
            case "Running" -> ready(pod) ? ObservedPhase.RUNNING : ObservedPhase.PENDING;
            default -> ObservedPhase.PENDING;
        };
    }

    private static boolean ready(Pod pod) {
        return pod.getMetadata().getDeletionTimestamp() == null
                && Optional.ofNullable(pod.getStatus().getConditions()).orElse(List.of()).stream()
                        .anyMatch(c ->
                                c.getType().equals("Ready") && c.getStatus().equals("True"));
    }

    /**
     * Returns the hosts to use when no scaling is in progress: every ready worker. So a deleted worker is no host, and
     * a relaunched one becomes a host again once it is ready.
     *
     * @param now current hosts, from which the number of slots is taken
     */
    static HorovodHosts settled(JobPlan plan, List<ObservedWorker> workers, HorovodHosts now) {
        return new HorovodHosts(workers.stream()
                .filter(worker -> worker.phase() == ObservedPhase.RUNNING)
                .map(worker -> new Host(worker.name(), slots(plan, now)))
                .toList());
    }

    /**
     * Returns the current hosts whose worker is ready; drops workers that are not ready, have ended or no longer exist.
     */
    static HorovodHosts alive(List<ObservedWorker> workers, HorovodHosts now) {
        return new HorovodHosts(now.hosts().stream()
                .filter(host -> workers.stream()
                        .anyMatch(
                                worker -> worker.name().equals(host.name()) && worker.phase() == ObservedPhase.RUNNING))
                .toList());
    }

    private static int slots(JobPlan plan, HorovodHosts now) {
        return now.hosts().stream()
                .findFirst()
                .or(() -> HorovodHosts.of(plan).hosts().stream().findFirst())
                .map(Host::slots)
                .orElse(1);
    }
}
