package dev.edl.runtime.data.npy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.data.CorruptFileException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SafetensorsTest {
    private static final long SEED = 11;
    private static final NpzArray KERNEL = NpzArray.of("dense/kernel", new float[] {1, 2, 3, -4, 5.5f, 6}, 2, 3);
    private static final NpzArray IDS = NpzArray.of("fm/ids", new long[] {Long.MAX_VALUE, -2}, 2);
    private static final NpzArray MEAN = NpzArray.of("mean", new double[] {1 / 3.0}, 1);
    private static final NpzArray SCALAR = NpzArray.of("step", new float[] {42});
    private static final NpzArray NOTHING = NpzArray.of("nothing \u00e9 \"x\"", new float[0], 0, 4);

    @TempDir
    Path folder;

    private Path written(NpzArray... arrays) throws IOException {
        Path file = folder.resolve("model.safetensors");
        SafetensorsWriter.write(file, List.of(arrays));
        return file;
    }

    /** Returns a file with a header and a number of bytes of data. */
    private Path file(String header, int data) throws IOException {
        byte[] text = header.getBytes(UTF_8);
        return Files.write(
                folder.resolve("hostile.safetensors"),
                ByteBuffer.allocate(Long.BYTES + text.length + data)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(text.length)
                        .put(text)
                        .array());
    }

    @Test
    void arrays_are_read_back_in_their_order() throws IOException {
        Path file = written(KERNEL, IDS, SCALAR, MEAN, NOTHING);

        assertThat(SafetensorsReader.read(file).values()).containsExactly(KERNEL, IDS, SCALAR, MEAN, NOTHING);
        assertThat(SafetensorsReader.read(file)).containsEntry("fm/ids", IDS);
        assertThat(SafetensorsReader.read(written())).isEmpty();
    }

    @Test
    void file_has_the_bytes_of_the_format() throws IOException {
        // By hand, from the format's description: the int64 comes first, and blanks fill the header up to 8 bytes.
        String header = "{\"w\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[8,12]},"
                + "\"n\":{\"dtype\":\"I64\",\"shape\":[1],\"data_offsets\":[0,8]}}";
        byte[] bytes = Files.readAllBytes(
                written(NpzArray.of("w", new float[] {1.5f}, 1), NpzArray.of("n", new long[] {-2}, 1)));

        assertThat(header).hasSize(108);
        assertThat(HexFormat.of().formatHex(bytes, 0, 8)).isEqualTo("7000000000000000");
        assertThat(new String(bytes, 8, 112, UTF_8)).isEqualTo(header + "    ");
        assertThat(HexFormat.of().formatHex(bytes, 120, bytes.length)).isEqualTo("feffffffffffffff0000c03f");
    }

    @Test
    void metadata_are_ignored() throws IOException {
        assertThat(SafetensorsReader.read(file(
                        "{\"__metadata__\":{\"format\":\"pt\"},\"w\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}",
                        4)))
                .containsOnlyKeys("w");
    }

    @Test
    void missing_file_is_named() {
        Path none = folder.resolve("none.safetensors");

        assertThatThrownBy(() -> SafetensorsReader.read(none))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessage(none + ": there is no such .safetensors file");
    }

    @Test
    void two_arrays_of_one_name_are_not_written() {
        assertThatThrownBy(() -> written(SCALAR, SCALAR))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(folder.resolve("model.safetensors")
                        + ": the names of arrays must be unique and not __metadata__, was \"step\"");
        assertThat(folder).isEmptyDirectory();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'w':{'dtype':'F32','shape':[1],'data_offsets':[0,4]}} | 2 | array 'w', at byte 8: expected"
                        + " data_offsets from 0, where the array before ends, to at most 2, found 0 to 4",
                "{'w':{'dtype':'F32','shape':[1],'data_offsets':[0,4]}} | 6 | at byte 66: expected the end of the"
                        + " file, found 2 bytes more",
                "{'w':{'dtype':'F32','shape':[1],'data_offsets':[0,4]},'v':{'dtype':'F32','shape':[1],'data_offsets':[2,6]}}"
                        + " | 6 | array 'v', at byte 8: expected data_offsets from 4, where the array before ends, to at"
                        + " most 6, found 2 to 6",
                "{'w':{'dtype':'F32','shape':[1],'data_offsets':[0,4]},'v':{'dtype':'F32','shape':[1],'data_offsets':[8,12]}}"
                        + " | 12 | array 'v', at byte 8: expected data_offsets from 4, where the array before ends, to at"
                        + " most 12, found 8 to 12",
                "{'w':{'dtype':'BF16','shape':[2],'data_offsets':[0,4]}} | 4 | array 'w', at byte 8: expected the"
                        + " dtype F32, F64 or I64; convert it with tensor.to(torch.float32), found BF16",
                "{'w':{'shape':[2],'data_offsets':[0,4]}} | 4 | array 'w', at byte 8: expected the dtype F32, F64 or"
                        + " I64; convert it with tensor.to(torch.float32), found nothing",
                "{'w':{'dtype':'F32','shape':[-1],'data_offsets':[0,4]}} | 4 | array 'w', at byte 8: expected a shape"
                        + " of whole numbers from 0 to 2147483647, found [-1]",
                "{'w':{'dtype':'F32','shape':[1.5],'data_offsets':[0,4]}} | 4 | array 'w', at byte 8: expected a shape"
                        + " of whole numbers from 0 to 2147483647, found [1.5]",
                "{'w':{'dtype':'F32','shape':[65536,65536,65536],'data_offsets':[0,4]}} | 4 | array 'w', at byte 8:"
                        + " expected data_offsets that are 8589934588 bytes apart, for F32 [65536,65536,65536], found"
                        + " [0,4]",
                "{'w':{'dtype':'F32','shape':[2],'data_offsets':[0,4]}} | 4 | array 'w', at byte 8: expected"
                        + " data_offsets that are 8 bytes apart, for F32 [2], found [0,4]",
                "{'w':{'dtype':'F32','shape':[1],'data_offsets':[4,0]}} | 4 | array 'w', at byte 8: expected"
                        + " data_offsets that are 4 bytes apart, for F32 [1], found [4,0]",
                "{'w':{'dtype':'F32','shape':[1],'data_offsets':[-4,0]}} | 4 | array 'w', at byte 8: expected"
                        + " data_offsets that are 4 bytes apart, for F32 [1], found [-4,0]",
                "{'w':{'dtype':'F32','shape':[1],'data_offsets':[0]}} | 4 | array 'w', at byte 8: expected a name, a"
                        + " shape, and data_offsets of two whole numbers, found"
                        + " {'dtype':'F32','shape':[1],'data_offsets':[0]}",
                "{'w':7} | 4 | array 'w', at byte 8: expected the dtype F32, F64 or I64; convert it with"
                        + " tensor.to(torch.float32), found nothing",
                "{'w':{'dtype':'F32','shape':[0],'data_offsets':[0,0]},'w':{'dtype':'F32','shape':[0],'data_offsets':[0,0]}}"
                        + " | 0 | at byte 8: expected a header of JSON with different names, found Duplicate field 'w'",
                "[] | 0 | at byte 8: expected a header of JSON, an object, found ARRAY",
                "{} {} | 0 | at byte 8: expected a header of JSON with different names, found Trailing token (of type"
                        + " START_OBJECT) found after value (bound as `com.fasterxml.jackson.databind.JsonNode`): not"
                        + " allowed as per `DeserializationFeature.FAIL_ON_TRAILING_TOKENS`"
            })
    void hostile_header_is_refused_with_the_array_and_the_rule(String header, int data, String message)
            throws IOException {
        Path file = file(header.replace('\'', '"'), data);

        assertThatThrownBy(() -> SafetensorsReader.read(file))
                .isInstanceOfSatisfying(
                        CorruptFileException.class,
                        refused -> assertThat(
                                        String.valueOf(refused.getMessage()).replace('"', '\''))
                                .isEqualTo(file + ": " + message));
    }

    @ParameterizedTest
    @CsvSource({"ffffffffffffffff,18446744073709551615", "0900000000000000,9", "000000000000ff7f,9223090561878065152"})
    void length_of_a_header_beyond_the_file_is_refused(String length, String found) throws IOException {
        Path file = Files.write(
                folder.resolve("hostile.safetensors"), HexFormat.of().parseHex(length + "7b7d202020202020"));

        assertThatThrownBy(() -> SafetensorsReader.read(file))
                .isInstanceOf(CorruptFileException.class)
                .hasMessage(file + ": at byte 0: expected the length of a header as 64 bits, of at most 8 bytes, found "
                        + found);
    }

    @Test
    void file_without_a_length_is_refused() throws IOException {
        Path file = Files.write(folder.resolve("hostile.safetensors"), new byte[3]);

        assertThatThrownBy(() -> SafetensorsReader.read(file))
                .isInstanceOf(CorruptFileException.class)
                .hasMessageEndingWith("found 3 bytes");
    }

    @Test
    void changed_bytes_give_arrays_or_a_corrupt_file_and_nothing_else() throws IOException {
        byte[] whole = Files.readAllBytes(written(KERNEL, IDS, SCALAR, MEAN));
        Random random = new Random(SEED);
        for (int i = 0; i < 2000; i++) {
            byte[] changed = Arrays.copyOf(whole, random.nextInt(4) == 0 ? random.nextInt(whole.length) : whole.length);
            for (int c = random.nextInt(3); c >= 0 && changed.length > 0; c--) {
                changed[random.nextInt(changed.length)] = (byte) random.nextInt(256);
            }
            Path file = Files.write(folder.resolve("changed.safetensors"), changed);
            try {
                SafetensorsReader.read(file);
            } catch (CorruptFileException refused) {
                assertThat(refused.file()).as("change %d of seed %d", i, SEED).isEqualTo(file);
            }
        }
    }
}
