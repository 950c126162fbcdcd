package dev.edl.k8s.internal.record;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Digest by which the job in a record is compared with the expected job. */
final class RecordDigest {
    private RecordDigest() {}

    /** Returns the SHA-256 of a profile and a job, for example {@code sha256:9f86d0…}, with 64 hexadecimal digits. */
    static String of(String profile, String job) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update((profile + "\n").getBytes(StandardCharsets.UTF_8));
            return "sha256:" + HexFormat.of().formatHex(sha.digest(job.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }
}
