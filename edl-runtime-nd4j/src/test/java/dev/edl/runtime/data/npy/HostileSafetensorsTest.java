package dev.edl.runtime.data.npy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.data.CorruptFileException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Files that the Python package refuses. */
class HostileSafetensorsTest {
    @TempDir
    Path folder;

    private Path file(byte[] header, int data) throws Exception {
        return Files.write(
                folder.resolve("a.safetensors"),
                ByteBuffer.allocate(8 + header.length + data)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(header.length)
                        .put(header)
                        .array());
    }

    static Stream<Arguments> headers() {
        String a = "\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]";
        return Stream.of(
                Arguments.of("nested deep", "[".repeat(200_000), 4),
                Arguments.of("nested in metadata", "{\"__metadata__\":" + "[".repeat(5000) + "]".repeat(5000) + "}", 0),
                Arguments.of("duplicate by escape", "{\"a\":{" + a + "},\"\\u0061\":{" + a + "}}", 4),
                Arguments.of(
                        "huge shape",
                        "{\"a\":{\"dtype\":\"F32\",\"shape\":[2147483647,2147483647],\"data_offsets\":[0,4]}}",
                        4),
                Arguments.of(
                        "huge number",
                        "{\"a\":{\"dtype\":\"F32\",\"shape\":[1" + "0".repeat(2000) + "],\"data_offsets\":[0,4]}}",
                        4),
                Arguments.of(
                        "exponent", "{\"a\":{\"dtype\":\"F32\",\"shape\":[1e999999999],\"data_offsets\":[0,4]}}", 4),
                Arguments.of(
                        "many dims",
                        "{\"a\":{\"dtype\":\"F32\",\"shape\":[" + "1,".repeat(100000) + "2],\"data_offsets\":[0,4]}}",
                        4),
                Arguments.of("overlap", "{\"a\":{" + a + "},\"b\":{" + a + "}}", 4),
                Arguments.of("zero then beyond", "{\"a\":{\"dtype\":\"F32\",\"shape\":[0],\"data_offsets\":[9,9]}}", 0),
                Arguments.of("duplicate field", "{\"a\":{" + a + ",\"dtype\":\"F64\"}}", 4),
                Arguments.of("missing shape", "{\"a\":{\"dtype\":\"F32\",\"data_offsets\":[0,4]}}", 4),
                Arguments.of("null", "null", 0),
                Arguments.of("empty", "", 0),
                Arguments.of("two values", "{} {}", 0),
                Arguments.of("nan literal", "{\"a\":NaN}", 0),
                Arguments.of("long name", "{\"" + "n".repeat(60_000) + "\":{" + a + "}", 4),
                Arguments.of("array of entry", "{\"a\":[" + "1]}", 4),
                Arguments.of(
                        "huge offsets",
                        "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[9223372036854775807,-9223372036854775805]}}",
                        4),
                Arguments.of("offset before", "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[-4,0]}}", 4));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("headers")
    void is_refused(String name, String header, int data) throws Exception {
        Path file = file(header.getBytes(StandardCharsets.UTF_8), data);

        assertThatThrownBy(() -> SafetensorsReader.read(file)).isInstanceOf(CorruptFileException.class);
    }

    @Test
    void a_name_that_is_no_utf_8_is_refused() throws Exception {
        byte[] header = "{\"a\u00ff\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}"
                .getBytes(StandardCharsets.ISO_8859_1);

        Path file = file(header, 4);
        assertThatThrownBy(() -> SafetensorsReader.read(file))
                .isInstanceOf(CorruptFileException.class)
                .hasMessageContaining("a header of UTF-8 text");
    }

    @Test
    void a_long_name_and_scalars_and_zeros_are_read() throws Exception {
        String header = "{\"" + "n".repeat(40_000) + "\":{\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[0,4]},"
                + "\"z\":{\"dtype\":\"I64\",\"shape\":[0,2147483647,2147483647],\"data_offsets\":[4,4]}}";

        assertThat(SafetensorsReader.read(file(header.getBytes(StandardCharsets.UTF_8), 4)))
                .hasSize(2);
    }
}
