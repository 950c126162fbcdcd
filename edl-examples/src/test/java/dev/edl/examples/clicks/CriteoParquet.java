package dev.edl.examples.clicks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;

/** Writes lines of Criteo's format as an uncompressed Parquet file; empty fields become nulls. */
final class CriteoParquet {
    private CriteoParquet() {}

    static void write(Path file, List<String> lines) throws IOException {
        StringBuilder fields = new StringBuilder("required int32 label;");
        for (int i = 1; i <= ClickData.NUMERIC; i++) {
            fields.append(" optional int64 I").append(i).append(';');
        }
        for (int i = 1; i <= ClickData.FIELDS; i++) {
            fields.append(" optional binary C").append(i).append(" (STRING);");
        }
        MessageType schema = MessageTypeParser.parseMessageType("message criteo { " + fields + " }");
        SimpleGroupFactory groups = new SimpleGroupFactory(schema);
        try (ParquetWriter<Group> writer = ExampleParquetWriter.builder(new LocalOutputFile(file))
                .withConf(new PlainParquetConfiguration())
                .withCodecFactory(new Uncompressed())
                .withType(schema)
                .build()) {
            for (String line : lines) {
                String[] values = line.split("\t", -1);
                Group group = groups.newGroup().append("label", Integer.parseInt(values[0]));
                for (int i = 1; i < values.length; i++) {
                    if (values[i].isEmpty()) {
                        continue;
                    }
                    if (i <= ClickData.NUMERIC) {
                        group.append("I" + i, Long.parseLong(values[i]));
                    } else {
                        group.append("C" + (i - ClickData.NUMERIC), values[i]);
                    }
                }
                writer.write(group);
            }
        }
    }

    private static final class Uncompressed implements CompressionCodecFactory {
        @Override
        public BytesInputCompressor getCompressor(CompressionCodecName name) {
            return new BytesInputCompressor() {
                @Override
                public BytesInput compress(BytesInput bytes) {
                    return bytes;
                }

                @Override
                public CompressionCodecName getCodecName() {
                    return CompressionCodecName.UNCOMPRESSED;
                }

                @Override
                public void release() {
                    // Nothing is kept.
                }
            };
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
