package dev.edl.runtime.data.tfrecord;

import dev.edl.runtime.data.CorruptFileException;
import java.nio.file.Path;

/**
 * Position of a record in a TFRecord file, for messages.
 *
 * @param part the detected compression when the offset counts decompressed bytes, otherwise empty
 * @param offset offset of the record's header, in bytes
 * @param record index of the record within the file
 */
record TfRecordPosition(Path file, String part, long offset, long record) {
    CorruptFileException corrupt(long at, String expected, String found) {
        return new CorruptFileException(file, offset + at, part + "record " + record + ", ", expected, found);
    }
}
