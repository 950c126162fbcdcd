package dev.edl.runtime.wire.control;

import java.util.List;

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
        SERVER
    }

    /** Returns the texts of the greeting, from which {@link #of} makes an equal value. */
    List<String> texts() {
        return List.of(role.name(), String.valueOf(index), name, digest, RemotePorts.SIGNATURE);
    }

    /**
     * Returns the identity of a caller.
     *
     * @throws IllegalArgumentException when the caller has other ports, or the texts are not an identity
     */
    static Hello of(List<String> texts) {
        if (texts.size() != 5) {
            throw new IllegalArgumentException(
                    "a caller must send its role, index, name, digest and ports, sent " + texts);
        }
        if (!RemotePorts.SIGNATURE.equals(texts.get(4))) {
            throw new IllegalArgumentException(texts.get(2) + " has another version of EDL than this master");
        }
        try {
            return new Hello(Role.valueOf(texts.get(0)), Integer.parseInt(texts.get(1)), texts.get(2), texts.get(3));
        } catch (IllegalArgumentException invalid) {
            throw new IllegalArgumentException(
                    "a caller's role must be WORKER or SERVER and its index a number, for example WORKER 0; was "
                            + texts.get(0) + " " + texts.get(1),
                    invalid);
        }
    }

    /** Returns the text for people: the name. */
    @Override
    public String toString() {
        return name;
    }
}
