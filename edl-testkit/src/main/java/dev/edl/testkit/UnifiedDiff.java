package dev.edl.testkit;

import java.util.ArrayList;
import java.util.List;

/**
 * Differences between two texts in the format of {@code diff -u}: hunks of changed lines with context. Long runs of
 * removed or added lines are shortened in the middle.
 */
final class UnifiedDiff {
    private static final int CONTEXT = 3;

    /** Longest run of consecutive removed or added lines that is shown in full. */
    private static final int LONGEST_RUN = 20;

    /**
     * Line of the edit script, with its position in each of the two texts, from 0.
     *
     * @param sign {@code ' '} for a common line, {@code '-'} for a removed and {@code '+'} for an added one
     */
    private record Line(char sign, int before, int after, String text) {}

    private UnifiedDiff() {}

    /** Returns the hunks, with a newline after each line; empty for equal texts. */
    static String of(String before, String after) {
        List<Line> script = script(lines(before), lines(after));
        StringBuilder out = new StringBuilder();
        int at = 0;
        for (int first = nextChange(script, 0); first < script.size(); first = nextChange(script, at)) {
            int from = Math.max(at, first - CONTEXT);
            at = end(script, first);
            hunk(script.subList(from, at), out);
        }
        return out.toString();
    }

    private static List<String> lines(String text) {
        String body = text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
        return text.isEmpty() ? List.of() : List.of(body.split("\n", -1));
    }

    /**
     * Returns the end (exclusive) of the hunk that begins with a change. The hunk includes each next change whose
     * context touches its own, and the context after the last one.
     */
    private static int end(List<Line> script, int change) {
        int last = change;
        for (int next = change;
                next < script.size() && next - last <= 2 * CONTEXT + 1;
                next = nextChange(script, next + 1)) {
            last = next;
        }
        return Math.min(script.size(), last + 1 + CONTEXT);
    }

    private static int nextChange(List<Line> script, int from) {
        int at = from;
        while (at < script.size() && script.get(at).sign() == ' ') {
            at++;
        }
        return at;
    }

    private static void hunk(List<Line> lines, StringBuilder out) {
        long added = lines.stream().filter(line -> line.sign() == '+').count();
        long removed = lines.stream().filter(line -> line.sign() == '-').count();
        Line first = lines.get(0);
        out.append("@@ -").append(range(first.before(), lines.size() - added));
        out.append(" +").append(range(first.after(), lines.size() - removed)).append(" @@\n");
        int at = 0;
        while (at < lines.size()) {
            int end = at;
            while (end < lines.size() && lines.get(end).sign() == lines.get(at).sign()) {
                end++;
            }
            run(lines.subList(at, end), out);
            at = end;
        }
    }

    /** Prints the first and last lines of a long run, so that the added lines stay visible after the removed ones. */
    private static void run(List<Line> lines, StringBuilder out) {
        boolean cut = lines.size() > LONGEST_RUN;
        int ends = cut ? LONGEST_RUN / 2 : lines.size();
        lines.subList(0, ends).forEach(line -> line(line, out));
        if (cut) {
            int left = lines.size() - 2 * ends;
            out.append("  ... ").append(left).append(lines.get(0).sign() == '-' ? " more removed\n" : " more added\n");
            lines.subList(lines.size() - ends, lines.size()).forEach(line -> line(line, out));
        }
    }

    private static void line(Line line, StringBuilder out) {
        out.append(line.sign())
                .append(TruncatedText.cut(line.text().replace("\r", "\\r")))
                .append('\n');
    }

    /**
     * Returns a range of lines for a hunk's head. As in {@code diff}, an empty range has the number of the line before
     * it.
     */
    private static String range(int from, long count) {
        return count == 1 ? "" + (from + 1) : (count == 0 ? from : from + 1) + "," + count;
    }

    /** Returns the edit script, with removed lines before added ones within a run of changes. */
    private static List<Line> script(List<String> before, List<String> after) {
        List<Line> script = new ArrayList<>();
        int i = 0;
        int j = 0;
        for (MyersDiff.Match match : MyersDiff.matches(before, after)) {
            while (i < match.before()) {
                script.add(new Line('-', i, j, before.get(i)));
                i++;
            }
            while (j < match.after()) {
                script.add(new Line('+', i, j, after.get(j)));
                j++;
            }
            if (i < before.size()) {
                script.add(new Line(' ', i, j, before.get(i)));
            }
            i++;
            j++;
        }
        return script;
    }
}
