package dev.edl.runtime.data;

import dev.edl.runtime.Batch;

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
}
