package dev.edl.runtime.data.internal;

import dev.edl.runtime.data.RecordDecodeException;
import dev.edl.runtime.data.RecordDecoder;
import dev.edl.runtime.model.Batch;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * Decodes the records of a file and adds one row to a batch for each; the exception for a rejected record names the
 * file and record.
 */
public final class RecordRowDecoder {
    private final RecordDecoder decoder;
    private final Path file;
    private final Batch into;

    public RecordRowDecoder(RecordDecoder decoder, Path file, Batch into) {
        this.decoder = decoder;
        this.file = file;
        this.into = into;
    }

    /**
     * Decodes a record, which is the buffer's remaining bytes, and adds its row to the batch.
     *
     * @param index the record's index within the file
     */
    public void add(long index, ByteBuffer record) throws RecordDecodeException {
        int before = into.size();
        try {
            decoder.decode(record, into);
        } catch (RuntimeException e) {
            throw new RecordDecodeException(file, index, e);
        }
        if (into.size() != before + 1) {
            throw new RecordDecodeException(
                    file, index, "the decoder must add 1 row to the batch, added " + (into.size() - before));
        }
    }
}
