package dev.edl.runtime.data.csv;

/** Tells byte by byte whether a text is UTF-8 (RFC 3629), which other encodings hardly ever are by chance. */
final class Utf8Check {
    private static final int LOWEST = 0x80;
    private static final int HIGHEST = 0xbf;

    private int missing;
    // What the next byte may be; narrower than the rest behind a first byte that has overlong forms or surrogates.
    private int low = LOWEST;
    private int high = HIGHEST;

    /** Whether a character has begun that is not complete. */
    boolean within() {
        return missing > 0;
    }

    /** Takes the next byte; whether it may stand there. */
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
