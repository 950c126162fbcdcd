package dev.edl.runtime.data.tfrecord;

import dev.edl.runtime.data.CorruptFileException;
import dev.edl.runtime.data.internal.UninterruptibleFileChannel;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Index of the record starts of an uncompressed TFRecord file; it keeps one offset in 16.
 *
 * <p>It reads header after header and skips payloads. For small records it reads windows of 8 KiB.
 */
final class TfRecordIndex {
    /** Number of records for which the index stores one offset. */
    static final int STRIDE = 16;

    private static final int WINDOW = 8 << 10;
    private static final int SMALL = 1 << 10;

    private final Path file;
    private final SeekableByteChannel channel;
    private final long size;
    private long[] offsets = new long[16];
    private long records;
    private byte[] window = {};
    private long windowStart;

    private TfRecordIndex(Path file, SeekableByteChannel channel) throws IOException {
        this.file = file;
        this.channel = channel;
        this.size = channel.size();
    }

    static TfRecordIndex of(Path file, SeekableByteChannel channel) throws IOException {
        TfRecordIndex index = new TfRecordIndex(file, channel);
        index.hop();
        return index;
    }

    long records() {
        return records;
    }

    /** Returns the header offset of the last record with a stored offset at or before the given record. */
    long offset(long record) {
        return offsets[(int) (record / STRIDE)];
    }

    private void hop() throws IOException {
        long length = 0;
        for (long at = 0; at < size; at += TfRecordFrame.HEADER + length + TfRecordFrame.FOOTER) {
            TfRecordPosition position = new TfRecordPosition(file, "", at, records);
            if (size - at < TfRecordFrame.HEADER) {
                throw position.corrupt(0, "a header of 12 bytes", (size - at) + " bytes and the end of the file");
            }
            if (at - windowStart + TfRecordFrame.HEADER > window.length) {
                int wanted = length < SMALL ? WINDOW : TfRecordFrame.HEADER;
                window = UninterruptibleFileChannel.exactly(file, channel, at, (int) Math.min(wanted, size - at));
                windowStart = at;
            }
            length = TfRecordFrame.length(window, (int) (at - windowStart), position, size - at - TfRecordFrame.HEADER);
            if (records % STRIDE == 0) {
                keep(at);
            }
            records++;
        }
    }

    private void keep(long offset) throws CorruptFileException {
        int slot = Math.toIntExact(records / STRIDE);
        if (slot == offsets.length) {
            offsets = Arrays.copyOf(offsets, Math.multiplyExact(2, slot));
        }
        offsets[slot] = offset;
    }
}
