package dev.edl.runtime.wire.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Encodings by ITU-T X.690 and RFC 5280, computed by hand. */
class DerValuesTest {
    private static String hex(byte[] value) {
        return HexFormat.of().formatHex(value);
    }

    @Test
    void an_identifier_has_seven_bits_in_each_byte() {
        // The identifiers of RFC 5758 (ecdsa-with-SHA256) and of the common name.
        assertThat(hex(DerValues.identifier(1, 2, 840, 10045, 4, 3, 2))).isEqualTo("06082a8648ce3d040302");
        assertThat(hex(DerValues.identifier(2, 5, 4, 3))).isEqualTo("0603550403");
    }

    @Test
    void a_number_has_a_sign() {
        assertThat(hex(DerValues.integer(BigInteger.valueOf(127)))).isEqualTo("02017f");
        assertThat(hex(DerValues.integer(BigInteger.valueOf(128)))).isEqualTo("02020080");
    }

    @Test
    void a_long_value_has_a_length_of_several_bytes() {
        assertThat(hex(DerValues.octets(new byte[127]))).startsWith("047f00");
        assertThat(hex(DerValues.octets(new byte[128]))).startsWith("04818000");
        assertThat(hex(DerValues.octets(new byte[256]))).startsWith("0482010000");
    }

    @Test
    void a_time_has_four_digits_of_the_year_from_2050_on() {
        assertThat(hex(DerValues.time(Instant.parse("2049-12-31T23:59:59Z"))))
                .isEqualTo("170d" + hex("491231235959Z".getBytes(StandardCharsets.US_ASCII)));
        assertThat(hex(DerValues.time(Instant.parse("2050-01-01T00:00:00Z"))))
                .isEqualTo("180f" + hex("20500101000000Z".getBytes(StandardCharsets.US_ASCII)));
    }

    @Test
    void other_values_have_their_tags() {
        assertThat(hex(DerValues.sequence(DerValues.bool(true), DerValues.bool(false))))
                .isEqualTo("30060101ff010100");
        assertThat(hex(DerValues.set(DerValues.text("é")))).isEqualTo("31040c02c3a9");
        assertThat(hex(DerValues.tagged(3, DerValues.bits(new byte[] {5})))).isEqualTo("a30403020005");
    }
}
