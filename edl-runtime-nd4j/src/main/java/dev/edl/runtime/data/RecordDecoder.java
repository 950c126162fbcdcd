package dev.edl.runtime.data;

import dev.edl.runtime.Batch;
import java.nio.ByteBuffer;

/**
 * Turns the bytes of a record into one row of a batch.
 *
 * <p>Called from several threads at once, each with its own batch, so it must hold no state that changes.
 *
 * <pre>{@code
 * RecordDecoder oneFloat = (record, into) -> {
 *   int row = into.row();
 *   into.features()[row] = ByteBuffer.wrap(record).getFloat();
 * };
 * }</pre>
 *
 * <p>A dataset calls {@link #decode(ByteBuffer, Batch)}; a decoder that overrides it, too, saves the copy of each
 * record.
 */
@FunctionalInterface
public interface RecordDecoder {
    /**
     * Adds exactly one row.
     *
     * @param record the record's bytes, this call's own copy
     * @param into a batch with room for one more record
     * @throws IllegalArgumentException when the bytes are no such record; the message says what was expected and what
     *     was found, the caller adds file and record
     */
    void decode(byte[] record, Batch into);

    /**
     * Adds exactly one row, from bytes where they lie in the file or in a decompressed part of it. Copies them, and
     * calls {@link #decode(byte[], Batch)}, unless overridden.
     *
     * @param record read-only or not to be written; the record is what remains of it, its position is of no meaning
     *     afterwards; little-endian; not to be used when the call is over
     * @param into a batch with room for one more record
     * @throws IllegalArgumentException as the other method
     */
    default void decode(ByteBuffer record, Batch into) {
        byte[] copy = new byte[record.remaining()];
        record.get(copy);
        decode(copy, into);
    }
}
