package dev.edl.testkit;

import java.util.ArrayList;
import java.util.List;

/** What differs between two texts, as {@code diff -u} shows it: hunks of changed lines between some that are the same. */
final class UnifiedDiff {
    private static final int CONTEXT = 3;

    /** A line of the edit script: {@code ' '}, {@code '-'} or {@code '+'}, and where it stands in either text, from 0. */
    private record Line(char sign, int before, int after, String text) {}

    private UnifiedDiff() {}

    /** The hunks, a newline behind each line; empty for equal texts. */
    static String of(String before, String after) {
        List<Line> script = script(before.lines().toList(), after.lines().toList());
        StringBuilder out = new StringBuilder();
        int at = 0;
        while (at < script.size()) {
            int first = nextChange(script, at);
            if (first == script.size()) {
                break;
            }
            int from = Math.max(at, first - CONTEXT);
            int to = end(script, first);
            hunk(script.subList(from, to), out);
            at = to;
        }
        return out.toString();
    }

    /** Behind the context of the last change that is so near that both share a hunk. */
    private static int end(List<Line> script, int change) {
        int last = change;
        for (int next = change;
                next < script.size() && next - last <= 2 * CONTEXT;
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
        lines.forEach(line -> out.append(line.sign()).append(line.text()).append('\n'));
    }

    /** An empty range is said by the line before it, as {@code diff} does. */
    private static String range(int from, long count) {
        return count == 1 ? "" + (from + 1) : (count == 0 ? from : from + 1) + "," + count;
    }

    /** The shortest edit script, by the longest common subsequence; what is common at both ends is taken first. */
    private static List<Line> script(List<String> before, List<String> after) {
        int head = 0;
        while (head < Math.min(before.size(), after.size()) && before.get(head).equals(after.get(head))) {
            head++;
        }
        int tail = 0;
        while (tail < Math.min(before.size(), after.size()) - head
                && before.get(before.size() - 1 - tail).equals(after.get(after.size() - 1 - tail))) {
            tail++;
        }
        int[][] common = common(before.subList(head, before.size() - tail), after.subList(head, after.size() - tail));
        List<Line> script = new ArrayList<>();
        int i = 0;
        int j = 0;
        while (i < before.size() || j < after.size()) {
            boolean inside = i >= head && j >= head && (i < before.size() - tail || j < after.size() - tail);
            if (!inside || same(before, after, i, j, tail)) {
                script.add(new Line(' ', i, j, before.get(i)));
                i++;
                j++;
            } else if (j == after.size() - tail
                    || (i < before.size() - tail && common[i + 1 - head][j - head] >= common[i - head][j + 1 - head])) {
                script.add(new Line('-', i, j, before.get(i)));
                i++;
            } else {
                script.add(new Line('+', i, j, after.get(j)));
                j++;
            }
        }
        return script;
    }

    private static boolean same(List<String> before, List<String> after, int i, int j, int tail) {
        return i < before.size() - tail
                && j < after.size() - tail
                && before.get(i).equals(after.get(j));
    }

    /** The lengths of the longest common subsequences of all ends of the two. */
    private static int[][] common(List<String> before, List<String> after) {
        int[][] common = new int[before.size() + 1][after.size() + 1];
        for (int i = before.size() - 1; i >= 0; i--) {
            for (int j = after.size() - 1; j >= 0; j--) {
                common[i][j] = before.get(i).equals(after.get(j))
                        ? common[i + 1][j + 1] + 1
                        : Math.max(common[i + 1][j], common[i][j + 1]);
            }
        }
        return common;
    }
}
