package dev.edl.runtime.data.recordio;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordIoWriterTest {
    // Both known answers were written by the Go library wangkuiyi/recordio for the records of HELLO.
    private static final String PLAIN = "04030201 148c74a1 00000000 20000000 03000000 05000000 48656c6c6f 06000000"
            + " 576f726c642c 09000000 5265636f7264494f21";
    private static final String SNAPPY = "04030201 af2219b2 01000000 5a000000 03000000 ff060000734e61507059"
            + " 01080000d9c69c4305000000 010900008aeeb9be48656c6c6f 010800001c03ee5506000000"
            + " 010a0000629913bc576f726c642c 01080000a5b1b5a709000000 010d000097a1a5715265636f7264494f21";
    private static final List<String> HELLO = List.of("Hello", "World,", "RecordIO!");

    @TempDir
    Path folder;

    @Test
    void uncompressed_bytes_are_those_of_the_go_library() throws IOException {
        assertThat(write(RecordIoCompression.NONE, 1000, HELLO)).isEqualTo(hex(PLAIN));
    }

    @Test
    void snappy_bytes_are_those_of_the_go_library() throws IOException {
        assertThat(write(RecordIoCompression.SNAPPY, 1000, HELLO)).isEqualTo(hex(SNAPPY));
    }

    @Test
    void snappy_is_what_a_file_gets_unless_told_otherwise() throws IOException {
        Path file = folder.resolve("hello");
        try (RecordIoWriter writer = RecordIoWriter.create(file)) {
            for (String record : HELLO) {
                writer.write(record.getBytes(UTF_8));
            }
        }
        assertThat(file).hasBinaryContent(hex(SNAPPY));
    }

    @Test
    void no_record_is_no_byte() throws IOException {
        assertThat(write(RecordIoCompression.GZIP, 1000, List.of())).isEmpty();
    }

    @Test
    void a_chunk_is_written_when_the_next_record_would_exceed_it() throws IOException {
        byte[] bytes = write(RecordIoCompression.NONE, 10, List.of("aaaaa", "bbbbb", "c"));
        Path file = Files.write(folder.resolve("two"), bytes);
        // Two chunks of 20 bytes of header each; 4 bytes of length a record, which do not count against the limit.
        assertThat(bytes).hasSize(20 + 4 + 5 + 4 + 5 + 20 + 4 + 1);
        assertThat(RecordIoReader.open(file)).hasToString("RecordIoReader[" + file + ": 3 records in 2 chunks]");
    }

    @Test
    void a_record_as_large_as_a_chunk_is_refused() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (RecordIoWriter writer = RecordIoWriter.to(out, RecordIoCompression.NONE, 10)) {
            writer.write(new byte[9]);
            assertThatThrownBy(() -> writer.write(new byte[10]))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the stream: record 1 of 10 bytes must be smaller than a chunk of 10 bytes");
            assertThat(writer).hasToString("RecordIoWriter[the stream: 1 records, NONE]");
        }
        assertThat(out.size()).isEqualTo(20 + 4 + 9);
    }

    @Test
    void a_chunk_of_no_bytes_is_refused() {
        assertThatThrownBy(() -> RecordIoWriter.create(folder.resolve("x"), RecordIoCompression.NONE, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a chunk must have 1 to 536870912 bytes, for example 33554432, was 0");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void a_closed_writer_refuses_records() throws IOException {
        RecordIoWriter writer = RecordIoWriter.to(OutputStream.nullOutputStream(), RecordIoCompression.GZIP, 10);
        writer.close();
        assertThatThrownBy(() -> writer.write(new byte[1]))
                .isInstanceOf(IOException.class)
                .hasMessage("the stream: the RecordIO writer is closed or failed before; nothing can be added");
    }

    @Test
    void a_full_disk_is_reported_once_and_close_writes_nothing() throws IOException {
        FullDisk disk = new FullDisk();
        RecordIoWriter writer = RecordIoWriter.to(disk, RecordIoCompression.NONE, 10);
        writer.write(new byte[9]);
        assertThatThrownBy(() -> writer.write(new byte[9]))
                .isInstanceOf(IOException.class)
                .hasMessage("the stream: cannot write a chunk of 13 bytes: No space left on device");
        writer.close();
        assertThat(disk.attempts).isEqualTo(1);
        assertThat(disk.closed).isTrue();
    }

    private static byte[] write(RecordIoCompression compression, int chunkBytes, List<String> records)
            throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (RecordIoWriter writer = RecordIoWriter.to(out, compression, chunkBytes)) {
            for (String record : records) {
                writer.write(record.getBytes(UTF_8));
            }
        }
        return out.toByteArray();
    }

    private static byte[] hex(String spaced) {
        return HexFormat.of().parseHex(spaced.replace(" ", ""));
    }

    /** Refuses every byte. */
    private static final class FullDisk extends OutputStream {
        private int attempts;
        private boolean closed;

        @Override
        public void write(int b) throws IOException {
            attempts++;
            throw new IOException("No space left on device");
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
