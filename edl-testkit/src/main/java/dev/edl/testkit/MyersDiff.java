package dev.edl.testkit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Common lines of two texts by Myers' greedy algorithm (An O(ND) Difference Algorithm, 1986). Cost grows with the
 * differences, so plans of thousands of replicas compare fast.
 */
final class MyersDiff {
    /**
     * Maximum number of edits between two texts. With more, the search would need too much memory, and only equal lines
     * at equal positions count as common.
     */
    private static final int MOST_EDITS = 4_000;

    /** Common line, with its position in each of the two texts, from 0. */
    record Match(int before, int after) {}

    private MyersDiff() {}

    /** Returns the common lines in order, and finally a match of the positions behind the last lines of both texts. */
    static List<Match> matches(List<String> before, List<String> after) {
        List<Match> matches = new ArrayList<>();
        matches.add(new Match(before.size(), after.size()));
        List<int[]> reached = search(before, after);
        int x = before.size();
        int y = after.size();
        if (x - y != 0 || !before.equals(after)) {
            for (int edits = reached.size() - 1; edits > 0; edits--) {
                int[] last = reached.get(edits - 1);
                int from = down(last, edits, x - y) ? x - y + 1 : x - y - 1;
                int fromX = last[from + edits];
                int fromY = fromX - from;
                int startX = down(last, edits, x - y) ? fromX : fromX + 1;
                for (; x > startX; x--, y--) {
                    matches.add(new Match(x - 1, y - 1));
                }
                x = fromX;
                y = fromY;
            }
            if (reached.isEmpty()) {
                return inPlace(before, after);
            }
        }
        for (; x > 0; x--, y--) {
            matches.add(new Match(x - 1, y - 1));
        }
        Collections.reverse(matches);
        return matches;
    }

    /**
     * Returns the equal lines at equal positions, for texts with too many edits, such as a changed name in most lines.
     */
    private static List<Match> inPlace(List<String> before, List<String> after) {
        List<Match> matches = new ArrayList<>();
        for (int i = 0; i < Math.min(before.size(), after.size()); i++) {
            if (before.get(i).equals(after.get(i))) {
                matches.add(new Match(i, i));
            }
        }
        matches.add(new Match(before.size(), after.size()));
        return matches;
    }

    /**
     * Returns, for each number of edits, an array with the furthest position in {@code before} that each diagonal
     * reaches: diagonal {@code k} has index {@code k + edits + 1}. Returns an empty list when there are too many edits.
     */
    private static List<int[]> search(List<String> before, List<String> after) {
        List<int[]> reached = new ArrayList<>();
        int most = Math.min(MOST_EDITS, before.size() + after.size());
        for (int edits = 0; edits <= most; edits++) {
            int[] furthest = new int[2 * edits + 3];
            for (int k = -edits; k <= edits; k += 2) {
                int x = 0;
                if (edits > 0) {
                    int[] last = reached.get(edits - 1);
                    x = down(last, edits, k) ? last[k + 1 + edits] : last[k - 1 + edits] + 1;
                }
                while (x < before.size()
                        && x - k < after.size()
                        && before.get(x).equals(after.get(x - k))) {
                    x++;
                }
                furthest[k + edits + 1] = x;
                if (x >= before.size() && x - k >= after.size()) {
                    reached.add(furthest);
                    return reached;
                }
            }
            reached.add(furthest);
        }
        return List.of();
    }

    /**
     * Returns whether diagonal {@code k} is best reached by an insertion, from diagonal {@code k + 1}; otherwise by a
     * deletion, from {@code k - 1}.
     */
    private static boolean down(int[] last, int edits, int k) {
        return k == -edits || (k != edits && last[k - 1 + edits] < last[k + 1 + edits]);
    }
}
