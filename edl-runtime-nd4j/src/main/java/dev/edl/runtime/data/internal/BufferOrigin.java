package dev.edl.runtime.data.internal;

import dev.edl.runtime.data.CorruptFileException;
import java.nio.file.Path;

/**
 * File and offset of a buffer, so that a fault in the buffer is reported as a position in the file.
 *
 * @param file the file that was read
 * @param start offset in the file at which the buffer's first byte lies
 */
public record BufferOrigin(Path file, long start) {
    public CorruptFileException corrupt(long at, String expected, String found) {
        return new CorruptFileException(file, start + at, expected, found);
    }
}
