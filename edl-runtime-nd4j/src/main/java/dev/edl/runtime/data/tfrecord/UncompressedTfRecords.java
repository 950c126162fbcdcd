package dev.edl.runtime.data.tfrecord;

import dev.edl.runtime.data.internal.FileView;
import dev.edl.runtime.data.internal.MaskedCrc32c;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Uncompressed TFRecord file; a range is read in place. */
final class UncompressedTfRecords implements TfRecordSource {
    private final FileView file;
    private final TfRecordIndex index;

    UncompressedTfRecords(FileView file, TfRecordIndex index) {
        this.file = file;
        this.index = index;
    }

    @Override
    public long records() {
        return index.records();
    }

    @Override
    public TfRecordCompression compression() {
        return TfRecordCompression.NONE;
    }

    @Override
    public void read(long start, long end, Sink sink) throws IOException {
        if (start == end) {
            return;
        }
        file.checkSize();
        byte[] header = new byte[TfRecordFrame.HEADER];
        long at = index.offset(start);
        for (long record = start - start % TfRecordIndex.STRIDE; record < end; record++) {
            TfRecordPosition position = new TfRecordPosition(file.file(), "", at, record);
            file.slice(at, TfRecordFrame.HEADER).get(header);
            int length = TfRecordFrame.length(header, 0, position, file.size() - at - TfRecordFrame.HEADER);
            if (record >= start) {
                ByteBuffer data = file.slice(at + TfRecordFrame.HEADER, length + TfRecordFrame.FOOTER);
                int expected = data.getInt(length);
                data.limit(length);
                TfRecordFrame.check(MaskedCrc32c.of(data.duplicate()), expected, length, position);
                sink.add(record, data);
            }
            at += TfRecordFrame.HEADER + (long) length + TfRecordFrame.FOOTER;
        }
    }

    @Override
    public void close() {}
}
