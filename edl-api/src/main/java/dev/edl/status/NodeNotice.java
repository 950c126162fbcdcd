package dev.edl.status;

import java.util.Objects;

/**
 * Says that the machine of a replica is about to go, and takes no new replicas: it was cordoned, is drained, or its provider
 * wants it back.
 *
 * @param node the machine's name
 * @param why in a word or two: {@code cordoned}, {@code taint aws-node-termination-handler/spot-itn}
 */
public record NodeNotice(String node, String why) {
    /** Checks that nothing is null. */
    public NodeNotice {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(why, "why");
    }

    /** For example {@code node-2 is about to go (cordoned)}. */
    @Override
    public String toString() {
        return node + " is about to go (" + why + ")";
    }
}
