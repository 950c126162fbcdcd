package dev.edl.runtime.wire.auth;

import dev.edl.runtime.wire.tls.ChannelSecurity;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;

/**
 * Mutual authentication by the job's token: proves that this end has it, and checks the peer's proof. Safe for several
 * threads.
 *
 * <p>Works over any message transport. The caller sends a nonce; the called end responds with its nonce and its proof;
 * the caller checks that proof and sends its own. Both proofs cover both nonces and the side that makes them, so that
 * no proof can be reflected or replayed. A side's name has the certificates of both ends, so that no relay can pass a
 * proof on: see {@link dev.edl.runtime.wire.tls.ChannelBinding}.
 */
public final class Handshake {
    private static final int NONCE = 32;
    private static final int PROOF = 32;

    private final JobToken token;
    private final SecureRandom random;
    private final ChannelSecurity security;

    /**
     * Creates the authentication of a process.
     *
     * @param security encryption of its connections, whose certificates the proofs cover
     */
    public Handshake(JobToken token, SecureRandom random, ChannelSecurity security) {
        this.token = token;
        this.random = random;
        this.security = security;
    }

    /** Returns the encryption of the connections. */
    public ChannelSecurity security() {
        return security;
    }

    /** Returns a nonce that was never used before. */
    public byte[] nonce() {
        byte[] nonce = new byte[NONCE];
        random.nextBytes(nonce);
        return nonce;
    }

    /**
     * Returns the proof by which one end shows that it has the token.
     *
     * @param side name of the proving end, for example {@code worker}; the proofs of different sides differ
     * @param caller nonce of the caller
     * @param called nonce of the called end
     */
    public byte[] proof(String side, byte[] caller, byte[] called) {
        requireNonce(caller);
        requireNonce(called);
        byte[] label = side.getBytes(StandardCharsets.UTF_8);
        ByteBuffer message = ByteBuffer.allocate(Integer.BYTES + label.length + 2 * NONCE);
        message.putInt(label.length).put(label).put(caller).put(called);
        return token.mac(message.array());
    }

    private static void requireNonce(byte[] nonce) {
        if (nonce.length != NONCE) {
            throw new IllegalArgumentException("a nonce must have " + NONCE + " bytes, had " + nonce.length);
        }
    }

    /**
     * Returns whether a proof was made by the given side for these nonces. Takes the same time for every wrong proof.
     */
    public boolean proves(byte[] proof, String side, byte[] caller, byte[] called) {
        return proof.length == PROOF && MessageDigest.isEqual(proof, proof(side, caller, called));
    }

    /** Returns a text without the secret. */
    @Override
    public String toString() {
        return "handshake by a " + token;
    }
}
