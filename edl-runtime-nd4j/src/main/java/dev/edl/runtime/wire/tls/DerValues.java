package dev.edl.runtime.wire.tls;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Values of a certificate in DER, the distinguished encoding of ASN.1 (ITU-T X.690). */
final class DerValues {
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    /** First instant that {@code UTCTime} cannot express, by RFC 5280. */
    private static final Instant FIFTY = Instant.parse("2050-01-01T00:00:00Z");

    private DerValues() {}

    static byte[] sequence(byte[]... parts) {
        return value(SEQUENCE, parts);
    }

    static byte[] set(byte[]... parts) {
        return value(SET, parts);
    }

    /** Returns a value within the tag {@code [number]}. */
    static byte[] tagged(int number, byte[] value) {
        return value(0xA0 | number, value);
    }

    static byte[] integer(BigInteger number) {
        return value(0x02, number.toByteArray());
    }

    static byte[] bool(boolean is) {
        return value(0x01, new byte[] {(byte) (is ? 0xFF : 0)});
    }

    static byte[] text(String text) {
        return value(0x0C, text.getBytes(StandardCharsets.UTF_8));
    }

    static byte[] octets(byte[] bytes) {
        return value(0x04, bytes);
    }

    /** Returns a string of whole bytes. */
    static byte[] bits(byte[] bytes) {
        return value(0x03, new byte[] {0}, bytes);
    }

    /** Returns a point in time, in whole seconds from 1950 to 9999. */
    static byte[] time(Instant time) {
        boolean isShort = time.isBefore(FIFTY);
        String text = DateTimeFormatter.ofPattern(isShort ? "yyMMddHHmmss'Z'" : "yyyyMMddHHmmss'Z'")
                .withZone(ZoneOffset.UTC)
                .format(time);
        return value(isShort ? 0x17 : 0x18, text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Returns an object identifier, for example of {@code 1, 2, 840, 10045, 4, 3, 2}. */
    static byte[] identifier(int... arcs) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(40 * arcs[0] + arcs[1]);
        for (int i = 2; i < arcs.length; i++) {
            for (int shift = 28; shift > 0; shift -= 7) {
                if (arcs[i] >>> shift != 0) {
                    bytes.write(0x80 | (arcs[i] >>> shift & 0x7F));
                }
            }
            bytes.write(arcs[i] & 0x7F);
        }
        return value(0x06, bytes.toByteArray());
    }

    private static byte[] value(int tag, byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(tag);
        if (length < 0x80) {
            bytes.write(length);
        } else {
            byte[] digits = BigInteger.valueOf(length).toByteArray();
            int zeros = digits[0] == 0 ? 1 : 0;
            bytes.write(0x80 | digits.length - zeros);
            bytes.write(digits, zeros, digits.length - zeros);
        }
        for (byte[] part : parts) {
            bytes.writeBytes(part);
        }
        return bytes.toByteArray();
    }
}
