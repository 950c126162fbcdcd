package dev.edl.runtime.data.tfrecord;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class TfExampleTest {
    // SerializeToString(deterministic=True) of protobuf 7.36.2 for Python, from the messages of TensorFlow's
    // example.proto
    // and feature.proto: ids [300, -1, 2**62], image [0.5, -1.25, 3.0], label [7], name [b"seven", b""], none without a
    // list.
    private static final String KNOWN = "0a6c"
            + "0a200a0369647312191a170a15ac02ffffffffffffffffff01808080808080808040"
            + "0a190a05696d6167651210120e0a0c0000003f0000a0bf00004040"
            + "0a0e0a056c6162656c12051a030a0107"
            + "0a130a046e616d65120b0a090a05736576656e0a00"
            + "0a080a046e6f6e651200";

    @Test
    void the_known_bytes_are_read() {
        TfExample example = TfExample.parse(bytes(KNOWN));
        assertThat(example.names()).containsExactly("ids", "image", "label", "name", "none");
        assertThat(example.int64s("ids")).containsExactly(300, -1, 1L << 62);
        assertThat(example.floats("image")).containsExactly(0.5f, -1.25f, 3);
        assertThat(example.int64s("label")).containsExactly(7);
        assertThat(example.bytes("name")).containsExactly("seven".getBytes(UTF_8), new byte[0]);
        assertThat(example.kind("none")).isEqualTo(TfExample.Kind.EMPTY);
        assertThat(example)
                .hasToString("TfExample[\"ids\": 3 in an int64 list, \"image\": 3 in a float list, \"label\": 1 in an"
                        + " int64 list, \"name\": 2 in a bytes list, \"none\": 0 in nothing]");
    }

    @Test
    void what_was_read_is_written_as_the_same_bytes() {
        assertThat(HexFormat.of().formatHex(TfExample.parse(bytes(KNOWN)).toBytes()))
                .isEqualTo(KNOWN);
    }

    @Test
    void a_built_example_has_the_bytes_of_protobuf() {
        TfExample built = TfExample.builder()
                .bytes("name", "seven".getBytes(UTF_8), new byte[0])
                .int64s("label", 7)
                .floats("image", 0.5f, -1.25f, 3)
                .int64s("ids", 300, -1, 1L << 62)
                .build();
        assertThat(HexFormat.of().formatHex(built.toBytes()))
                .isEqualTo(KNOWN.replace("0a6c", "0a62").replace("0a080a046e6f6e651200", ""));
        assertThat(TfExample.parse(built.toBytes())).isEqualTo(built).hasSameHashCodeAs(built);
    }

    @Test
    void a_list_without_values_keeps_its_kind() {
        // protobuf for Python, of a float list with SetInParent().
        TfExample example = TfExample.builder().floats("a").build();
        assertThat(HexFormat.of().formatHex(example.toBytes())).isEqualTo("0a090a070a016112021200");
        assertThat(TfExample.parse(example.toBytes()).floats("a")).isEmpty();
    }

    @Test
    void lists_that_are_not_packed_are_read() {
        // By hand, read back with protobuf for Python: floats one by one; then numbers one by one and packed, mixed.
        assertThat(TfExample.parse(bytes("0a180a160a01611211120f0d0000003f0d0000a0bf0d00004040"))
                        .floats("a"))
                .containsExactly(0.5f, -1.25f, 3);
        assertThat(TfExample.parse(bytes("0a120a100a0162120b1a0908ac0208010a020203"))
                        .int64s("b"))
                .containsExactly(300, 1, 2, 3);
    }

    @Test
    void unknown_fields_are_left_out() {
        // Before the features: field 15 as a number, 8 bytes, a string, a group with a number in it, 4 bytes.
        String unknown = "7801" + "790102030405060708" + "7a0141" + "7b08017c" + "7d01020304";
        TfExample example = TfExample.parse(bytes(unknown + KNOWN + unknown));
        assertThat(example.names()).hasSize(5);
    }

    @Test
    void the_later_duplicate_name_counts() {
        String seven = "0a0e0a056c6162656c12051a030a0107";
        String eight = "0a0e0a056c6162656c12051a030a0108";
        assertThat(TfExample.parse(bytes("0a20" + seven + eight)).int64s("label"))
                .containsExactly(8);
        // Two Features messages are one.
        assertThat(TfExample.parse(bytes("0a10" + seven + "0a10" + eight)).int64s("label"))
                .containsExactly(8);
    }

    @Test
    void no_bytes_are_an_example_without_features() {
        assertThat(TfExample.parse(new byte[0]).names()).isEmpty();
    }

    @Test
    void malformed_bytes_are_refused_with_their_place() {
        refuse("0a05", "at byte 1: expected a field of 5 bytes, found 0 bytes and the end");
        refuse(
                "0affffffffffffffffff01",
                "at byte 1: expected a field of 18446744073709551615 bytes, found 0 bytes and" + " the end");
        refuse("08ffffffffffffffffffff01", "at byte 1: expected a number of at most 10 bytes, found a longer one");
        refuse("08ff", "at byte 1: expected a number, found 1 bytes of one and the end");
        refuse("00", "at byte 0: expected a field number from 1 to 536870911, found 0");
        refuse("7d0102", "at byte 1: expected a value of 4 bytes, found 2 bytes and the end");
        refuse("7e", "at byte 1: expected a wire type from 0 to 5, found 6");
        refuse("7c", "at byte 1: expected groups of at most 100 levels, each opened before it is closed, found others");
        refuse(
                "7b".repeat(200),
                "at byte 101: expected groups of at most 100 levels, each opened before it is closed,"
                        + " found others");
        refuse("0a0e0a0c0a0161120712050a0300003f", "at byte 13: expected floats of 4 bytes each, found 3 bytes");
        refuse("0a070a050a01ff1200", "at byte 6: expected the name of a feature in UTF-8, found invalid bytes");
    }

    @Test
    void a_missing_or_mistyped_feature_is_named() {
        TfExample example =
                TfExample.builder().int64s("label", 7).floats("image", 1).build();
        assertThatThrownBy(() -> example.floats("picture"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("there is no feature \"picture\"; there are \"image\", \"label\"");
        assertThatThrownBy(() -> example.floats("label"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("feature \"label\": expected a float list, found an int64 list");
    }

    private static void refuse(String hex, String problem) {
        assertThatThrownBy(() -> TfExample.parse(bytes(hex)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("not a tf.Example: " + problem);
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }
}
