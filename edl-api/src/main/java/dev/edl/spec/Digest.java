package dev.edl.spec;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Digests of texts for derived names and ids; the same on every machine. */
public final class Digest {
    private Digest() {}

    /** Returns the SHA-256 of the text's UTF-8 bytes. */
    public static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }

    /** Returns the first 8 hexadecimal digits of {@link #sha256}. */
    public static String hex8(String text) {
        return HexFormat.of().formatHex(sha256(text), 0, 4);
    }
}
