package dev.edl.runtime.wire.frames;

import dev.edl.runtime.EmbeddingTable;
import dev.edl.runtime.ps.ShardContents;
import dev.edl.runtime.ps.ShardRange;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * What one shard keeps, from which both ends know how long a frame can be.
 *
 * @param tables all embedding tables of the model, in order
 */
record ShardFrameLayout(ShardRange range, int shards, ShardContents contents, List<EmbeddingTable> tables) {
    /** Rows of one frame at most. */
    private static final long ROWS = 256L << 20;

    private static final int NONCE = 32;
    private static final int PROOF = 32;
    private static final int MODEL_TEXT = 400;

    private long floats() {
        return (long) range.length() * Float.BYTES;
    }

    private long rows() {
        return tables.isEmpty() ? 0 : ROWS;
    }

    private static long life() {
        return FrameLimits.TEXT + 2L * Long.BYTES;
    }

    /** The limits of a server until the worker has proved that it knows the token. */
    static long greeting(FrameKind kind) {
        return switch (kind) {
            case HELLO -> NONCE + 4L * FrameLimits.TEXT;
            case PROOF -> PROOF;
            default -> FrameLimits.NONE;
        };
    }

    /** The limits of what a worker asks. */
    long asked(FrameKind kind) {
        return switch (kind) {
            case PULL -> rows();
            case PUSH -> 2L * Long.BYTES + life() + floats() + rows();
            case AWAIT, HELD -> 0;
            default -> FrameLimits.NONE;
        };
    }

    /** The limits of what a server answers. */
    long answered(FrameKind kind) {
        return switch (kind) {
            case CHALLENGE -> NONCE + PROOF;
            case WELCOME -> life();
            case REFUSED, AWAY, ERROR -> FrameLimits.TEXT + Integer.BYTES;
            case VALUES -> life() + floats() + rows();
            case RESULT, ROUND, COUNT -> 0;
            default -> FrameLimits.NONE;
        };
    }

    /** Whether a table's row is one of this shard. */
    boolean owns(long id) {
        return Math.floorMod(id, shards) == range.index();
    }

    /** What both ends have to mean by the model, for people. */
    String model() {
        String text = contents.toString();
        if (text.length() <= MODEL_TEXT) {
            return text;
        }
        CRC32C crc = new CRC32C();
        crc.update(text.getBytes(StandardCharsets.UTF_8));
        return text.substring(0, MODEL_TEXT) + "..., crc32c " + Long.toHexString(crc.getValue());
    }

    /** Which part of the model the shard keeps, for people. */
    String place() {
        return range + " of " + shards;
    }
}
