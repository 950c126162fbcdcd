package dev.edl.parquet;

import io.airlift.compress.Decompressor;
import io.airlift.compress.lz4.Lz4Decompressor;
import io.airlift.compress.snappy.SnappyDecompressor;
import io.airlift.compress.zstd.ZstdDecompressor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.zip.GZIPInputStream;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/** Decompressors of pages, all in Java; the library's own need Hadoop and native code. */
final class PageCodecs implements CompressionCodecFactory {
    /** Decompressor of a page to exactly so many bytes. */
    @FunctionalInterface
    private interface Codec {
        byte[] decompress(byte[] page, int size) throws IOException;
    }

    @Override
    public BytesInputDecompressor getDecompressor(CompressionCodecName name) {
        Codec codec = codec(name);
        return new BytesInputDecompressor() {
            @Override
            public BytesInput decompress(BytesInput page, int size) throws IOException {
                return BytesInput.from(codec.decompress(page.toInputStream().readAllBytes(), size));
            }

            @Override
            public void decompress(ByteBuffer page, int pageSize, ByteBuffer into, int size) throws IOException {
                byte[] bytes = new byte[pageSize];
                page.get(bytes);
                into.put(codec.decompress(bytes, size));
            }

            @Override
            public void release() {
                // Nothing is kept.
            }
        };
    }

    private static Codec codec(CompressionCodecName name) {
        return switch (name) {
            case UNCOMPRESSED -> (page, size) -> page;
            case GZIP -> PageCodecs::gunzip;
            case SNAPPY -> with(new SnappyDecompressor());
            case ZSTD -> with(new ZstdDecompressor());
            case LZ4_RAW -> with(new Lz4Decompressor());
            default ->
                throw new IllegalArgumentException("compression " + name
                        + " is not supported; valid are UNCOMPRESSED, SNAPPY, GZIP, ZSTD and LZ4_RAW");
        };
    }

    private static Codec with(Decompressor decompressor) {
        return (page, size) -> {
            byte[] content = new byte[size];
            requireSize(size, decompressor.decompress(page, 0, page.length, content, 0, size));
            return content;
        };
    }

    private static byte[] gunzip(byte[] page, int size) throws IOException {
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(page))) {
            byte[] content = in.readNBytes(size);
            requireSize(size, content.length);
            return content;
        }
    }

    private static void requireSize(int expected, int found) throws IOException {
        if (found != expected) {
            throw new IOException("a page must have " + expected + " bytes when decompressed, was " + found);
        }
    }

    @Override
    public BytesInputCompressor getCompressor(CompressionCodecName name) {
        throw new UnsupportedOperationException("this module writes no files");
    }

    @Override
    public void release() {
        // Nothing is kept.
    }
}
