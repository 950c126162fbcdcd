package dev.edl.runtime.data.internal;

import dev.edl.runtime.Batch;
import dev.edl.runtime.data.RecordDecodeException;
import dev.edl.runtime.data.RecordDecoder;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** Lets a decoder add one row for each record of a file, and says which record it was that the decoder refused. */
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
     * Decodes what remains of a buffer.
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
