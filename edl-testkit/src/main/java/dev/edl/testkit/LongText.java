package dev.edl.testkit;

/** Long texts as a message shows them: a person looks for what differs, and a cluster of thousands hides it. */
final class LongText {
    /** Characters that are shown in full. */
    private static final int MOST = 400;

    /** Characters on either side of what differs. */
    private static final int AROUND = 80;

    private LongText() {}

    /** The text, without its middle when it is long. */
    static String cut(String text) {
        return text.length() <= MOST ? text : window(text, 0, text.length());
    }

    /** The text; when it or the other is long, that part of it by which it differs from the other. */
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

    /** What lies within, and without its middle when even that is long; less than a mark's length is not left out. */
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
