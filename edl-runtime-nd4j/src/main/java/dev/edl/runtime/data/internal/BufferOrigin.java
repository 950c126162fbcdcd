package dev.edl.runtime.data.internal;

import dev.edl.runtime.data.CorruptFileException;
import java.nio.file.Path;

/**
 * File and offset of a buffer, so that a fault in the buffer is reported as a position in the file.
 *
 * @param file the file that was read
 * @param part beginning of the position in a message, for example {@code once decompressed, }; empty for the file itself
 * @param start offset in the file or part at which the buffer's first byte lies
 */
public record BufferOrigin(Path file, String part, long start) {
    public CorruptFileException corrupt(long at, String expected, String found) {
        return new CorruptFileException(file, start + at, part, expected, found);
    }
}
