package dev.edl.runtime.wire.frames;

import dev.edl.runtime.model.EmbeddingTable;
import dev.edl.runtime.ps.ShardContents;
import dev.edl.runtime.ps.ShardRange;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The contents of one shard, from which its server and its clients derive the maximum length of frames.
 *
 * @param tables all embedding tables of the model, in order
 */
record ShardFrameLayout(ShardRange range, int shards, ShardContents contents, List<EmbeddingTable> tables) {
    /** Largest size of the rows of one frame in bytes. */
    private static final long ROWS = 256L << 20;

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

    /** Returns the largest body in bytes of a worker's request of a kind. */
    long asked(FrameKind kind) {
        return switch (kind) {
            case PULL -> rows();
            case PUSH -> 2L * Long.BYTES + life() + floats() + rows();
            case AWAIT, HELD -> 0;
            default -> FrameLimits.NONE;
        };
    }

    /** Returns the largest body in bytes of a server's response of a kind. */
    long answered(FrameKind kind) {
        return switch (kind) {
            case WELCOME -> life();
            case REFUSED, AWAY, ERROR -> FrameLimits.TEXT + Integer.BYTES;
            case VALUES -> life() + floats() + rows();
            case RESULT, ROUND, COUNT -> 0;
            default -> FrameLimits.NONE;
        };
    }

    /** Returns whether a table's row belongs to this shard. */
    boolean owns(long id) {
        return Math.floorMod(id, shards) == range.index();
    }

    /** Returns a readable text of the model, which must be equal at both ends. */
    String model() {
        String text = contents.toString();
        if (text.length() <= MODEL_TEXT) {
            return text;
        }
        CRC32C crc = new CRC32C();
        crc.update(text.getBytes(StandardCharsets.UTF_8));
        return text.substring(0, MODEL_TEXT) + "..., crc32c " + Long.toHexString(crc.getValue());
    }

    /** Returns a readable text of the shard's part of the model. */
    String place() {
        return range + " of " + shards;
    }

    /** Returns the purpose of the connections to this shard's server. */
    Greeting.Purpose purpose(String run) {
        return new Greeting.Purpose(run, place(), "");
    }
}
