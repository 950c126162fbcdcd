package dev.edl.runtime.model;

import java.util.Collection;
import java.util.Comparator;

/** The known name nearest to an unknown one, for messages. */
final class Nearest {
    private Nearest() {}

    /** For example {@code ; did you mean "softmax"?}; nothing when no name is there. */
    static String hint(String unknown, Collection<String> known) {
        return known.stream()
                .min(Comparator.comparingInt((String k) -> distance(unknown, k))
                        .thenComparing(Comparator.naturalOrder()))
                .map(k -> "; did you mean \"" + k + "\"?")
                .orElse("");
    }

    /** Levenshtein's: the least number of insertions, deletions and replacements. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
