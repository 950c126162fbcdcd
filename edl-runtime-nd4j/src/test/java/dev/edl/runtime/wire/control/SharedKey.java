package dev.edl.runtime.wire.control;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.concurrent.atomic.AtomicLong;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Credential with a given key and counted nonces. */
final class SharedKey implements Authenticator {
    private static final AtomicLong NONCES = new AtomicLong();

    private final byte[] key;

    SharedKey(String key) {
        this.key = key.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public byte[] nonce() {
        return ByteBuffer.allocate(Long.BYTES).putLong(NONCES.incrementAndGet()).array();
    }

    @Override
    public byte[] proof(String side, byte[] caller, byte[] master) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            mac.update(side.getBytes(StandardCharsets.UTF_8));
            mac.update(caller);
            return mac.doFinal(master);
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }
}
