package dev.edl.runtime.data;

import java.nio.charset.StandardCharsets;

/**
 * Hash of texts to ids: 64-bit FNV-1a, finished by MurmurHash3's {@code fmix64}.
 *
 * <p>The input is the index of the column among all id columns (from 0, in four bytes, little-endian), and then the
 * text in UTF-8. The hash is the same in every JVM and every release.
 */
public final class IdHash {
    private static final long FNV_START = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    private IdHash() {}

    /** Returns the id of a column's text, from 0 to {@code buckets} (exclusive). */
    public static long of(int column, String text, long buckets) {
        long hash = FNV_START;
        for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
            hash = (hash ^ (column >>> shift & 0xff)) * FNV_PRIME;
        }
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (b & 0xff)) * FNV_PRIME;
        }
        hash = (hash ^ hash >>> 33) * 0xff51afd7ed558ccdL;
        hash = (hash ^ hash >>> 33) * 0xc4ceb9fe1a85ec53L;
        return Long.remainderUnsigned(hash ^ hash >>> 33, buckets);
    }
}
