package dev.edl.operators.et;

import dev.edl.k8s.render.SshKeys;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.interfaces.RSAPublicKey;
import java.util.Base64;

/** Keys by which the launcher of one job reaches its workers, and no other job's. */
final class EtKeys {
    /** What NIST asks for until 2030 and beyond; the operator's own has 1024. */
    private static final int BITS = 3072;

    private EtKeys() {}

    static SshKeys generate() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(BITS);
            KeyPair pair = generator.generateKeyPair();
            String pem = Base64.getMimeEncoder(64, new byte[] {'\n'})
                    .encodeToString(pair.getPrivate().getEncoded());
            return new SshKeys(
                    "-----BEGIN PRIVATE KEY-----\n" + pem + "\n-----END PRIVATE KEY-----\n",
                    "ssh-rsa " + Base64.getEncoder().encodeToString(line((RSAPublicKey) pair.getPublic())) + "\n");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has RSA", e);
        }
    }

    /** RFC 4253, 6.6. */
    private static byte[] line(RSAPublicKey key) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            field(out, "ssh-rsa".getBytes(StandardCharsets.US_ASCII));
            for (BigInteger number : new BigInteger[] {key.getPublicExponent(), key.getModulus()}) {
                field(out, number.toByteArray());
            }
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
