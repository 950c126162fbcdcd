package dev.edl.operators.et;

import dev.edl.k8s.render.SshKeys;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import java.util.Base64;

/**
 * Generator of ssh key pairs, one for each job, so that a launcher reaches its own workers and no others. The algorithm
 * is ECDSA on P-256, which NIST SP 800-57 rates as strong as RSA of 3072 bits. Generating a pair takes a millisecond;
 * RSA takes up to seconds of a processor. OpenSSH reads keys of both algorithms from {@code id_rsa}.
 */
final class SshKeyGenerator {
    private static final String TYPE = "ecdsa-sha2-nistp256";

    /** Length of an uncompressed point of P-256: one byte, and two coordinates of 32 bytes each. */
    private static final int POINT_BYTES = 1 + 2 * 32;

    private SshKeyGenerator() {}

    static SshKeys generate() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            KeyPair pair = generator.generateKeyPair();
            String pem = Base64.getMimeEncoder(64, new byte[] {'\n'})
                    .encodeToString(pair.getPrivate().getEncoded());
            byte[] line = line(pair.getPublic().getEncoded());
            return new SshKeys(
                    "-----BEGIN PRIVATE KEY-----\n" + pem + "\n-----END PRIVATE KEY-----\n",
                    TYPE + " " + Base64.getEncoder().encodeToString(line) + "\n");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(
                    "this Java runtime cannot generate keys on the curve secp256r1; use a runtime with the module"
                            + " jdk.crypto.ec",
                    e);
        }
    }

    /**
     * Returns the public key in OpenSSH's format (RFC 5656, 3.1). The point is at the end of the encoded
     * SubjectPublicKeyInfo (RFC 5480).
     */
    private static byte[] line(byte[] encoded) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            field(out, TYPE.getBytes(StandardCharsets.US_ASCII));
            field(out, "nistp256".getBytes(StandardCharsets.US_ASCII));
            field(out, Arrays.copyOfRange(encoded, encoded.length - POINT_BYTES, encoded.length));
        } catch (IOException e) {
            throw new UncheckedIOException("a key could not be written into memory", e);
        }
        return bytes.toByteArray();
    }

    private static void field(DataOutputStream out, byte[] value) throws IOException {
        out.writeInt(value.length);
        out.write(value);
    }
}
