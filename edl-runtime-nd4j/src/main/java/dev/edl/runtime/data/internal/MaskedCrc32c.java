package dev.edl.runtime.data.internal;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Checksum of the Snappy framing format and of TFRecord: CRC-32C, rotated right by 15 bits, plus a constant.
 *
 * <p>Both formats mask it because a CRC computed over data that itself holds CRCs is weak.
 */
public final class MaskedCrc32c {
    private static final int DELTA = 0xa282ead8;

    private MaskedCrc32c() {}

    public static int of(byte[] bytes, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, length);
        return mask(crc);
    }

    /** Returns the checksum of a buffer's remaining bytes and consumes them. */
    public static int of(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return mask(crc);
    }

    private static int mask(CRC32C crc) {
        return Integer.rotateRight((int) crc.getValue(), 15) + DELTA;
    }
}
