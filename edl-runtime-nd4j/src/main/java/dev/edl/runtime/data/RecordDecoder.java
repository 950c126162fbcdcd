package dev.edl.runtime.data;

import dev.edl.runtime.model.Batch;
import java.nio.ByteBuffer;

/**
 * Decoder of the bytes of a record into one row of a batch.
 *
 * <p>Called from several threads at once, each with its own batch, so it must have no mutable state.
 *
 * <pre>{@code
 * RecordDecoder oneFloat = (record, into) -> {
 *   int row = into.row();
 *   into.features()[row] = ByteBuffer.wrap(record).getFloat();
 * };
 * }</pre>
 *
 * <p>A dataset calls {@link #decode(ByteBuffer, Batch)}; a decoder that also overrides it avoids a copy of each record.
 */
@FunctionalInterface
public interface RecordDecoder {
    /**
     * Decodes a record and adds exactly one row to the batch.
     *
     * @param record the record's bytes, this call's own copy
     * @param into a batch with capacity for one more record
     * @throws IllegalArgumentException when the bytes are invalid; the message contains expected and found, and the
     *     caller adds file and record
     */
    void decode(byte[] record, Batch into);

    /**
     * Decodes a record and adds exactly one row; the buffer is a view of the file or of its decompressed content.
     *
     * <p>By default it copies them and calls {@link #decode(byte[], Batch)}.
     *
     * @param record the remaining bytes are the record; little-endian; must not be written, or used after the call; its
     *     position after the call is irrelevant
     * @param into a batch with capacity for one more record
     * @throws IllegalArgumentException when the bytes are invalid, as in {@link #decode(byte[], Batch)}
     */
    default void decode(ByteBuffer record, Batch into) {
        byte[] copy = new byte[record.remaining()];
        record.get(copy);
        decode(copy, into);
    }
}
