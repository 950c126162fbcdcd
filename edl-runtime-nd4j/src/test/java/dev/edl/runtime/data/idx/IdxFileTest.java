package dev.edl.runtime.data.idx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.data.CorruptFileException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class IdxFileTest {
    private static final long SEED = 42;

    @TempDir
    Path folder;

    @Test
    void the_known_bytes_of_a_label_file_are_written_and_read() throws IOException {
        // The head of train-labels-idx1-ubyte as the MNIST database's page describes it: magic 00000801, the count, the
        // labels; here with 3 of them.
        byte[] known = HexFormat.of().parseHex("00000801" + "00000003" + "050004");
        Path file = folder.resolve("labels");
        IdxFile.write(file, IdxType.UNSIGNED_BYTE, List.of(3), 5, 0, 4);
        assertThat(file).hasBinaryContent(known);
        try (IdxFile labels = IdxFile.open(file)) {
            assertThat(labels).hasToString("IdxFile[" + file + ": 3 UNSIGNED_BYTE]");
            assertThat(labels.read(1, 3)).containsExactly(0, 4);
        }
    }

    @Test
    void each_type_is_big_endian() throws IOException {
        // struct.pack(">BbhifdBbhifd"...) of Python, two records of each type.
        assertThat(read("00000802" + "00000002" + "00000001" + "ff07")).containsExactly(255, 7);
        assertThat(read("00000902" + "00000002" + "00000001" + "ff07")).containsExactly(-1, 7);
        assertThat(read("00000b01" + "00000002" + "fffe0102")).containsExactly(-2, 258);
        assertThat(read("00000c01" + "00000002" + "8000000000000102")).containsExactly(Integer.MIN_VALUE, 258);
        assertThat(read("00000d01" + "00000002" + "bfa000003f000000")).containsExactly(-1.25, 0.5);
        assertThat(read("00000e01" + "00000001" + "3fb999999999999a")).containsExactly(0.1);
    }

    @ParameterizedTest
    @EnumSource(IdxType.class)
    void what_is_written_is_read_plain_and_gzip(IdxType type) throws IOException {
        double[] values = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, type == IdxType.DOUBLE ? 0.1 : 127};
        for (String name : List.of("a", "a.gz")) {
            Path file = folder.resolve(name);
            IdxFile.write(file, type, List.of(3, 2, 2), values);
            for (int inMemory : new int[] {1 << 20, 20}) {
                try (IdxFile read = IdxFile.open(file, inMemory)) {
                    assertThat(read.type()).isEqualTo(type);
                    assertThat(read.shape()).containsExactly(3, 2, 2);
                    assertThat(read.read(0, 3)).containsExactly(values);
                    assertThat(read.read(1, 2)).containsExactly(4, 5, 6, 7);
                }
            }
        }
    }

    @Test
    void a_file_larger_than_memory_is_opened_and_read_at_its_end() throws IOException {
        Path file = folder.resolve("sparse");
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.write(HexFormat.of().parseHex("00000803" + "00800000" + "00000020" + "00000020"));
            // 8,388,608 records of 1,024 bytes: 8 GiB, which take no room on the disk.
            bytes.setLength(16 + (8L << 30));
            bytes.seek(16 + (8L << 30) - 1024);
            bytes.write(7);
        }
        try (IdxFile read = IdxFile.open(file)) {
            assertThat(read.records()).isEqualTo(8_388_608);
            assertThat(read.read(8_388_607, 8_388_608)).startsWith(7, 0).hasSize(1024);
        }
    }

    @Test
    void a_temporary_file_goes_with_the_closing() throws IOException {
        Path file = folder.resolve("a.gz");
        IdxFile.write(file, IdxType.INT, List.of(3), 1, 2, 3);
        IdxContent content = IdxContent.open(file, 17);
        Path temporary = content.view().file();
        assertThat(temporary).hasSize(20);
        content.close();
        assertThat(temporary).doesNotExist();
    }

    @Test
    void a_head_that_is_none_is_named() throws IOException {
        refuse("000008", "at byte 0: expected an IDX header of 4 bytes, found 3 bytes and the end of the file");
        refuse(
                "00000a0100000000",
                "at byte 0: expected 00 00 and an element type of 08, 09, 0b, 0c, 0d or 0e, found" + " 00 00 0a");
        refuse("00000800", "at byte 3: expected 1 to 255 dimensions, found 0");
        refuse(
                "0000080200000001",
                "at byte 4: expected 2 dimensions of 4 bytes each, found 4 bytes and the end of the" + " file");
        refuse("00000801ffffffff", "at byte 4: expected a dimension of at most 2147483647, found 4294967295");
        refuse(
                "00000803000000017fffffff7fffffff",
                "at byte 8: expected records of at most 1073741824 bytes, found 1 x 2147483647 x 2147483647"
                        + " UNSIGNED_BYTE");
    }

    @Test
    void a_file_of_another_size_than_announced_is_named() throws IOException {
        refuse("000008010000000305", "at byte 9: expected a file of 11 bytes for 3 UNSIGNED_BYTE, found 9 bytes");
        refuse("00000801000000010506", "at byte 9: expected a file of 9 bytes for 1 UNSIGNED_BYTE, found 10 bytes");
        refuse(
                "000008027fffffff3fffffff",
                "at byte 12: expected a file of 2305843005992468493 bytes for 2147483647 x 1073741823 UNSIGNED_BYTE,"
                        + " found 12 bytes");
    }

    @ParameterizedTest
    @ValueSource(ints = {1 << 20, 20})
    void a_gzip_file_of_wrong_content_size_is_reported(int inMemory) throws IOException {
        String unzipped = "gzip was detected in the first bytes; once decompressed, ";
        byte[] more = new byte[100];
        System.arraycopy(HexFormat.of().parseHex("0000080100000040"), 0, more, 0, 8);
        Path file = Files.write(folder.resolve("a.gz"), gzip(more));
        assertThatThrownBy(() -> IdxFile.open(file, inMemory))
                .isInstanceOf(CorruptFileException.class)
                .hasMessage(file + ": " + unzipped
                        + "at byte 72: expected a file of 72 bytes for 64 UNSIGNED_BYTE, found 100 bytes");
        Files.write(file, gzip(Arrays.copyOf(more, 50)));
        assertThatThrownBy(() -> IdxFile.open(file, inMemory))
                .isInstanceOf(CorruptFileException.class)
                .hasMessage(file + ": " + unzipped
                        + "at byte 50: expected a file of 72 bytes for 64 UNSIGNED_BYTE, found 50 bytes");
        Files.write(file, Arrays.copyOf(gzip(more), 20));
        assertThatThrownBy(() -> IdxFile.open(file, inMemory))
                .isInstanceOf(CorruptFileException.class)
                .hasMessage(file
                        + ": gzip was detected in the first bytes; at byte 0: expected a gzip stream, found invalid bytes: Unexpected end of"
                        + " ZLIB input stream");
    }

    @Test
    void a_gzip_file_of_another_format_names_the_compression() throws IOException {
        Path file = Files.write(folder.resolve("a.gz"), gzip("a,b\n1,2\n".getBytes(StandardCharsets.UTF_8)));
        for (int inMemory : new int[] {1 << 20, 4}) {
            assertThatThrownBy(() -> IdxFile.open(file, inMemory))
                    .isInstanceOf(CorruptFileException.class)
                    .hasMessage(file + ": gzip was detected in the first bytes; once decompressed, at byte 0: expected"
                            + " 00 00 and an element type of 08, 09, 0b, 0c, 0d or 0e, found 61 2c 62");
        }
    }

    @Test
    void truncated_or_changed_files_are_rejected_or_read() throws IOException {
        for (byte[] whole : List.of(known(), gzip(known()))) {
            Random random = new Random(SEED);
            for (int at = 0; at < whole.length; at++) {
                tryToRead(Arrays.copyOf(whole, at), "cut to " + at);
                byte[] mutated = whole.clone();
                for (int round = 0; round < 8; round++) {
                    mutated[at] = (byte) random.nextInt(256);
                    tryToRead(mutated, "seed " + SEED + ", byte " + at + " is " + mutated[at]);
                }
            }
        }
    }

    @Test
    void what_cannot_be_written_is_refused() {
        Path file = folder.resolve("a");
        assertThatThrownBy(() -> IdxFile.write(file, IdxType.UNSIGNED_BYTE, List.of(1), 256))
                .hasMessage(file + ": value 0 is not of type UNSIGNED_BYTE, was 256.0");
        assertThatThrownBy(() -> IdxFile.write(file, IdxType.INT, List.of(1), 0.5))
                .hasMessage(file + ": value 0 is not of type INT, was 0.5");
        assertThatThrownBy(() -> IdxFile.write(file, IdxType.FLOAT, List.of(2, 2), 1))
                .hasMessage(file + ": 2 x 2 FLOAT needs 4 values, was 1");
        assertThatThrownBy(() -> IdxFile.write(file, IdxType.FLOAT, List.of()))
                .hasMessage(
                        file + ": must have 1 to 255 dimensions of at least 0, for example [60000, 28, 28], was []");
    }

    @Test
    void a_range_beyond_the_end_and_a_closed_file_are_refused() throws IOException {
        Path file = Files.write(folder.resolve("a"), known());
        IdxFile read = IdxFile.open(file);
        assertThatThrownBy(() -> read.read(1, 3))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessage(file + ": range [1, 3) is outside its 2 records");
        read.close();
        assertThatThrownBy(() -> read.read(0, 1)).hasMessage(file + ": is closed");
    }

    private void tryToRead(byte[] bytes, String what) throws IOException {
        Path file = Files.write(folder.resolve("mutated"), bytes);
        try (IdxFile read = IdxFile.open(file)) {
            assertThat(read.read(0, read.records())).as(what).hasSizeLessThanOrEqualTo(100);
        } catch (CorruptFileException e) {
            assertThat(e.file()).as(what).isEqualTo(file);
        }
    }

    private double[] read(String hex) throws IOException {
        Path file = Files.write(folder.resolve("a"), HexFormat.of().parseHex(hex));
        try (IdxFile read = IdxFile.open(file)) {
            return read.read(0, read.records());
        }
    }

    private void refuse(String hex, String problem) throws IOException {
        Path file = Files.write(folder.resolve("a"), HexFormat.of().parseHex(hex));
        assertThatThrownBy(() -> IdxFile.open(file))
                .isInstanceOf(CorruptFileException.class)
                .hasMessage(file + ": " + problem);
    }

    /** Two records of 2 x 3 shorts. */
    private static byte[] known() {
        ByteBuffer bytes = ByteBuffer.allocate(16 + 24);
        bytes.putInt(0x00000b03).putInt(2).putInt(2).putInt(3);
        for (int i = 0; i < 12; i++) {
            bytes.putShort((short) i);
        }
        return bytes.array();
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(compressed)) {
            out.write(bytes);
        }
        return compressed.toByteArray();
    }
}
