package dev.edl.runtime.data.tfrecord;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Compressed TFRecord file; records are found by decompressing everything before them.
 *
 * <p>It keeps a few cursors open, so that workers with consecutive ranges do not start from the beginning. Safe for
 * several threads.
 */
final class CompressedTfRecords implements TfRecordSource {
    /** Maximum number of cursors that stay open; each keeps the file open and takes about 200 KiB. */
    static final int KEPT = 4;

    private final Path file;
    private final TfRecordCompression compression;
    private final long records;
    private final Deque<TfRecordCursor> cursors = new ArrayDeque<>();
    private boolean closed;

    private CompressedTfRecords(Path file, TfRecordCompression compression, long records) {
        this.file = file;
        this.compression = compression;
        this.records = records;
    }

    /** Opens a file and counts its records, by reading all of it once and checking all checksums. */
    static CompressedTfRecords open(Path file, TfRecordCompression compression) throws IOException {
        try (TfRecordCursor cursor = new TfRecordCursor(file, compression)) {
            while (cursor.next((index, record) -> {})) {
                // The cursor counts.
            }
            return new CompressedTfRecords(file, compression, cursor.record());
        }
    }

    @Override
    public long records() {
        return records;
    }

    @Override
    public TfRecordCompression compression() {
        return compression;
    }

    @Override
    public void read(long start, long end, Sink sink) throws IOException {
        if (start == end) {
            return;
        }
        TfRecordCursor cursor = take(start);
        boolean usable = false;
        try {
            while (cursor.record() < end) {
                boolean there = cursor.next((index, record) -> {
                    if (index >= start) {
                        sink.add(index, record);
                    }
                });
                if (!there) {
                    throw new IOException(file + ": has become shorter: " + records
                            + " records when it was opened, now " + cursor.record());
                }
            }
            usable = true;
        } finally {
            if (usable) {
                keep(cursor);
            } else {
                cursor.close();
            }
        }
    }

    /** Returns the open cursor that is nearest before a record; if there is none, a new one. */
    private TfRecordCursor take(long start) throws IOException {
        synchronized (this) {
            TfRecordCursor best = nearest(start);
            if (best != null) {
                cursors.remove(best);
                return best;
            }
        }
        return new TfRecordCursor(file, compression);
    }

    private @Nullable TfRecordCursor nearest(long start) {
        TfRecordCursor best = null;
        for (TfRecordCursor cursor : cursors) {
            if (cursor.record() <= start && (best == null || cursor.record() > best.record())) {
                best = cursor;
            }
        }
        return best;
    }

    private void keep(TfRecordCursor cursor) throws IOException {
        TfRecordCursor surplus = cursor;
        synchronized (this) {
            if (!closed) {
                cursors.addLast(cursor);
                surplus = cursors.size() > KEPT ? cursors.removeFirst() : null;
            }
        }
        if (surplus != null) {
            surplus.close();
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        while (!cursors.isEmpty()) {
            try {
                cursors.removeFirst().close();
            } catch (IOException e) {
                throw new UncheckedIOException(file + ": cannot be closed", e);
            }
        }
    }
}
