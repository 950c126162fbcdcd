package dev.edl.runtime.wire.control;

import java.util.Locale;

/**
 * Identity of a caller.
 *
 * @param role of the caller
 * @param index its number within the role, from 0
 * @param name of the replica, for example {@code mnist-worker-3}
 * @param digest readable text that identifies the caller's training
 */
public record Hello(Role role, int index, String name, String digest) {
    /** Role of a caller. */
    public enum Role {
        /** Trains. */
        WORKER,
        /** Holds a shard. */
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
