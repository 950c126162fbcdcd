package dev.edl.runtime.wire.control;

import java.util.Locale;

/**
 * Identity of a caller.
 *
 * @param role role of the caller
 * @param index index of the caller within its role, from 0
 * @param name name of the caller's replica, for example {@code mnist-worker-3}
 * @param digest readable text that identifies the caller's training
 */
public record Hello(Role role, int index, String name, String digest) {
    /** Role of a caller. */
    public enum Role {
        /** The caller trains. */
        WORKER,
        /** The caller serves a parameter shard. */
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
