package dev.edl.runtime.wire.tls;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.List;

/**
 * Private key of this process and the certificate chain that it sends, its own certificate first.
 */
record TlsIdentity(PrivateKey key, List<X509Certificate> chain) {
    private static final String NAME = "edl";
    private static final Instant BEGINNING = Instant.parse("1970-01-01T00:00:00Z");
    private static final Instant FOR_EVER = Instant.parse("9999-12-31T23:59:59Z");

    /**
     * Creates a key on curve P-256 and a self-signed certificate, in memory only. It is valid for ever, because the clocks
     * of processes differ, and peers trust the token instead of the certificate.
     */
    static TlsIdentity selfSigned(SecureRandom random) {
        try {
            KeyPair keys = keys(random);
            X509Certificate certificate = new CertificateSpec(NAME, NAME, BEGINNING, FOR_EVER, false)
                    .sign(keys.getPublic(), keys.getPrivate(), random);
            return new TlsIdentity(keys.getPrivate(), List.of(certificate));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM cannot make a self-signed certificate on curve P-256", e);
        }
    }

    static KeyPair keys(SecureRandom random) throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"), random);
        return generator.generateKeyPair();
    }

    /** Returns the text for people, without the key. */
    @Override
    public String toString() {
        return "identity " + chain.get(0).getSubjectX500Principal();
    }
}
