package dev.edl.runtime.data.csv;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * Immutable rule for cells without a value: blank cells, and the words that other programs write for them.
 *
 * <p>The words are the default {@code na_values} of pandas' {@code read_csv}, which include R's {@code NA}, and Weka's
 * question mark. NaN counts in any case, other words as they are written here.
 */
final class CsvMissingValues {
    private static final Set<String> WORDS = Set.of(
            "#N/A",
            "#N/A N/A",
            "#NA",
            "-1.#IND",
            "-1.#QNAN",
            "1.#IND",
            "1.#QNAN",
            "<NA>",
            "N/A",
            "NA",
            "NULL",
            "None",
            "n/a",
            "null",
            "?");
    private static final Set<String> NAN = Set.of("nan", "-nan", "+nan");

    /** Rule without exceptions. */
    static final CsvMissingValues DEFAULT = new CsvMissingValues(Set.of());

    private final Set<String> values;

    private CsvMissingValues(Set<String> values) {
        this.values = values;
    }

    /**
     * Returns the rule by which cells with the given words have a value.
     *
     * @throws IllegalArgumentException for a word that is a value by the default rule already
     */
    CsvMissingValues except(String... words) {
        for (String word : words) {
            if (!isWord(word)) {
                throw new IllegalArgumentException("notMissing: \"" + word
                        + "\" is never a missing value; valid are NaN, " + String.join(", ", new TreeSet<>(WORDS)));
            }
        }
        return new CsvMissingValues(Set.copyOf(Arrays.asList(words)));
    }

    /** Returns whether a cell is blank, or one of the words without an exception. */
    boolean is(String cell) {
        String text = cell.strip();
        return text.isEmpty() || (isWord(text) && !values.contains(text));
    }

    /** Returns, for example, {@code , not missing [None]}; empty without exceptions. */
    @Override
    public String toString() {
        return values.isEmpty() ? "" : ", not missing " + new TreeSet<>(values);
    }

    /** Returns whether a text without space at its ends is a word for a missing value. */
    static boolean isWord(String text) {
        return WORDS.contains(text) || NAN.contains(text.toLowerCase(Locale.ROOT));
    }
}
