package dev.edl.operators.controller.internal;

import dev.edl.k8s.nodes.NodeWatch;
import dev.edl.operators.controller.ObjectKind;
import dev.edl.operators.controller.ReplicaLimits;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What is the same in each term of a controller.
 *
 * @param kinds of the objects that it drives
 * @param namespaces none for all
 * @param nodes tells which nodes are about to go; empty when node notices are off
 * @param forceDelete whether pods are deleted by force that are not gone a minute after their grace
 * @param limits of the replicas that it drives
 * @param refused counts passes that come to nothing
 * @param requests counts requests of jobs that are refused or not answered
 * @param broken receives an Error of one of the controller's threads
 */
public record LeaderSessionSettings(
        List<ObjectKind> kinds,
        List<String> namespaces,
        Optional<NodeWatch> nodes,
        boolean forceDelete,
        ReplicaLimits limits,
        FailureCounters refused,
        FailureCounters requests,
        Consumer<Error> broken) {
    /** Those of the kinds in some namespaces, with the defaults of a library. */
    public static LeaderSessionSettings of(List<ObjectKind> kinds, List<String> namespaces) {
        return new LeaderSessionSettings(
                kinds,
                namespaces,
                Optional.empty(),
                true,
                ReplicaLimits.STANDARD,
                new FailureCounters(),
                new FailureCounters(),
                error -> {
                    throw error;
                });
    }
}
