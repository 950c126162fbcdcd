package dev.edl.operators.controller.internal;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Run ids of the operators of 2017: four letters and digits that distinguish runs of a job. The operators drew them at
 * random. Here they are derived from the object's uid, so that a controller that takes over computes the same id if the
 * previous one crashed before writing it.
 */
public final class LegacyRunIds {
    private static final int LENGTH = 4;
    private static final BigInteger ALL = BigInteger.valueOf(36L * 36 * 36 * 36);

    private LegacyRunIds() {}

    public static String of(String uid) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(uid.getBytes(StandardCharsets.UTF_8));
            String digits = new BigInteger(1, hash).mod(ALL).toString(36);
            return "0".repeat(LENGTH - digits.length()) + digits;
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }
}
