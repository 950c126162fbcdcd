package dev.edl.runtime.data.internal;

import dev.edl.runtime.Batch;
import dev.edl.runtime.data.RecordDecodeException;
import dev.edl.runtime.data.RecordDecoder;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** Adds one row for each record of a file through a decoder; the exception of a rejected record names it. */
public final class RecordRows {
    private final RecordDecoder decoder;
    private final Path file;
    private final Batch into;

    public RecordRows(RecordDecoder decoder, Path file, Batch into) {
        this.decoder = decoder;
        this.file = file;
        this.into = into;
    }

    /**
     * Decodes the remaining bytes of a buffer.
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
