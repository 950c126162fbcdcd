package dev.edl.parquet;

import io.airlift.compress.Compressor;
import io.airlift.compress.lz4.Lz4Compressor;
import io.airlift.compress.snappy.SnappyCompressor;
import io.airlift.compress.zstd.ZstdCompressor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.BiConsumer;
import java.util.zip.GZIPOutputStream;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;

/** Writes Parquet files by parquet-java's example writer. */
final class ParquetFiles {
    private ParquetFiles() {}

    /** Writes rows, uncompressed, in one row group. */
    static Path write(Path file, String fields, int rows, BiConsumer<Group, Integer> fill) throws IOException {
        return write(file, fields, rows, Math.max(1, rows), CompressionCodecName.UNCOMPRESSED, fill);
    }

    /**
     * Writes rows.
     *
     * @param fields fields of the schema, for example {@code required float x;}
     * @param fill fills the row of an index
     */
    static Path write(
            Path file,
            String fields,
            int rows,
            int rowGroup,
            CompressionCodecName codec,
            BiConsumer<Group, Integer> fill)
            throws IOException {
        MessageType schema = MessageTypeParser.parseMessageType("message m { " + fields + " }");
        SimpleGroupFactory groups = new SimpleGroupFactory(schema);
        try (ParquetWriter<Group> writer = ExampleParquetWriter.builder(new LocalOutputFile(file))
                .withConf(new PlainParquetConfiguration())
                .withCodecFactory(new Codecs())
                .withCompressionCodec(codec)
                .withType(schema)
                .withRowGroupRowCountLimit(rowGroup)
                .withWriteMode(ParquetFileWriter.Mode.OVERWRITE)
                .build()) {
            for (int row = 0; row < rows; row++) {
                Group group = groups.newGroup();
                fill.accept(group, row);
                writer.write(group);
            }
        }
        return file;
    }

    private static final class Codecs implements CompressionCodecFactory {
        @Override
        public BytesInputCompressor getCompressor(CompressionCodecName name) {
            return new BytesInputCompressor() {
                @Override
                public BytesInput compress(BytesInput bytes) throws IOException {
                    byte[] in = bytes.toInputStream().readAllBytes();
                    return BytesInput.from(
                            switch (name) {
                                case SNAPPY -> Codecs.compress(new SnappyCompressor(), in);
                                case ZSTD -> Codecs.compress(new ZstdCompressor(), in);
                                case LZ4_RAW -> Codecs.compress(new Lz4Compressor(), in);
                                case GZIP -> gzip(in);
                                default -> in;
                            });
                }

                @Override
                public CompressionCodecName getCodecName() {
                    return name;
                }

                @Override
                public void release() {
                    // Nothing is kept.
                }
            };
        }

        private static byte[] compress(Compressor compressor, byte[] in) {
            byte[] out = new byte[compressor.maxCompressedLength(in.length)];
            return Arrays.copyOf(out, compressor.compress(in, 0, in.length, out, 0, out.length));
        }

        private static byte[] gzip(byte[] in) throws IOException {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
                gzip.write(in);
            }
            return out.toByteArray();
        }

        @Override
        public BytesInputDecompressor getDecompressor(CompressionCodecName name) {
            throw new UnsupportedOperationException("only writes");
        }

        @Override
        public void release() {
            // Nothing is kept.
        }
    }
}
