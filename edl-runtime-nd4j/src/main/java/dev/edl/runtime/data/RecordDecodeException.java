package dev.edl.runtime.data;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Thrown when a decoder rejects an intact record; the message names file and record.
 *
 * <p>For example {@code train-00000: record 17: expected 65 bytes (64 pixels and a label), found 12}.
 */
public final class RecordDecodeException extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient Path file;
    private final long record;

    public RecordDecodeException(Path file, long record, String problem) {
        super(file + ": record " + record + ": " + problem);
        this.file = file;
        this.record = record;
    }

    public RecordDecodeException(Path file, long record, RuntimeException cause) {
        this(file, record, cause instanceof IllegalArgumentException ? "" + cause.getMessage() : cause.toString());
        initCause(cause);
    }

    /** Returns the file that contains the record. */
    public Path file() {
        return file;
    }

    /** Returns the index of the record within the file, from 0. */
    public long record() {
        return record;
    }
}
