package dev.edl.runtime.data.csv;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Selection of the columns that become features.
 *
 * @param features the columns in their order; null for all that are neither a label nor an id
 * @param without columns that are left out
 */
record CsvSelection(@Nullable List<String> features, List<String> without) {
    static final CsvSelection ALL = new CsvSelection(null, List.of());

    CsvSelection of(String... columns) {
        return new CsvSelection(List.of(columns), without);
    }

    CsvSelection except(String... columns) {
        return new CsvSelection(features, List.of(columns));
    }

    /** Returns, for example, {@code all others without [id]}. */
    @Override
    public String toString() {
        return Objects.requireNonNullElse(features, "all others") + (without.isEmpty() ? "" : " without " + without);
    }
}
