package dev.edl.runtime.wire.control;

import java.util.Locale;

/**
 * Who a caller is.
 *
 * @param role what it does
 * @param index its number within the role, from 0
 * @param name of the replica, for example {@code mnist-worker-3}
 * @param digest stands for the training that it means, as text for people
 */
public record Hello(Role role, int index, String name, String digest) {
    /** What a caller does. */
    public enum Role {
        /** Trains. */
        WORKER,
        /** Keeps a shard. */
        SERVER;

        String side() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Returns the text for people: the name. */
    @Override
    public String toString() {
        return name;
    }
}
