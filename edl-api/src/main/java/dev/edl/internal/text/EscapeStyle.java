package dev.edl.internal.text;

/**
 * Styles of double-quoted text. They differ in the characters that they leave unescaped; {@link #GO} also writes a
 * carriage return as {@code \r}.
 */
public enum EscapeStyle {
    /** JSON, and YAML of any version; letters of all languages stay readable. */
    JSON {
        @Override
        boolean isKept(int c) {
            // A surrogate pair as two escapes is valid in JSON, but YAML readers reject it.
            return isAscii(c) || (c >= 0xa1 && c < 0x2000) || (c >= 0x3000 && c < 0xd800) || c > 0xffff;
        }
    },

    /** JSON, and YAML of any version, with only ASCII, except for characters beyond 16 bits. */
    ASCII_JSON {
        @Override
        boolean isKept(int c) {
            return isAscii(c) || c > 0xffff;
        }
    },

    /** YAML with only ASCII; a character beyond 16 bits is escaped as {@code \U}, which JSON does not have. */
    ASCII_YAML {
        @Override
        boolean isKept(int c) {
            return isAscii(c);
        }
    },

    /** JSON as Go's encoder writes it, so that objects of Go operators are reproduced exactly. */
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
