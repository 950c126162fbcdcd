package dev.edl.internal.text;

/** Writes a text in double quotes. The forms differ only in the characters that stand as they are. */
public enum QuoteStyle {
    /** JSON, and YAML of any version; letters of all languages stay readable. */
    JSON {
        @Override
        boolean isKept(int c) {
            // A character of two escapes is one in JSON, and in YAML two that no reader takes.
            return isAscii(c) || (c >= 0xa1 && c < 0x2000) || (c >= 0x3000 && c < 0xd800) || c > 0xffff;
        }
    },

    /** The same with ASCII alone, but for characters beyond 16 bits. */
    ASCII_JSON {
        @Override
        boolean isKept(int c) {
            return isAscii(c) || c > 0xffff;
        }
    },

    /** YAML with ASCII alone. */
    ASCII_YAML {
        @Override
        boolean isKept(int c) {
            return isAscii(c);
        }
    },

    /** JSON as Go's encoder writes it, so that what an operator wrote in Go is written the same. */
    GO {
        @Override
        boolean isKept(int c) {
            return c >= ' '
                    && c != '<'
                    && c != '>'
                    && c != '&'
                    && c != 0x2028
                    && c != 0x2029
                    && (c > 0xffff || !Character.isSurrogate((char) c));
        }
    };

    public String quote(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.codePoints().forEach(c -> {
            switch (c) {
                case '"', '\\' -> quoted.append('\\').appendCodePoint(c);
                case '\n' -> quoted.append("\\n");
                case '\t' -> quoted.append("\\t");
                case '\r' -> quoted.append(this == GO ? "\\r" : "\\u000d");
                default -> {
                    if (isKept(c)) {
                        quoted.appendCodePoint(c);
                    } else {
                        quoted.append(String.format(c > 0xffff ? "\\U%08x" : "\\u%04x", c));
                    }
                }
            }
        });
        return quoted.append('"').toString();
    }

    abstract boolean isKept(int c);

    private static boolean isAscii(int c) {
        return c >= ' ' && c <= '~';
    }
}
