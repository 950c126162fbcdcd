package dev.edl.testkit;

/** Shortens long texts in messages, so that a difference within a cluster of thousands stays visible. */
final class TruncatedText {
    /** Longest text that is shown in full, in characters. */
    private static final int MOST = 400;

    /** Characters shown on either side of a difference. */
    private static final int AROUND = 80;

    private TruncatedText() {}

    /** Returns the text, with its middle removed if it is long. */
    static String cut(String text) {
        return text.length() <= MOST ? text : window(text, 0, text.length());
    }

    /** Returns the text; if it or the other text is long, only the part in which this text differs from the other. */
    static String cut(String text, String other) {
        if (text.length() <= MOST && other.length() <= MOST) {
            return text;
        }
        int shorter = Math.min(text.length(), other.length());
        int same = 0;
        while (same < shorter && text.charAt(same) == other.charAt(same)) {
            same++;
        }
        int end = 0;
        while (end < shorter - same && text.charAt(text.length() - 1 - end) == other.charAt(other.length() - 1 - end)) {
            end++;
        }
        return window(text, Math.max(0, same - AROUND), Math.min(text.length(), text.length() - end + AROUND));
    }

    /**
     * Returns a range of the text, with its middle removed if it is long. Notes how many characters were left out, but
     * leaves out no beginning or end of 40 characters or less.
     */
    private static String window(String text, int from, int to) {
        int begin = from <= AROUND / 2 ? 0 : from;
        int end = text.length() - to <= AROUND / 2 ? text.length() : to;
        String within = end - begin <= MOST
                ? text.substring(begin, end)
                : text.substring(begin, begin + MOST / 2)
                        + left(end - begin - MOST)
                        + text.substring(end - MOST / 2, end);
        return (begin == 0 ? "" : left(begin)) + within + (end == text.length() ? "" : left(text.length() - end));
    }

    private static String left(int characters) {
        return " ...(" + characters + " more)... ";
    }
}
