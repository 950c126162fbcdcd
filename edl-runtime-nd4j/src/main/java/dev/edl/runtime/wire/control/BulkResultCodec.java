package dev.edl.runtime.wire.control;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * Serialization of results that are too large for a message: models, shards' states and pushes. Reading verifies the
 * bytes. Safe for several threads.
 */
public interface BulkResultCodec {
    /** Returns whether values of a type are serialized here. */
    boolean contains(Class<?> type);

    /** Writes a value. */
    void write(Object value, OutputStream to) throws IOException;

    /** Reads a value of a type. */
    <T> T read(Class<T> type, InputStream from) throws IOException;
}
