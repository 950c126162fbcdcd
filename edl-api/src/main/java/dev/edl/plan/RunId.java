package dev.edl.plan;

import dev.edl.spec.Digest;
import java.math.BigInteger;

/** Derives run ids from a plan's content, so that the same job has the same run id on every machine. */
final class RunId {
    private static final int SHORT = 4;
    private static final BigInteger SHORT_IDS = BigInteger.valueOf(36L * 36 * 36 * 36);

    private RunId() {}

    /**
     * Returns a run id: the first 8 hexadecimal digits of the SHA-256 of the content's UTF-8 bytes. In profiles whose
     * object names contain the run id, it has four letters and digits, derived from the same SHA-256.
     */
    static String of(Profile profile, String content) {
        if (profile == Profile.TFJOB_V1ALPHA1 || profile == Profile.MXJOB_V1BETA1) {
            String digits =
                    new BigInteger(1, Digest.sha256(content)).mod(SHORT_IDS).toString(36);
            return "0".repeat(SHORT - digits.length()) + digits;
        }
        return Digest.hex8(content);
    }
}
