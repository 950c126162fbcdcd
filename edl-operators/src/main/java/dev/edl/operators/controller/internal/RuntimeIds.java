package dev.edl.operators.controller.internal;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The four letters and digits by which the operators of 2017 told one run of a job from another. They drew them; here they follow
 * from the object's uid, so that a controller that dies before it has written them finds the same again.
 */
public final class RuntimeIds {
    private static final int LENGTH = 4;
    private static final BigInteger ALL = BigInteger.valueOf(36L * 36 * 36 * 36);

    private RuntimeIds() {}

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
