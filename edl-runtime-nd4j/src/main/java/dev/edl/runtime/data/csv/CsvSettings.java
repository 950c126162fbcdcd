package dev.edl.runtime.data.csv;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Settings that both CSV readers have; each method returns them with one change.
 *
 * @param features the columns that become features, in their order; null for all that are neither a label nor an id
 * @param without columns that are left out
 * @param missing rule for cells without a value
 * @param separator the field separator; null to detect it
 * @param header whether the first line names the columns; null to detect it
 */
record CsvSettings(
        @Nullable List<String> features,
        List<String> without,
        CsvMissingValues missing,
        @Nullable Character separator,
        @Nullable Boolean header) {
    static final CsvSettings DEFAULT = new CsvSettings(null, List.of(), CsvMissingValues.DEFAULT, null, null);

    CsvSettings features(String... columns) {
        return new CsvSettings(List.of(columns), without, missing, separator, header);
    }

    CsvSettings without(String... columns) {
        return new CsvSettings(features, List.of(columns), missing, separator, header);
    }

    CsvSettings notMissing(String... words) {
        return new CsvSettings(features, without, missing.except(words), separator, header);
    }

    CsvSettings separator(char character) {
        if (",;\t".indexOf(character) < 0) {
            throw new IllegalArgumentException(
                    "the separator must be a comma, a semicolon or a tab, was \"" + character + "\"");
        }
        return new CsvSettings(features, without, missing, character, header);
    }

    CsvSettings header(@Nullable Boolean present) {
        return new CsvSettings(features, without, missing, separator, present);
    }

    boolean selectsAll() {
        return features == null && without.isEmpty();
    }

    /** Returns the selected columns, for example {@code all others without [id]}. */
    @Override
    public String toString() {
        return Objects.requireNonNullElse(features, "all others") + (without.isEmpty() ? "" : " without " + without);
    }
}
