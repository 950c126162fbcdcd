package dev.edl.runtime.data.tfrecord;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.data.CorruptFileException;
import dev.edl.runtime.data.internal.UninterruptibleFileChannel;
import dev.edl.runtime.data.recordio.CountingChannel;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TfRecordReaderTest {
    // Made outside of Java: record_writer.h's rule (u64 length, its masked CRC-32C, data, its masked CRC-32C) written
    // in
    // Python, the CRC bit by bit from the reflected polynomial 82f63b78 and checked by crc32c("123456789") = e3069283;
    // mask(c) = (c >> 15 | c << 17) + a282ead8.
    private static final String KNOWN = "0500000000000000" + "eab2043e" + "48656c6c6f" + "8aeeb9be"
            + "0000000000000000" + "29039807" + "d8ea82a2"
            + "0900000000000000" + "37f97139" + "54465265636f726421" + "c9dfb16b";
    private static final List<String> TEXTS = List.of("Hello", "", "TFRecord!");

    @TempDir
    Path folder;

    @Test
    void the_writer_writes_the_known_bytes() throws IOException {
        Path file = write(TfRecordCompression.NONE);
        assertThat(HexFormat.of().formatHex(Files.readAllBytes(file))).isEqualTo(KNOWN);
    }

    @Test
    void the_reader_reads_the_known_bytes() throws IOException {
        Path file = Files.write(folder.resolve("a"), HexFormat.of().parseHex(KNOWN));
        try (TfRecordReader reader = TfRecordReader.open(file)) {
            assertThat(reader).hasToString("TfRecordReader[" + file + ": 3 records, NONE]");
            assertThat(texts(reader.read(0, 3))).isEqualTo(TEXTS);
            assertThat(texts(reader.read(2, 3))).containsExactly("TFRecord!");
            assertThat(reader.read(3, 3)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(TfRecordCompression.class)
    void what_is_written_is_read_and_its_compression_found(TfRecordCompression compression) throws IOException {
        Path file = write(compression);
        try (TfRecordReader reader = TfRecordReader.open(file)) {
            assertThat(reader.compression()).isEqualTo(compression);
            assertThat(texts(reader.read(1, 3))).containsExactly("", "TFRecord!");
            assertThat(texts(reader.read(0, 3))).isEqualTo(TEXTS);
        }
    }

    @Test
    void a_gzip_and_a_zlib_file_of_python_are_read() throws IOException {
        // gzip.compress(known, mtime=0) and zlib.compress(known) of Python 3 over the bytes above.
        assertThat(readPython("1f8b080000000000020363658080579b58ec3c527372f2bbdeeddc071563d0649ec17ee355d3224e"
                        + "28dffc67a165885b506a727e518ae2c9fb1bb30111b7386a3e000000"))
                .isEqualTo(TEXTS);
        assertThat(readPython("789c63658080579b58ec3c527372f2bbdeeddc071563d0649ec17ee355d3224e28dffc67a165885b"
                        + "506a727e518ae2c9fb1bb301ec491239"))
                .isEqualTo(TEXTS);
    }

    @ParameterizedTest
    @EnumSource(TfRecordCompression.class)
    void a_file_without_records_has_none(TfRecordCompression compression) throws IOException {
        Path file = folder.resolve("empty");
        TfRecordWriter.create(file, compression).close();
        try (TfRecordReader reader = TfRecordReader.open(file)) {
            assertThat(reader.records()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(TfRecordCompression.class)
    void ranges_of_many_records_are_right_in_any_order(TfRecordCompression compression) throws IOException {
        Path file = folder.resolve("many");
        try (TfRecordWriter writer = TfRecordWriter.create(file, compression)) {
            for (int i = 0; i < 300; i++) {
                // From 0 to 2,990 bytes, so that the index hops in both of its ways.
                byte[] record = new byte[10 * (i % 300)];
                Arrays.fill(record, (byte) i);
                writer.write(record);
            }
        }
        try (TfRecordReader reader = TfRecordReader.open(file)) {
            for (int start : new int[] {290, 0, 17, 16, 15, 150, 31}) {
                List<byte[]> some = reader.read(start, start + 10);
                for (int i = 0; i < 10; i++) {
                    byte[] expected = new byte[10 * (start + i)];
                    Arrays.fill(expected, (byte) (start + i));
                    assertThat(some.get(i)).as("record %d", start + i).isEqualTo(expected);
                }
            }
        }
    }

    @Test
    void opening_reads_the_headers_only() throws IOException {
        Path file = folder.resolve("large");
        try (TfRecordWriter writer = TfRecordWriter.create(file)) {
            for (int i = 0; i < 64; i++) {
                writer.write(new byte[1 << 17]);
            }
        }
        try (CountingChannel channel = new CountingChannel(new UninterruptibleFileChannel(file))) {
            TfRecordIndex index = TfRecordIndex.of(file, channel);
            assertThat(index.records()).isEqualTo(64);
            assertThat(channel.size()).isGreaterThan(8 << 20);
            // 12 bytes each, but for the first window of 8 KiB.
            assertThat(channel.bytes()).isEqualTo(8192 + 63 * 12);
        }
    }

    @Test
    void a_wrong_checksum_of_a_length_is_named() throws IOException {
        byte[] bytes = HexFormat.of().parseHex(KNOWN);
        bytes[24] ^= 1;
        Path file = Files.write(folder.resolve("a"), bytes);
        assertThatThrownBy(() -> TfRecordReader.open(file))
                .isInstanceOf(CorruptFileException.class)
                .hasMessage(file + ": record 1, at byte 29: expected the length's masked CRC-32C 07980329,"
                        + " found 5cd0534b over its 8 bytes");
    }

    @Test
    void a_wrong_record_checksum_is_reported_on_read() throws IOException {
        // masked crc32c("Jello") = 450acecf, from the same Python.
        Path file =
                Files.write(folder.resolve("a"), HexFormat.of().parseHex(KNOWN.replace("48656c6c6f", "4a656c6c6f")));
        try (TfRecordReader reader = TfRecordReader.open(file)) {
            assertThat(texts(reader.read(1, 3))).containsExactly("", "TFRecord!");
            assertThatThrownBy(() -> reader.read(0, 1))
                    .isInstanceOf(CorruptFileException.class)
                    .hasMessage(file + ": record 0, at byte 17: expected the record's masked CRC-32C beb9ee8a,"
                            + " found 450acecf over its 5 bytes");
        }
    }

    @Test
    void a_record_that_is_cut_off_is_named() throws IOException {
        Path file = Files.write(folder.resolve("a"), HexFormat.of().parseHex(KNOWN.substring(0, 40)));
        assertThatThrownBy(() -> TfRecordReader.open(file))
                .hasMessage(file + ": record 0, at byte 0: expected a record of 5 bytes and its checksum of 4,"
                        + " found 8 bytes and the end of the file");
    }

    @Test
    void a_compressed_file_that_is_cut_off_is_named() throws IOException {
        Path file = write(TfRecordCompression.GZIP);
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length - 12));
        assertThatThrownBy(() -> TfRecordReader.open(file))
                .isInstanceOf(CorruptFileException.class)
                .hasMessageStartingWith(file + ": GZIP was detected in the first bytes; once decompressed, record ")
                .hasMessageEndingWith(
                        "expected a compressed stream, found invalid bytes: Unexpected end of ZLIB" + " input stream");
    }

    @Test
    void a_text_that_starts_like_a_compressed_file_names_the_compression() throws IOException {
        // RFC 1950: "x^" is 0x785e, which is 31 * 994.
        Path file = Files.writeString(folder.resolve("a"), "x^2 + y^2 = 1, in a text");
        assertThatThrownBy(() -> TfRecordReader.open(file))
                .isInstanceOf(CorruptFileException.class)
                .hasMessageStartingWith(file + ": ZLIB was detected in the first bytes; once decompressed, record 0, at"
                        + " byte 0: expected a compressed stream, found invalid bytes: ");
    }

    @Test
    void a_compressed_text_names_the_compression() throws IOException {
        Path file = folder.resolve("a");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write("no TFRecord file at all".getBytes(UTF_8));
        }
        assertThatThrownBy(() -> TfRecordReader.open(file))
                .isInstanceOf(CorruptFileException.class)
                .hasMessageStartingWith(file + ": GZIP was detected in the first bytes; once decompressed, record 0, at"
                        + " byte 8: expected the length's masked CRC-32C 2064726f,");
    }

    @Test
    void a_text_file_is_refused() throws IOException {
        Path file = Files.writeString(folder.resolve("a"), "no TFRecord file at all");
        assertThatThrownBy(() -> TfRecordReader.open(file))
                .isInstanceOf(CorruptFileException.class)
                .hasMessage(file + ": record 0, at byte 8: expected the length's masked CRC-32C 2064726f,"
                        + " found 4b6e22ca over its 8 bytes");
    }

    @Test
    void a_missing_file_a_directory_and_a_range_beyond_the_end_are_refused() throws IOException {
        Path missing = folder.resolve("nowhere");
        assertThatThrownBy(() -> TfRecordReader.open(missing))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessage(missing + ": there is no such TFRecord file");
        assertThatThrownBy(() -> TfRecordReader.open(folder))
                .hasMessage(folder + ": is a directory; name one TFRecord file in it");
        Path file = write(TfRecordCompression.NONE);
        try (TfRecordReader reader = TfRecordReader.open(file)) {
            assertThatThrownBy(() -> reader.read(1, 4))
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessage(file + ": range [1, 4) is outside its 3 records");
        }
    }

    @Test
    void a_closed_writer_adds_nothing() throws IOException {
        Path file = folder.resolve("a");
        TfRecordWriter writer = TfRecordWriter.create(file);
        writer.write(new byte[1]);
        writer.close();
        assertThat(writer).hasToString("TfRecordWriter[" + file + ": 1 records, NONE]");
        assertThatThrownBy(() -> writer.write(new byte[1]))
                .isInstanceOf(IOException.class)
                .hasMessage(file + ": the TFRecord writer is closed or failed before; nothing can be added");
    }

    @Test
    void an_interrupted_thread_reads_as_any_other() throws IOException {
        Path plain = write(TfRecordCompression.NONE);
        Path gzip = write(TfRecordCompression.GZIP);
        try {
            Thread.currentThread().interrupt();
            for (Path file : List.of(plain, gzip)) {
                try (TfRecordReader reader = TfRecordReader.open(file)) {
                    assertThat(texts(reader.read(0, 3))).isEqualTo(TEXTS);
                }
            }
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            Thread.interrupted();
        }
    }

    private List<String> readPython(String hex) throws IOException {
        Path file = Files.write(folder.resolve("python"), HexFormat.of().parseHex(hex));
        try (TfRecordReader reader = TfRecordReader.open(file)) {
            return texts(reader.read(0, reader.records()));
        }
    }

    private Path write(TfRecordCompression compression) throws IOException {
        Path file = folder.resolve("" + compression);
        try (TfRecordWriter writer = TfRecordWriter.create(file, compression)) {
            for (String text : TEXTS) {
                writer.write(text.getBytes(UTF_8));
            }
        }
        return file;
    }

    private static List<String> texts(List<byte[]> records) {
        return records.stream().map(bytes -> new String(bytes, UTF_8)).toList();
    }
}
