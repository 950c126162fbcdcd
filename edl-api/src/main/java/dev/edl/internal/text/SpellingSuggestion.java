package dev.edl.internal.text;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/**
 * Finds the known word nearest to a misspelt one.
 *
 * <pre>{@code
 * SpellingSuggestion.to("replicsa", List.of("replicas", "requests"));    // Optional[replicas]
 * SpellingSuggestion.hint("replicsa", List.of("replicas", "requests"));  // did you mean "replicas"?
 * }</pre>
 *
 * <p>The distance of two words is the number of inserted, dropped, changed and swapped neighbouring characters (optimal
 * string alignment). Case, dashes and underscores are ignored. A word is near if its distance is at most a third of the
 * longer word's length, rounded down. Of equally near words the first is returned.
 */
public final class SpellingSuggestion {
    private SpellingSuggestion() {}

    /** Returns the nearest known word; empty when none is near. */
    public static Optional<String> to(String word, Collection<String> known) {
        String wanted = plain(word);
        Optional<String> best = Optional.empty();
        int least = Integer.MAX_VALUE;
        for (String candidate : known) {
            String other = plain(candidate);
            int distance = distance(wanted, other);
            if (distance <= Math.max(wanted.length(), other.length()) / 3 && distance < least) {
                best = Optional.of(candidate);
                least = distance;
            }
        }
        return best;
    }

    /**
     * Returns the end of a message: {@code did you mean "replicas"?}, or all known words when none is near.
     *
     * @param known known words, at least one
     */
    public static String hint(String word, Collection<String> known) {
        return to(word, known)
                .map(near -> "did you mean \"" + near + "\"?")
                .orElseGet(() -> "known are " + String.join(", ", known));
    }

    private static String plain(String word) {
        return word.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
    }

    private static int distance(String a, String b) {
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    d[i][j] = i + j;
                    continue;
                }
                int change = d[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                d[i][j] = Math.min(change, Math.min(d[i - 1][j], d[i][j - 1]) + 1);
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
                }
            }
        }
        return d[a.length()][b.length()];
    }
}
