package dev.edl.runtime.data.tfrecord;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.InflaterInputStream;

/** Compression of a whole TFRecord file, with the names of TensorFlow's {@code TFRecordOptions}. */
public enum TfRecordCompression {
    /** No compression; the only mode whose records can be found without reading the whole file. */
    NONE,
    /** One gzip stream (RFC 1952). */
    GZIP,
    /** One zlib stream (RFC 1950). */
    ZLIB;

    private static final int BUFFER = 1 << 16;

    OutputStream compress(OutputStream out) throws IOException {
        return switch (this) {
            case NONE -> out;
            case GZIP -> new GZIPOutputStream(out, BUFFER);
            case ZLIB -> new DeflaterOutputStream(out);
        };
    }

    InputStream decompress(InputStream in) throws IOException {
        return switch (this) {
            case NONE -> in;
            case GZIP -> new GZIPInputStream(in, BUFFER);
            case ZLIB -> new InflaterInputStream(in);
        };
    }

    /**
     * Detects the compression from a file's first 12 bytes.
     *
     * <p>An uncompressed file starts with a length and its checksum; a compressed file does so by a chance of 1 in 4
     * billion. Anything else counts as uncompressed and is rejected as such.
     */
    static TfRecordCompression of(byte[] start) {
        if (TfRecordFrame.isHeader(start, 0) || start.length < 2) {
            return NONE;
        }
        int first = start[0] & 0xff;
        int second = start[1] & 0xff;
        if (first == 0x1f && second == 0x8b) {
            return GZIP;
        }
        // RFC 1950: method 8 in the low half, and a multiple of 31.
        return (first & 0x0f) == 8 && (first << 8 | second) % 31 == 0 ? ZLIB : NONE;
    }
}
