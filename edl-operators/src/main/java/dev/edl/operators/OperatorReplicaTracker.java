package dev.edl.operators;

import dev.edl.k8s.spi.ObservedPod;
import dev.edl.reconcile.ReplicaState;
import dev.edl.status.JobEvent;
import dev.edl.status.ObservedPhase;
import dev.edl.status.ObservedReplica;
import dev.edl.status.ReplicaStage;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Computes the states of replicas that an operator runs, from their previous states and the observed pods. Emits the
 * event types that EDL emits for replicas that it runs itself. Pure.
 */
final class OperatorReplicaTracker {
    private final Map<String, ReplicaState> known;
    private final Instant now;
    private final List<JobEvent> events;
    private final Map<String, ReplicaState> next = new LinkedHashMap<>();

    private OperatorReplicaTracker(Map<String, ReplicaState> known, Instant now, List<JobEvent> events) {
        this.known = known;
        this.now = now;
        this.events = events;
    }

    /**
     * Computes the new state of each replica.
     *
     * @param known previous states by replica name
     * @param events list to which an event is added for each change of a replica
     * @return states by replica name; first ended replicas without a pod, then those with a pod by the pod's creation
     *     time
     */
    static Map<String, ReplicaState> observe(
            Map<String, ReplicaState> known, List<ObservedPod> pods, Instant now, List<JobEvent> events) {
        OperatorReplicaTracker look = new OperatorReplicaTracker(known, now, events);
        look.gone(pods);
        pods.stream()
                .sorted(Comparator.comparing(ObservedPod::created)
                        .thenComparing(pod -> pod.replica().role())
                        .thenComparing(pod -> pod.replica().id()))
                .forEach(look::there);
        look.replaced();
        return look.next;
    }

    /**
     * Keeps the state of each succeeded or failed replica whose pod no longer exists, and drops other replicas without
     * a pod. Emits an event for each of these that had not ended.
     */
    private void gone(List<ObservedPod> pods) {
        Set<String> names = pods.stream().map(pod -> pod.replica().name()).collect(Collectors.toSet());
        for (ReplicaState replica : known.values()) {
            if (names.contains(replica.name())) {
                continue;
            }
            gone(replica);
            if (replica.stage() == ReplicaStage.SUCCEEDED || replica.stage() == ReplicaStage.FAILED) {
                next.put(replica.name(), replica);
            }
        }
    }

    private void gone(@Nullable ReplicaState replica) {
        if (replica != null && replica.stage().alive()) {
            event(JobEvent.Type.REPLICA_DELETED, replica.name(), replica.name() + " was deleted");
        }
    }

    private void there(ObservedPod pod) {
        ObservedReplica replica = pod.replica();
        ReplicaState before = before(pod);
        ReplicaStage was = before == null ? ReplicaStage.PENDING : before.stage();
        if (before == null) {
            gone(known.get(replica.name()));
            event(JobEvent.Type.REPLICA_CREATED, replica.name(), "created " + replica.name());
        } else if (pod.restarts() > before.restarts()) {
            event(
                    JobEvent.Type.RELAUNCHED,
                    replica.name(),
                    "Relaunch the " + replica.role() + ": " + replica.name()
                            + (pod.lastEnd().isEmpty() ? "" : ", which ended with " + pod.lastEnd()));
        }
        ReplicaStage stage = stage(replica, was);
        ReplicaState.Builder state = ReplicaState.builder()
                .name(replica.name())
                .role(replica.role())
                .id(replica.id())
                .index(replica.id())
                .stage(stage)
                .everObserved(true)
                .restarts(pod.restarts())
                .createdAt(pod.created());
        if (stage == ReplicaStage.SUCCEEDED || stage == ReplicaStage.FAILED) {
            state.endedAt(before == null ? now : before.endedAt().orElse(now))
                    .exitCode(replica.exitCode())
                    .reason(replica.reason());
        }
        ReplicaState built = state.build();
        next.put(built.name(), built);
        if (stage != was) {
            tell(built);
        }
    }

    /**
     * Returns the previous state of the replica that the pod runs. Null for an unknown replica, or if the pod is a new
     * one under the name of an earlier pod.
     */
    private @Nullable ReplicaState before(ObservedPod pod) {
        ReplicaState of = known.get(pod.replica().name());
        boolean another = of != null
                && (!of.createdAt().equals(pod.created())
                        || (!of.stage().alive()
                                && !pod.replica().phase().ended()
                                && !pod.replica().terminating()));
        return another ? null : of;
    }

    private static ReplicaStage stage(ObservedReplica replica, ReplicaStage was) {
        if (!was.alive()) {
            return was;
        }
        if (replica.phase() == ObservedPhase.SUCCEEDED) {
            return ReplicaStage.SUCCEEDED;
        }
        if (replica.terminating()) {
            // The deletion ends this pod, regardless of its exit code.
            return ReplicaStage.REMOVED;
        }
        return switch (replica.phase()) {
            case FAILED, DISRUPTED -> ReplicaStage.FAILED;
            case RUNNING -> ReplicaStage.RUNNING;
            default -> was;
        };
    }

    private void tell(ReplicaState replica) {
        String name = replica.name();
        switch (replica.stage()) {
            case RUNNING -> event(JobEvent.Type.REPLICA_RUNNING, name, name + " is running");
            case SUCCEEDED -> event(JobEvent.Type.REPLICA_SUCCEEDED, name, name + " succeeded");
            case FAILED -> event(JobEvent.Type.REPLICA_FAILED, name, name + " failed: " + describe(replica));
            default -> event(JobEvent.Type.REPLICA_DELETED, name, name + " was deleted");
        }
    }

    /**
     * Returns how the replica ended as text for people, such as {@code exit code 137 (OOMKilled)} or {@code Evicted}.
     */
    static String describe(ReplicaState replica) {
        String code = replica.exitCode().isPresent()
                ? "exit code " + replica.exitCode().getAsInt()
                : "";
        String why = replica.reason().orElse("");
        if (code.isEmpty()) {
            return why.isEmpty() ? "no exit code" : why;
        }
        return why.isEmpty() ? code : code + " (" + why + ")";
    }

    /**
     * Marks failed pods as REPLACED if the same replica has a newer pod; a batch Job may create several pods for one
     * replica.
     */
    private void replaced() {
        Map<String, ReplicaState> newest = new TreeMap<>();
        next.values()
                .forEach(replica -> newest.merge(
                        replica.role().replica(replica.id()),
                        replica,
                        (one, other) -> other.createdAt().isBefore(one.createdAt()) ? one : other));
        List<ReplicaState> older = next.values().stream()
                .filter(replica -> newest.get(replica.role().replica(replica.id())) != replica)
                .filter(replica -> replica.stage() == ReplicaStage.FAILED)
                .toList();
        for (ReplicaState replica : older) {
            next.put(
                    replica.name(),
                    ReplicaState.builder()
                            .from(replica)
                            .stage(ReplicaStage.REPLACED)
                            .build());
        }
    }

    private void event(JobEvent.Type type, String replica, String message) {
        events.add(JobEvent.replica(now, type, replica, message));
    }

    /** Returns the failed replicas that were not replaced, sorted by the time of their end and by name. */
    static List<ReplicaState> failed(Map<String, ReplicaState> replicas) {
        Stream<ReplicaState> failed = replicas.values().stream().filter(r -> r.stage() == ReplicaStage.FAILED);
        return failed.sorted(
                        Comparator.comparing((ReplicaState r) -> r.endedAt().orElse(Instant.MAX))
                                .thenComparing(ReplicaState::name))
                .toList();
    }
}
