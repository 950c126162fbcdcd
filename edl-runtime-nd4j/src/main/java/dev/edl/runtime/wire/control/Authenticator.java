package dev.edl.runtime.wire.control;

/** Proves that this end has the job's token, and checks the peer's proof. Safe for several threads. */
public interface Authenticator {
    /** Returns a nonce that was never used before. */
    byte[] nonce();

    /**
     * Returns the proof by which one end shows that it has the token.
     *
     * @param side {@code master}, {@code worker}, {@code server}, or a side and session of a bulk connection; the
     *     proofs of different sides differ
     * @param caller the caller's nonce
     * @param master the master's nonce
     */
    byte[] proof(String side, byte[] caller, byte[] master);
}
