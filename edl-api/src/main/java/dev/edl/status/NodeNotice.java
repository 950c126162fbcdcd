package dev.edl.status;

import java.util.Objects;

/**
 * Notice that a replica's node is about to be drained and accepts no new replicas: it was cordoned, is being drained,
 * or its provider reclaims it.
 *
 * @param node the node's name
 * @param why the reason in a word or two: {@code cordoned}, {@code taint aws-node-termination-handler/spot-itn}
 */
public record NodeNotice(String node, String why) {
    /** Checks that nothing is null. */
    public NodeNotice {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(why, "why");
    }

    /** Returns for example {@code node-2 is about to go (cordoned)}. */
    @Override
    public String toString() {
        return node + " is about to go (" + why + ")";
    }
}
