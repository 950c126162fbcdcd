package dev.edl.runtime.data.csv;

import java.nio.charset.StandardCharsets;

/**
 * The hash that makes ids of texts: 64-bit FNV-1a over the place of the column among all id columns (from 0, one byte of
 * eight bits each for the lowest, the second, the third and the highest) and then the text in UTF-8, mixed by the
 * finalizer of MurmurHash3 ({@code fmix64}). It is the same in every JVM and every release.
 */
final class CsvHash {
    private static final long FNV_START = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    private CsvHash() {}

    /** From 0 to {@code buckets} (exclusive). */
    static long of(int column, String text, long buckets) {
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
