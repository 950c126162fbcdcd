package dev.edl.runtime.wire.auth;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;

/**
 * Proves at one end that it has the job's token, and checks the other end's proof. Safe for several threads.
 *
 * <p>Over any transport of messages: the caller sends a nonce; the called end answers with its nonce and its proof; the caller
 * checks that and sends its own. Both proofs cover both nonces and the side that makes them, so that no proof can be sent back or
 * be used again.
 */
public final class Handshake {
    private static final int NONCE = 32;
    private static final int PROOF = 32;

    private final JobToken token;
    private final SecureRandom random;

    public Handshake(JobToken token, SecureRandom random) {
        this.token = token;
        this.random = random;
    }

    /** Returns a nonce that was never used before. */
    public byte[] nonce() {
        byte[] nonce = new byte[NONCE];
        random.nextBytes(nonce);
        return nonce;
    }

    /**
     * Returns the proof of one end.
     *
     * @param side the name of that end, for example {@code worker}: no proof is that of another side
     * @param caller the nonce of the end that called
     * @param called the nonce of the end that was called
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

    /** Returns whether a proof is that of the given end; takes the same time for every wrong one. */
    public boolean proves(byte[] proof, String side, byte[] caller, byte[] called) {
        return proof.length == PROOF && MessageDigest.isEqual(proof, proof(side, caller, called));
    }

    /** Returns a text without the secret. */
    @Override
    public String toString() {
        return "handshake by a " + token;
    }
}
