package dev.edl.exec;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** The word that was probably meant. */
final class Nearest {
    private Nearest() {}

    /** The candidate with the smallest edit distance, the first in alphabetical order of several. */
    static Optional<String> to(String word, Collection<String> candidates) {
        return candidates.stream()
                .min(Comparator.comparingInt((String c) -> distance(word, c)).thenComparing(Comparator.naturalOrder()));
    }

    /** Levenshtein's distance. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
