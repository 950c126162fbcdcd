package dev.edl.runtime.data.tfrecord;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Records of one TFRecord file by index, for plain and for compressed files. */
sealed interface TfRecordSource extends Closeable permits UncompressedTfRecords, CompressedTfRecords {
    /** Receiver of records. */
    @FunctionalInterface
    interface Sink {
        /** Receives a record: the remaining bytes of a buffer that may be reused after the call. */
        void add(long index, ByteBuffer record) throws IOException;
    }

    long records();

    /** Passes the records of a range within the file to a sink; checks both checksums of each record. */
    void read(long start, long end, Sink sink) throws IOException;

    TfRecordCompression compression();

    /** Frees resources that are kept between reads. */
    @Override
    void close();
}
