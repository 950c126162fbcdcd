package dev.edl.runtime.data.tfrecord;

import dev.edl.runtime.data.CorruptFileException;
import java.nio.file.Path;

/**
 * Where a record of a TFRecord file starts, for messages.
 *
 * @param part {@code once decompressed, } when the offset counts decompressed bytes, else empty
 * @param offset of its header, in bytes
 * @param record its index within the file
 */
record TfRecordPlace(Path file, String part, long offset, long record) {
    CorruptFileException corrupt(long at, String expected, String found) {
        return new CorruptFileException(file, offset + at, part + "record " + record + ", ", expected, found);
    }
}
