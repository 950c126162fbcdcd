package dev.edl.runtime.data.tfrecord;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.data.CorruptFileException;
import dev.edl.runtime.data.internal.MaskedCrc32c;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CorruptTfRecordTest {
    private static final long SEED = 42;
    private static final List<byte[]> RECORDS = List.of(new byte[40], new byte[0], new byte[] {1, 2, 3, 4, 5});

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(TfRecordCompression.class)
    void a_truncated_file_is_rejected_or_ends_at_a_record(TfRecordCompression compression) throws IOException {
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
    @EnumSource(TfRecordCompression.class)
    void a_replaced_byte_is_rejected_or_read_correctly(TfRecordCompression compression) throws IOException {
        byte[] whole = sample(compression);
        Random random = new Random(SEED);
        for (int at = 0; at < whole.length; at++) {
            for (int round = 0; round < 4; round++) {
                byte[] mutated = whole.clone();
                mutated[at] ^= (byte) (1 + random.nextInt(255));
                List<byte[]> read = readOrNull(mutated);
                if (read != null) {
                    // A gzip header without a checksum can, if changed, only truncate the content undetected.
                    assertThat(read)
                            .as("seed %d, byte %d", SEED, at)
                            .usingElementComparator(Arrays::compare)
                            .containsExactlyElementsOf(RECORDS);
                }
            }
        }
    }

    @Test
    void a_length_of_exabytes_with_valid_checksum_allocates_nothing() throws IOException {
        for (long length : new long[] {-1, Long.MAX_VALUE, (1L << 30) + 1}) {
            Path file = Files.write(folder.resolve("a"), header(length));
            assertThatThrownBy(() -> TfRecordReader.open(file))
                    .isInstanceOf(CorruptFileException.class)
                    .hasMessage(file + ": record 0, at byte 0: expected a record of at most 1073741824 bytes, found "
                            + Long.toUnsignedString(length));
        }
    }

    @ParameterizedTest
    @EnumSource(TfRecordCompression.class)
    void a_length_of_a_gibibyte_without_data_allocates_nothing(TfRecordCompression compression) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = compression.compress(bytes)) {
            out.write(header(1 << 30));
        }
        Path file = Files.write(folder.resolve("a"), bytes.toByteArray());
        assertThatThrownBy(() -> TfRecordReader.open(file))
                .isInstanceOf(CorruptFileException.class)
                .hasMessageEndingWith("at byte 0: expected a record of 1073741824 bytes and its checksum of 4, found 0"
                        + " bytes and the end of the file");
    }

    @Test
    void a_damaged_example_is_rejected_or_read() {
        byte[] whole = TfExample.builder()
                .floats("image", 1, 2, 3)
                .int64s("label", 7, -1)
                .bytes("raw", new byte[] {1, 2})
                .build()
                .toBytes();
        for (int at = 0; at < whole.length; at++) {
            for (int value = 0; value < 256; value++) {
                byte[] mutated = whole.clone();
                mutated[at] = (byte) value;
                parse(mutated, "byte " + at + " is " + value);
            }
            parse(Arrays.copyOf(whole, at), "cut to " + at + " bytes");
        }
        Random random = new Random(SEED);
        for (int round = 0; round < 20_000; round++) {
            byte[] mutated = whole.clone();
            for (int i = random.nextInt(6); i >= 0; i--) {
                mutated[random.nextInt(mutated.length)] = (byte) random.nextInt(256);
            }
            parse(mutated, "seed " + SEED + ", round " + round);
        }
    }

    /** Nothing protects an example; only the type of exception is asserted. */
    private static void parse(byte[] bytes, String what) {
        try {
            TfExample example = TfExample.parse(bytes);
            assertThat(TfExample.parse(example.toBytes())).as(what).isEqualTo(example);
        } catch (IllegalArgumentException e) {
            assertThat(e).as(what).hasMessageStartingWith("not a tf.Example: at byte ");
        }
    }

    private @Nullable List<byte[]> readOrNull(byte[] bytes) throws IOException {
        Path file = Files.write(folder.resolve("a"), bytes);
        List<byte[]> records = new ArrayList<>();
        try (TfRecordReader reader = TfRecordReader.open(file)) {
            records.addAll(reader.read(0, reader.records()));
            return records;
        } catch (CorruptFileException e) {
            assertThat(e.file()).isEqualTo(file);
            return null;
        }
    }

    private static byte[] header(long length) {
        byte[] header = new byte[12];
        ByteBuffer.wrap(header)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(length)
                .putInt(MaskedCrc32c.of(
                        Arrays.copyOf(
                                ByteBuffer.allocate(8)
                                        .order(ByteOrder.LITTLE_ENDIAN)
                                        .putLong(length)
                                        .array(),
                                8),
                        0,
                        8));
        return header;
    }

    private static byte[] sample(TfRecordCompression compression) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = compression.compress(bytes)) {
            for (byte[] record : RECORDS) {
                out.write(TfRecordFrame.of(record));
            }
        }
        return bytes.toByteArray();
    }
}
