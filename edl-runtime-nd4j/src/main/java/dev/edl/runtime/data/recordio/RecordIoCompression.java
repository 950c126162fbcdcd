package dev.edl.runtime.data.recordio;

import java.util.Optional;

/** Compression of a RecordIO chunk; the codes are those of the Go library {@code wangkuiyi/recordio}. */
public enum RecordIoCompression {
    /** No compression; the fastest to read. */
    NONE(0),
    /** The Snappy framing format; the writer's default. */
    SNAPPY(1),
    /** One gzip stream; the smallest and the slowest. */
    GZIP(2);

    private final int code;

    RecordIoCompression(int code) {
        this.code = code;
    }

    /** Returns the number that stands for this compression in the third word of a chunk header. */
    int code() {
        return code;
    }

    static Optional<RecordIoCompression> ofCode(int code) {
        for (RecordIoCompression compression : values()) {
            if (compression.code == code) {
                return Optional.of(compression);
            }
        }
        return Optional.empty();
    }
}
