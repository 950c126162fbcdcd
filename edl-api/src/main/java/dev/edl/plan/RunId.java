package dev.edl.plan;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Run ids derived from content, so that the same job has the same id on every machine. */
final class RunId {
    private static final int SHORT = 4;
    private static final BigInteger SHORT_IDS = BigInteger.valueOf(36L * 36 * 36 * 36);

    private RunId() {}

    /**
     * The first 8 hexadecimal digits of the SHA-256 of the UTF-8 bytes; where the profile's system has run ids in its names, four
     * letters and digits, as there.
     */
    static String of(Profile profile, String content) {
        byte[] hash = sha256(content);
        if (profile == Profile.TFJOB_V1ALPHA1 || profile == Profile.MXJOB_V1BETA1) {
            String digits = new BigInteger(1, hash).mod(SHORT_IDS).toString(36);
            return "0".repeat(SHORT - digits.length()) + digits;
        }
        return HexFormat.of().formatHex(hash, 0, 4);
    }

    private static byte[] sha256(String content) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }
}
