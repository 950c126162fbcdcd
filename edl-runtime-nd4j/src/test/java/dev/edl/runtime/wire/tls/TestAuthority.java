package dev.edl.runtime.wire.tls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Base64;

/** An authority that issues certificates and writes them as Kubernetes does. */
final class TestAuthority {
    static final Instant BEGIN = Instant.parse("2000-01-01T00:00:00Z");
    static final Instant END = Instant.parse("2100-01-01T00:00:00Z");

    private final SecureRandom random = new SecureRandom();
    private final String name;
    private final KeyPair keys;
    private final X509Certificate certificate;

    TestAuthority(String name) throws GeneralSecurityException {
        this.name = name;
        this.keys = TlsIdentity.keys(random);
        this.certificate =
                new CertificateSpec(name, name, BEGIN, END, true).sign(keys.getPublic(), keys.getPrivate(), random);
    }

    /** Writes a new certificate, its key and this authority to a folder. */
    void write(Path folder, String subject, Instant end) throws GeneralSecurityException, IOException {
        KeyPair own = TlsIdentity.keys(random);
        X509Certificate leaf =
                new CertificateSpec(subject, name, BEGIN, end, false).sign(own.getPublic(), keys.getPrivate(), random);
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("tls.crt"), pem("CERTIFICATE", leaf.getEncoded()));
        Files.writeString(
                folder.resolve("tls.key"), pem("PRIVATE KEY", own.getPrivate().getEncoded()));
        Files.writeString(folder.resolve("ca.crt"), pem("CERTIFICATE", certificate.getEncoded()));
    }

    private static String pem(String what, byte[] content) {
        String lines = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(content);
        return "-----BEGIN " + what + "-----\n" + lines + "\n-----END " + what + "-----\n";
    }
}
