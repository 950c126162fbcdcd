package dev.edl.runtime.wire.control;

import dev.edl.runtime.wire.tls.ChannelBinding;
import dev.edl.runtime.wire.tls.ChannelSecurity;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicLong;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Credential with a given key and counted nonces. */
final class SharedKey implements Authenticator {
    private static final AtomicLong NONCES = new AtomicLong();

    private final byte[] key;
    private final ChannelSecurity security;

    /** Returns the key of all tests with TLS. */
    static SharedKey tls() {
        return new SharedKey("secret", ChannelSecurity.token(new SecureRandom()));
    }

    SharedKey(String key) {
        this(key, ChannelSecurity.plain());
    }

    SharedKey(String key, ChannelSecurity security) {
        this.key = key.getBytes(StandardCharsets.UTF_8);
        this.security = security;
    }

    @Override
    public ChannelSecurity security() {
        return security;
    }

    @Override
    public byte[] nonce() {
        return ByteBuffer.allocate(Long.BYTES).putLong(NONCES.incrementAndGet()).array();
    }

    @Override
    public byte[] proof(String side, ChannelBinding binding, byte[] caller, byte[] master) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            mac.update((binding.text() + side).getBytes(StandardCharsets.UTF_8));
            mac.update(caller);
            return mac.doFinal(master);
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }
}
