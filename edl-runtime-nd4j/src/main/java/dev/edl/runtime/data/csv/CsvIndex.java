package dev.edl.runtime.data.csv;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Index of the record starts of a CSV file, built in one pass over its bytes; it keeps one offset for 256 records.
 *
 * <p>A record ends at a line end outside quotes. Quotes open as in {@link CsvDataset}'s parser. Blank lines are not
 * records.
 */
final class CsvIndex {
    /** Number of records for which the index stores one offset. */
    static final int STRIDE = 256;

    private static final int BUFFER = 1 << 16;

    private enum State {
        FIELD_START,
        UNQUOTED,
        QUOTED,
        QUOTE_IN_QUOTED,
        AFTER_QUOTED
    }

    private final Path file;
    private final byte separator;
    private long[] offsets = new long[16];
    private long[] lines = new long[16];
    private long records;
    private long size;

    private State state = State.FIELD_START;
    private boolean hasContent;
    private boolean afterReturn;
    private long line = 1;
    private long startOffset;
    private long startLine = 1;

    private CsvIndex(Path file, char separator) {
        this.file = file;
        this.separator = (byte) separator;
    }

    /**
     * Indexes the records of a stream up to its end.
     *
     * @param offset offset in the file at which the stream's first byte lies
     */
    static CsvIndex of(Path file, InputStream in, long offset, char separator) throws IOException {
        CsvIndex index = new CsvIndex(file, separator);
        index.scan(new Utf8Input(file, in, offset), offset);
        return index;
    }

    long records() {
        return records;
    }

    /** Returns the size of the file in bytes. */
    long size() {
        return size;
    }

    /** Returns the file offset of the last record with a stored offset at or before the given record. */
    long offset(long record) {
        return offsets[(int) (record / STRIDE)];
    }

    /** Returns the line, from 1, in which the record at {@link #offset} starts. */
    long line(long record) {
        return lines[(int) (record / STRIDE)];
    }

    private void scan(InputStream in, long offset) throws IOException {
        byte[] buffer = new byte[BUFFER];
        long at = offset;
        startOffset = at;
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
            for (int i = 0; i < count; i++) {
                next(buffer[i], at + i);
            }
            at += count;
        }
        if (state == State.QUOTED) {
            throw CsvFormat.neverClosed(file, startLine);
        }
        end(at);
        size = at;
    }

    private void next(byte b, long at) throws IOException {
        boolean lineFeed = b == '\n';
        if (lineFeed && afterReturn) {
            // Second half of a CRLF that was counted; the next record starts after it.
            afterReturn = false;
            if (state == State.FIELD_START && !hasContent) {
                startOffset = at + 1;
            }
            return;
        }
        afterReturn = b == '\r';
        if (lineFeed || afterReturn) {
            line++;
        }
        if (state == State.QUOTED) {
            if (b == '"') {
                state = State.QUOTE_IN_QUOTED;
            } else {
                hasContent |= !isBlank(b);
            }
            return;
        }
        if (state == State.QUOTE_IN_QUOTED && b == '"') {
            state = State.QUOTED;
            hasContent = true;
        } else if (lineFeed || afterReturn) {
            end(at + 1);
        } else if (b == separator) {
            state = State.FIELD_START;
            hasContent = true;
        } else {
            within(b);
        }
    }

    private void within(byte b) throws IOException {
        switch (state) {
            case FIELD_START -> {
                if (b == '"') {
                    state = State.QUOTED;
                } else if (!isBlank(b)) {
                    state = State.UNQUOTED;
                    hasContent = true;
                }
            }
            case QUOTE_IN_QUOTED, AFTER_QUOTED -> {
                if (!isBlank(b)) {
                    throw new IOException(file + ": line " + line
                            + ": a closing quote must be followed by the separator or the end of the line; a quote"
                            + " within a quoted field is written twice");
                }
                state = State.AFTER_QUOTED;
            }
            case UNQUOTED, QUOTED -> {}
        }
    }

    private void end(long next) throws IOException {
        if (hasContent) {
            keep();
        }
        state = State.FIELD_START;
        hasContent = false;
        startOffset = next;
        startLine = line;
    }

    private void keep() {
        if (records % STRIDE == 0) {
            int slot = Math.toIntExact(records / STRIDE);
            if (slot == offsets.length) {
                offsets = Arrays.copyOf(offsets, Math.multiplyExact(2, slot));
                lines = Arrays.copyOf(lines, offsets.length);
            }
            offsets[slot] = startOffset;
            lines[slot] = startLine;
        }
        records++;
    }

    private static boolean isBlank(byte b) {
        return b >= 0 && b <= ' ';
    }
}
