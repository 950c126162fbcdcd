package dev.edl.runtime.wire.control;

import dev.edl.runtime.wire.tls.ChannelBinding;
import dev.edl.runtime.wire.tls.ChannelSecurity;

/** Proves that this end has the job's token, and checks the peer's proof. Safe for several threads. */
public interface Authenticator {
    /** Returns the encryption of the connections, whose certificates the proofs cover. */
    ChannelSecurity security();

    /** Returns a nonce that was never used before. */
    byte[] nonce();

    /**
     * Returns the HMAC by which one end of a connection proves to the other that it has the job's token.
     *
     * @param side the proving end: {@code master}, {@code worker}, {@code server}, or a side and session of a bulk
     *     connection; the HMACs of different ends differ
     * @param binding certificates of both ends
     * @param caller the caller's nonce
     * @param master the master's nonce
     */
    byte[] proof(String side, ChannelBinding binding, byte[] caller, byte[] master);
}
