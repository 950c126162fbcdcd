package dev.edl.examples.csv;

import dev.edl.runtime.data.ArrayDataset;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Numbers of rows of a table by class, and the accuracy of always predicting the most frequent class. */
final class ClassCounts {
    private static final int SHOWN = 20;

    private final List<String> labels;
    private final int[] counts;

    private ClassCounts(List<String> labels, int[] counts) {
        this.labels = labels;
        this.counts = counts;
    }

    static ClassCounts of(ArrayDataset table, List<String> labels) {
        int[] counts = new int[labels.size()];
        for (int row = 0; row < table.rows(); row++) {
            counts[table.label(row)]++;
        }
        return new ClassCounts(labels, counts);
    }

    private int largest() {
        return IntStream.range(0, counts.length)
                .reduce((a, b) -> counts[b] > counts[a] ? b : a)
                .orElseThrow();
    }

    /** Returns a phrase with the accuracy of always predicting these rows' most frequent class for other rows. */
    String baseline(ArrayDataset heldOut) {
        ClassCounts other = of(heldOut, labels);
        return String.format(
                Locale.ROOT,
                "always answering %s, the most frequent class, reaches %.4f",
                labels.get(largest()),
                (double) other.counts[largest()] / heldOut.rows());
    }

    /** Returns, for example, {@code 50 rows of class 0, 48 of 1, 52 of 2}. */
    @Override
    public String toString() {
        String text = IntStream.range(0, Math.min(SHOWN, counts.length))
                .mapToObj(i -> counts[i]
                        + (i > 0 ? " of " : counts[i] == 1 ? " row of class " : " rows of class ")
                        + labels.get(i))
                .collect(Collectors.joining(", "));
        return counts.length > SHOWN ? text + " and " + (counts.length - SHOWN) + " more classes" : text;
    }
}
