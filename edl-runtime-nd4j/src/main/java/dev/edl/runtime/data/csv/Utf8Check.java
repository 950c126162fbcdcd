package dev.edl.runtime.data.csv;

/** Checks byte by byte whether a text is UTF-8 (RFC 3629); other encodings rarely pass by chance. */
final class Utf8Check {
    private static final int LOWEST = 0x80;
    private static final int HIGHEST = 0xbf;

    private int missing;
    // Range of the next byte; narrower after a first byte with overlong forms or surrogates.
    private int low = LOWEST;
    private int high = HIGHEST;

    /** Returns whether the bytes so far end within a character, whose next bytes are still missing. */
    boolean within() {
        return missing > 0;
    }

    /** Checks the next byte; returns whether it is valid at this position. */
    boolean accepts(byte next) {
        int b = next & 0xff;
        if (missing > 0) {
            boolean fits = b >= low && b <= high;
            low = LOWEST;
            high = HIGHEST;
            missing--;
            return fits;
        }
        if (b < 0x80) {
            return true;
        }
        if (b < 0xc2 || b > 0xf4) {
            return false;
        }
        missing = b < 0xe0 ? 1 : b < 0xf0 ? 2 : 3;
        low = b == 0xe0 ? 0xa0 : b == 0xf0 ? 0x90 : LOWEST;
        high = b == 0xed ? 0x9f : b == 0xf4 ? 0x8f : HIGHEST;
        return true;
    }
}
