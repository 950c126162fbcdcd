package dev.edl.operators.controller;

import dev.edl.k8s.nodes.NodeWatch;
import dev.edl.operators.controller.internal.FailureCounters;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Settings shared by all sessions of a controller.
 *
 * @param kinds kinds of the objects that the controller drives
 * @param namespaces namespaces that it watches; empty for all namespaces
 * @param nodes watch for nodes that are about to be taken away; empty when node notices are off
 * @param forceDelete whether it force-deletes pods that exist one minute after their grace period
 * @param limits limits on the numbers of replicas that it drives
 * @param refused counters of failed reconcile passes
 * @param requests counters of jobs' requests that were rejected or unanswered
 * @param broken receives an Error of one of the controller's threads
 */
record LeaderSessionSettings(
        List<ManagedKind> kinds,
        List<String> namespaces,
        Optional<NodeWatch> nodes,
        boolean forceDelete,
        ReplicaQuotas limits,
        FailureCounters refused,
        FailureCounters requests,
        Consumer<Error> broken) {
    /** Returns the settings for some kinds and namespaces, with defaults for all others. */
    static LeaderSessionSettings of(List<ManagedKind> kinds, List<String> namespaces) {
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
