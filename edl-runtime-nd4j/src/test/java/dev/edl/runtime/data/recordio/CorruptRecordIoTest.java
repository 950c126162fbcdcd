package dev.edl.runtime.data.recordio;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.data.CorruptFileException;
import dev.edl.runtime.data.internal.UninterruptibleFileChannel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CorruptRecordIoTest {
    private static final long SEED = 42;
    private static final List<byte[]> RECORDS = records();

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void name_the_file() {
        file = folder.resolve("train-00000");
    }

    @Test
    void a_wrong_magic_is_named() {
        expect(hex("1f8b0800000000000000"), 0, "expected the chunk magic 04 03 02 01, found 1f 8b 08 00");
    }

    @Test
    void the_magic_of_a_later_chunk_is_checked_too() throws IOException {
        // The first chunk has 20 bytes of header and two records of 4 + 40 and 4 + 10.
        int second = 78;
        byte[] twice = Arrays.copyOf(Arrays.copyOf(sample(RecordIoCompression.NONE), second), second + 20);
        expect(twice, second, "expected the chunk magic 04 03 02 01, found 00 00 00 00");
    }

    @Test
    void a_header_that_is_cut_off_is_named() {
        expect(
                hex("04030201148c74a100"),
                0,
                "expected a chunk header of 20 bytes, found 9 bytes and the end of the file");
    }

    @Test
    void a_payload_that_is_cut_off_is_named() {
        expect(
                hex("04030201 148c74a1 00000000 20000000 03000000 0500"),
                12,
                "expected a payload of 32 bytes, found 2 bytes and the end of the file");
    }

    @Test
    void a_size_of_gigabytes_allocates_none() {
        expect(
                hex("04030201 148c74a1 00000000 ffffffff 03000000 0500"),
                12,
                "expected a payload of 4294967295 bytes, found 2 bytes and the end of the file");
    }

    @Test
    void a_count_of_billions_allocates_none() {
        expect(
                hex("04030201 148c74a1 00000000 04000000 ffffffff 00000000"),
                16,
                "expected 1 to 1 records in 4 bytes, found 4294967295");
    }

    @Test
    void a_chunk_without_records_is_refused() {
        expect(
                hex("04030201 1cdf4421 00000000 04000000 00000000 00000000"),
                16,
                "expected 1 to 1 records in 4 bytes, found 0");
    }

    @Test
    void an_unknown_compressor_is_named() {
        expect(
                hex("04030201 148c74a1 07000000 02000000 01000000 0500"),
                8,
                "expected a compressor of 0 (none), 1 (snappy) or 2 (gzip), found 7");
    }

    @Test
    void a_checksum_that_does_not_match_is_named() {
        // CRC-32 of four zero bytes is 2144df1c (zlib).
        expect(
                hex("04030201 78563412 00000000 04000000 01000000 00000000"),
                4,
                "expected the payload's CRC-32 12345678, found 2144df1c over its 4 bytes");
    }

    @Test
    void a_record_that_runs_past_its_chunk_is_named() {
        expect(
                chunk(0, 1, hex("09000000 4869")),
                20,
                "expected record 0 of 9 bytes, found 2 bytes and the end of the chunk");
    }

    @Test
    void a_record_length_of_gigabytes_allocates_none() {
        expect(
                chunk(0, 1, hex("ffffffff 4869")),
                20,
                "expected record 0 of 4294967295 bytes, found 2 bytes and the end of the chunk");
    }

    @Test
    void a_record_length_that_is_cut_off_is_named() {
        expect(
                chunk(0, 1, hex("01000000 48 0000")),
                25,
                "expected the length of record 1 in 4 bytes, found 2 bytes and the end of the chunk");
    }

    @Test
    void fewer_records_than_announced_are_named() {
        expect(chunk(0, 2, hex("04000000 48694869")), 16, "expected 2 records in the chunk, found 1");
    }

    @Test
    void more_records_than_announced_are_named() {
        expect(chunk(0, 1, hex("01000000 48 00000000")), 16, "expected 1 records in the chunk, found 2");
    }

    @Test
    void a_snappy_payload_without_its_stream_identifier_is_named() {
        expect(
                chunk(1, 1, hex("01080000d9c69c4305000000")),
                20,
                "expected the Snappy stream identifier, found 01 08 00 00 d9 c6 9c 43 05 00");
    }

    @Test
    void a_snappy_frame_with_a_wrong_checksum_is_named() {
        // The frame of the known answer with a wrong checksum; the right one is 439cc6d9.
        expect(
                chunk(1, 1, hex("ff060000734e61507059 01080000 00000000 05000000")),
                34,
                "expected the frame checksum 00000000, found 439cc6d9 in its data");
    }

    @Test
    void a_snappy_frame_that_is_cut_off_is_named() {
        expect(
                chunk(1, 1, hex("ff060000734e61507059 01080000 d9c69c43 0500")),
                30,
                "expected a Snappy frame of 8 bytes, found 6 bytes and the end of the chunk");
    }

    @Test
    void a_snappy_frame_of_a_reserved_type_is_named() {
        expect(
                chunk(1, 1, hex("ff060000734e61507059 02000000")),
                30,
                "expected a Snappy frame of type 00, 01 or 80 to ff, found type 02");
    }

    @Test
    void a_snappy_block_that_claims_gigabytes_allocates_none() {
        expect(
                chunk(1, 1, hex("ff060000734e61507059 00090000 d9c69c43 ffffffff0f")),
                30,
                "expected a frame of at most 65536 bytes, found 2147483647");
    }

    @Test
    void a_snappy_block_of_garbage_is_named() {
        expect(
                chunk(1, 1, hex("ff060000734e61507059 00070000 d9c69c43 05f0f0")),
                38,
                "expected a Snappy block, found invalid bytes");
    }

    @Test
    void snappy_padding_frames_are_skipped() throws IOException {
        // Padding (fe) and an unknown skippable frame (80) may stand anywhere; see the framing format, section 4.4f.
        byte[] payload = hex(
                "ff060000734e61507059 fe020000aaaa 01080000d9c69c4305000000 80000000" + " 010900008aeeb9be48656c6c6f");
        Files.write(file, chunk(1, 1, payload));
        assertThat(RecordIoReader.open(file).read(0)).isEqualTo("Hello".getBytes(UTF_8));
    }

    @Test
    void a_gzip_payload_that_is_none_is_named() {
        expect(chunk(2, 1, hex("0001020304")), 20, "expected a gzip stream, found invalid bytes: Not in GZIP format");
    }

    @Test
    void the_look_alike_format_is_told_apart() {
        // The first chunk of recordio/tensorflow_op/python/test_data/test_data_with_snappy_compression in
        // elasticdl/pyrecordio, written by its version 0.0.2: china, usa, russia.
        expect(
                hex("04030201 03000000 7b6c7469 02000000 1c000000"
                        + " 1a64 05000000 6368696e61 03000000 757361 06000000 727573736961"),
                0,
                "expected a RecordIO chunk of pyrecordio 0.0.6 or later, found one of elasticdl/pyrecordio 0.0.2,"
                        + " an incompatible format with the same magic; convert the file with pyrecordio 0.0.6 or later,"
                        + " or with RecordIoWriter");
    }

    @ParameterizedTest
    @EnumSource(RecordIoCompression.class)
    void a_truncated_file_is_rejected_or_ends_at_a_chunk(RecordIoCompression compression) throws IOException {
        byte[] whole = sample(compression);
        for (int length = 0; length < whole.length; length++) {
            List<byte[]> read = readOrNull(Arrays.copyOf(whole, length));
            if (read != null) {
                assertThat(read)
                        .as("cut to %d bytes", length)
                        .usingElementComparator(Arrays::compare)
                        .containsExactlyElementsOf(RECORDS.subList(0, read.size()));
                assertThat(read).as("cut to %d bytes", length).hasSizeLessThan(RECORDS.size());
            }
        }
    }

    @ParameterizedTest
    @EnumSource(RecordIoCompression.class)
    void a_flipped_bit_is_rejected_or_read_correctly(RecordIoCompression compression) throws IOException {
        byte[] whole = sample(compression);
        for (int bit = 0; bit < whole.length * 8; bit++) {
            byte[] flipped = whole.clone();
            flipped[bit / 8] ^= (byte) (1 << (bit % 8));
            assertRefusedOrRight(flipped, "bit " + bit);
        }
    }

    @ParameterizedTest
    @EnumSource(RecordIoCompression.class)
    void replaced_bytes_are_rejected_or_read_correctly(RecordIoCompression compression) throws IOException {
        byte[] whole = sample(compression);
        Random random = new Random(SEED);
        for (int round = 0; round < 2_000; round++) {
            byte[] mutated = whole.clone();
            for (int i = random.nextInt(8); i >= 0; i--) {
                mutated[random.nextInt(mutated.length)] = (byte) random.nextInt(256);
            }
            assertRefusedOrRight(mutated, "seed " + SEED + ", round " + round);
        }
    }

    @ParameterizedTest
    @EnumSource(RecordIoCompression.class)
    void garbage_under_a_right_checksum_is_refused_or_read(RecordIoCompression compression) throws IOException {
        byte[] whole = sample(compression);
        int stored = ByteBuffer.wrap(whole).order(ByteOrder.LITTLE_ENDIAN).getInt(12);
        Random random = new Random(SEED);
        for (int round = 0; round < 2_000; round++) {
            byte[] payload = Arrays.copyOfRange(whole, 20, 20 + stored);
            for (int i = random.nextInt(4); i >= 0; i--) {
                payload[random.nextInt(payload.length)] = (byte) random.nextInt(256);
            }
            // Nothing protects the payload here; only the type of exception is asserted.
            List<byte[]> read = readOrNull(chunk(compression.code(), 2, payload));
            if (read != null) {
                assertThat(read).as("seed %d, round %d", SEED, round).hasSize(2);
            }
        }
    }

    private void assertRefusedOrRight(byte[] bytes, String what) throws IOException {
        List<byte[]> read = readOrNull(bytes);
        if (read != null) {
            assertThat(read).as(what).usingElementComparator(Arrays::compare).containsExactlyElementsOf(RECORDS);
        }
    }

    /** Returns all records, or null if the bytes are rejected as corrupt; any other exception fails the test. */
    private @Nullable List<byte[]> readOrNull(byte[] bytes) throws IOException {
        List<byte[]> records = new ArrayList<>();
        try (BytesChannel channel = new BytesChannel(bytes)) {
            for (RecordIoChunk chunk : RecordIoIndex.of(file, channel)) {
                byte[] stored =
                        UninterruptibleFileChannel.exactly(file, channel, chunk.payloadOffset(), chunk.storedSize());
                RecordIoPayload payload = RecordIoPayload.decode(file, chunk, ByteBuffer.wrap(stored));
                for (long i = chunk.firstRecord(); i < chunk.endRecord(); i++) {
                    records.add(payload.record(i));
                }
            }
            return records;
        } catch (CorruptFileException e) {
            assertThat(e.file()).isEqualTo(file);
            return null;
        }
    }

    private void expect(byte[] bytes, long offset, String problem) {
        assertThatThrownBy(() -> {
                    Files.write(file, bytes);
                    RecordIoReader.open(file).read(0);
                })
                .isInstanceOfSatisfying(
                        CorruptFileException.class, e -> assertThat(e.offset()).isEqualTo(offset))
                .hasMessage(file + ": at byte " + offset + ": " + problem);
    }

    /** A chunk whose checksum is right. */
    private static byte[] chunk(int compressor, int records, byte[] payload) {
        CRC32 crc = new CRC32();
        crc.update(payload);
        return ByteBuffer.allocate(20 + payload.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(0x01020304)
                .putInt((int) crc.getValue())
                .putInt(compressor)
                .putInt(payload.length)
                .putInt(records)
                .put(payload)
                .array();
    }

    /** Two records in a first chunk, one in a second. */
    private static byte[] sample(RecordIoCompression compression) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (RecordIoWriter writer = RecordIoWriter.to(out, compression, 60)) {
            for (byte[] record : RECORDS) {
                writer.write(record);
            }
        }
        return out.toByteArray();
    }

    private static List<byte[]> records() {
        List<byte[]> records = new ArrayList<>();
        records.add(new byte[40]);
        records.add("some bytes".getBytes(UTF_8));
        records.add("and some more of them".getBytes(UTF_8));
        return records;
    }

    private static byte[] hex(String spaced) {
        return HexFormat.of().parseHex(spaced.replace(" ", ""));
    }
}
