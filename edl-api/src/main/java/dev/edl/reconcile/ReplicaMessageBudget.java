package dev.edl.reconcile;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Limits the total size of the messages of ended replicas in a job state. The state is stored in one Kubernetes object,
 * which could not hold 10,000 tracebacks.
 *
 * <p>The newest messages stay. Each distinct text stays once before any text stays twice. A replica without its message
 * still has exit code and reason, and its event had the full message.
 */
final class ReplicaMessageBudget {
    /** Maximum size in bytes of all messages of a state as JSON; above it, messages are dropped. */
    static final int MOST_BYTES = 200_000;

    /**
     * Maximum size in bytes of the messages that stay after some are dropped, so that not every further failure drops
     * messages again.
     */
    private static final int KEPT_BYTES = 100_000;

    private ReplicaMessageBudget() {}

    static void apply(ReconcileContext context) {
        if (context.messageBytes() <= MOST_BYTES) {
            return;
        }
        List<ReplicaState> newest = new ArrayList<>(context.replicas());
        newest.removeIf(replica -> replica.message().isEmpty());
        newest.sort(
                Comparator.comparing((ReplicaState replica) -> replica.endedAt().orElse(replica.createdAt()))
                        .reversed());
        Set<String> texts = new HashSet<>();
        List<ReplicaState> first = new ArrayList<>();
        List<ReplicaState> again = new ArrayList<>();
        newest.forEach(replica -> (texts.add(replica.message().orElse("")) ? first : again).add(replica));
        first.addAll(again);
        long bytes = 0;
        for (ReplicaState replica : first) {
            int more = bytes(replica);
            if (bytes + more <= KEPT_BYTES) {
                bytes += more;
            } else {
                context.put(ImmutableReplicaState.copyOf(replica).withMessage(Optional.empty()));
            }
        }
    }

    /** Returns the size in bytes of a replica's message as JSON, or slightly more. */
    static int bytes(ReplicaState replica) {
        String text = replica.message().orElse("");
        int bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\n' || c == '\t' || c == '\r' || c == '"' || c == '\\') {
                bytes += 2;
            } else if (c < ' ') {
                bytes += 6;
            } else {
                bytes += c < 0x80 ? 1 : 3;
            }
        }
        return bytes;
    }
}
