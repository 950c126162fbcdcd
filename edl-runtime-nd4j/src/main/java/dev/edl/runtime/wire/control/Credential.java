package dev.edl.runtime.wire.control;

/** Proves at one end that it knows the job's token, and checks the other end's proof. Safe for several threads. */
public interface Credential {
    /** Returns a nonce that was never used before. */
    byte[] nonce();

    /**
     * Returns the proof of one end.
     *
     * @param side {@code master}, {@code worker} or {@code server}: no proof is that of another side
     * @param caller the nonce of the end that called
     * @param master the master's nonce
     */
    byte[] proof(String side, byte[] caller, byte[] master);
}
