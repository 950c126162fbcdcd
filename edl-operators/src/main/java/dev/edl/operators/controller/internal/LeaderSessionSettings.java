package dev.edl.operators.controller.internal;

import dev.edl.k8s.nodes.NodeWatch;
import dev.edl.operators.controller.ObjectKind;
import dev.edl.operators.controller.ReplicaQuotas;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Settings shared by all sessions of a controller.
 *
 * @param kinds of the objects that it drives
 * @param namespaces none for all
 * @param nodes notices of nodes that are about to be taken away; empty when node notices are off
 * @param forceDelete whether it force-deletes pods that exist one minute after their grace period
 * @param limits of the replicas that it drives
 * @param refused counts failed passes
 * @param requests counts requests of jobs that were rejected or unanswered
 * @param broken receives an Error of one of the controller's threads
 */
public record LeaderSessionSettings(
        List<ObjectKind> kinds,
        List<String> namespaces,
        Optional<NodeWatch> nodes,
        boolean forceDelete,
        ReplicaQuotas limits,
        FailureCounters refused,
        FailureCounters requests,
        Consumer<Error> broken) {
    /** Returns the settings for some kinds and namespaces, with a library's defaults. */
    public static LeaderSessionSettings of(List<ObjectKind> kinds, List<String> namespaces) {
        return new LeaderSessionSettings(
                kinds,
                namespaces,
                Optional.empty(),
                true,
                ReplicaQuotas.STANDARD,
                new FailureCounters(),
                new FailureCounters(),
                error -> {
                    throw error;
                });
    }
}
