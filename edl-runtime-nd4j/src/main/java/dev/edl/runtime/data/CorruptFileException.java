package dev.edl.runtime.data;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Thrown when a file violates its format; the message names file, offset, expected and found.
 *
 * <p>For example {@code train-00000: at byte 40: expected the chunk magic 04 03 02 01, found 00 00 00 00}.
 */
public final class CorruptFileException extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient Path file;
    private final long offset;

    /** Creates an exception for a byte of the file, counted from 0. */
    public CorruptFileException(Path file, long offset, String expected, String found) {
        this(file, offset, "", expected, found);
    }

    /** Creates an exception for a byte of a named part of the file, for example {@code entry "bias.npy", }. */
    public CorruptFileException(Path file, long offset, String part, String expected, String found) {
        super(file + ": " + part + "at byte " + offset + ": expected " + expected + ", found " + found);
        this.file = file;
        this.offset = offset;
    }

    /** Returns the corrupt file. */
    public Path file() {
        return file;
    }

    /** Returns the offset of the fault in bytes, from the start of the file, or of the part that the message names. */
    public long offset() {
        return offset;
    }
}
