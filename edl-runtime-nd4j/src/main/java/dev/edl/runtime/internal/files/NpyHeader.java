package dev.edl.runtime.internal.files;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Header of a {@code .npy} file of an array in C order (numpy/lib/format.py). */
public final class NpyHeader {
    /** Type of little-endian floats. */
    public static final String FLOAT = "'<f4'";

    private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
    /** Number of bytes of the magic and the version, with which a file begins. */
    public static final int PREFIX = MAGIC.length + 2;

    private static final int ALIGNMENT = 64;

    private NpyHeader() {}

    /** Returns whether bytes begin with the magic and a version. */
    public static boolean begins(byte[] bytes) {
        return bytes.length >= PREFIX && Arrays.equals(bytes, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
    }

    /**
     * Returns the bytes before the values of an array, in version 1 of the format.
     *
     * @param type type of the values as Python writes it, in quotes
     * @param shape dimensions as Python writes them, without the parentheses
     */
    public static byte[] of(String type, String shape) {
        String dictionary = "{'descr': " + type + ", 'fortran_order': False, 'shape': (" + shape + "), }";
        // Prefix, two bytes of length, dictionary, padding and the newline fill whole blocks of 64 bytes.
        int unpadded = PREFIX + Short.BYTES + dictionary.length() + 1;
        int padding = (ALIGNMENT - unpadded % ALIGNMENT) % ALIGNMENT;
        ByteBuffer header = ByteBuffer.allocate(unpadded + padding).order(ByteOrder.LITTLE_ENDIAN);
        header.put(MAGIC).put((byte) 1).put((byte) 0).putShort((short) (dictionary.length() + padding + 1));
        header.put((dictionary + " ".repeat(padding) + "\n").getBytes(StandardCharsets.US_ASCII));
        return header.array();
    }
}
