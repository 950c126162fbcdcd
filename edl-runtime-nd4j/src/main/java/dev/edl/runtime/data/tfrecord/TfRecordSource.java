package dev.edl.runtime.data.tfrecord;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The records of one TFRecord file, by index; plain and compressed files differ in how they are found. */
sealed interface TfRecordSource extends Closeable permits TfRecordPlain, TfRecordStream {
    /** Takes one record after the other. */
    @FunctionalInterface
    interface Sink {
        /** A record is what remains of the buffer, which may be used again after the call. */
        void add(long index, ByteBuffer record) throws IOException;
    }

    long records();

    /** Hands out the records of a range that lies within the file; both checksums of each are checked. */
    void read(long start, long end, Sink sink) throws IOException;

    TfRecordCompression compression();

    /** Frees what is kept between reads. */
    @Override
    void close();
}
