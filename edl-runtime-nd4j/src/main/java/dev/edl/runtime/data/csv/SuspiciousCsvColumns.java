package dev.edl.runtime.data.csv;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Finds the feature columns of a table that are probably no measurement: columns without a name, constants, copies of
 * the label, row numbers and ids. A column has at most one doubt.
 */
final class SuspiciousCsvColumns {
    /** Number of rows below which a column may have one value by chance. */
    private static final int CONSTANT_ROWS = 3;
    /** Largest difference of a column from the scaled label, as a part of the column's range. */
    private static final double NEAR = 1e-4;
    /** Number of rows below which a column may number the rows, or follow the label, by chance. */
    private static final int MANY_ROWS = 6;

    private enum Kind {
        END("is the name of the last column, as a separator at the end of each line gives"),
        UNNAMED("is no name of a measurement; R's write.csv and pandas' to_csv write row numbers without a name"),
        CONSTANT("is the value of all rows, so the column distinguishes no rows"),
        LABEL("occurs with one class only, as each value of the column does, so the column may be the label itself"),
        ONE_HOT("is one of two values that separate a class from the others; these columns separate all classes, so"
                + " they may be the label itself"),
        SCALED("is the label times a number plus a number, as in all rows, so the column may be the label itself"),
        NUMBERS("is a row number or an id, because the column has consecutive whole numbers, each once"),
        ID("is the name of a row number or an id, which is no measurement");

        private final String text;

        Kind(String text) {
            this.text = text;
        }
    }

    private final CsvColumnNames names;
    private final int[] columns;
    private final float[] features;
    private final int[] labels;
    private final List<Long> classes;
    /** Features of a one-hot encoding of the label. */
    private final BitSet oneHot = new BitSet();

    /**
     * Prepares the search.
     *
     * @param columns places of the feature columns in the file
     * @param features the values, row by row
     * @param labels the class index of each row
     * @param classes the number of each class
     */
    SuspiciousCsvColumns(CsvColumnNames names, int[] columns, float[] features, int[] labels, List<Long> classes) {
        this.names = names;
        this.columns = columns;
        this.features = features;
        this.labels = labels;
        this.classes = classes;
        if (labels.length >= MANY_ROWS) {
            findOneHot();
        }
    }

    /**
     * Returns one problem for each kind of doubt; it names the first column and lists all.
     *
     * @param header line of the header
     * @param row line of the first row
     * @param cells cells of the first row
     * @param except columns, from 1, that have another doubt
     */
    List<CsvProblem> problems(long header, List<String> titles, long row, List<String> cells, Set<Integer> except) {
        TreeMap<Kind, List<Integer>> found = new TreeMap<>();
        for (int i = 0; i < columns.length; i++) {
            int column = columns[i];
            for (Kind kind : Kind.values()) {
                boolean told = kind.compareTo(Kind.NUMBERS) >= 0 && except.contains(column + 1);
                if (!told && is(kind, i)) {
                    found.computeIfAbsent(kind, unused -> new ArrayList<>()).add(column);
                    break;
                }
            }
        }
        List<CsvProblem> problems = new ArrayList<>();
        found.forEach((kind, places) -> {
            boolean name = kind == Kind.END || kind == Kind.UNNAMED || kind == Kind.ID;
            int column = places.get(0);
            problems.add(names.problem(
                    name ? header : row,
                    column,
                    name ? titles.get(column) : cells.get(column).strip(),
                    kind.text + "; " + names.advice(places)));
        });
        return problems;
    }

    /** Returns the doubts that the header alone raises about the columns of a dataset. */
    static List<CsvProblem> ofHeader(CsvColumnNames names, int[] columns, long header, List<String> titles) {
        return new SuspiciousCsvColumns(names, columns, new float[0], new int[0], List.of())
                .problems(header, titles, 0, List.of(), Set.of());
    }

    private boolean is(Kind kind, int index) {
        return switch (kind) {
            case END -> names.isUnnamed(columns[index]) && names.isAtEnd(columns[index]);
            case UNNAMED -> names.isUnnamed(columns[index]);
            case CONSTANT -> labels.length >= CONSTANT_ROWS && isConstant(index);
            case LABEL -> labels.length >= MANY_ROWS && followsLabel(index);
            case ONE_HOT -> oneHot.get(index);
            case SCALED -> labels.length >= MANY_ROWS && isScaledLabel(index);
            case NUMBERS -> labels.length >= MANY_ROWS && numbersRows(index);
            case ID -> names.isId(columns[index]);
        };
    }

    private float value(int row, int index) {
        return features[row * columns.length + index];
    }

    private boolean isConstant(int index) {
        return IntStream.range(1, labels.length).allMatch(row -> value(row, index) == value(0, index));
    }

    /** Returns whether each class has one value, and each value one class, of at least two rows on average. */
    private boolean followsLabel(int index) {
        Map<Integer, Float> values = valuesOfClasses(index);
        return !values.isEmpty() && Set.copyOf(values.values()).size() == values.size();
    }

    /** Returns the only value of each class; empty if a class has several, or less than two rows on average. */
    private Map<Integer, Float> valuesOfClasses(int index) {
        Map<Integer, Float> values = new HashMap<>();
        for (int row = 0; row < labels.length; row++) {
            // 0 and -0 are one value.
            float value = value(row, index) + 0f;
            Float other = values.putIfAbsent(labels[row], value);
            if (other != null && other != value) {
                return Map.of();
            }
        }
        return 2 * values.size() <= labels.length ? values : Map.of();
    }

    /** Finds columns of two values that each separate one class, and together all classes or all except one. */
    private void findOneHot() {
        BitSet found = new BitSet();
        Set<Integer> separated = new HashSet<>();
        int classCount = (int) IntStream.of(labels).distinct().count();
        for (int i = 0; i < columns.length; i++) {
            Map<Integer, Float> values = valuesOfClasses(i);
            Map<Float, List<Integer>> byValue =
                    values.keySet().stream().collect(Collectors.groupingBy(label -> values.getOrDefault(label, 0f)));
            List<Integer> alone = byValue.values().stream()
                    .filter(group -> byValue.size() == 2 && group.size() == 1)
                    .flatMap(List::stream)
                    .toList();
            found.set(i, !alone.isEmpty());
            separated.addAll(alone);
        }
        if (separated.size() >= classCount - 1) {
            oneHot.or(found);
        }
    }

    /** Returns whether a line maps the label to the column, and the label has at least three numbers. */
    private boolean isScaledLabel(int index) {
        int least = 0;
        int most = 0;
        for (int row = 1; row < labels.length; row++) {
            least = number(row) < number(least) ? row : least;
            most = number(row) > number(most) ? row : most;
        }
        double from = number(least);
        double start = value(least, index);
        double range = value(most, index) - start;
        double slope = range / (number(most) - from);
        return range != 0
                && IntStream.of(labels).distinct().limit(3).count() == 3
                && IntStream.range(0, labels.length)
                        .allMatch(row -> Math.abs(start + slope * (number(row) - from) - value(row, index))
                                <= NEAR * Math.abs(range));
    }

    private double number(int row) {
        return classes.get(labels[row]);
    }

    /** Returns whether the column has consecutive whole numbers, each once, in any order. */
    private boolean numbersRows(int index) {
        float least = Float.POSITIVE_INFINITY;
        for (int row = 0; row < labels.length; row++) {
            float value = value(row, index);
            if (value != Math.rint(value)) {
                return false;
            }
            least = Math.min(least, value);
        }
        BitSet found = new BitSet(labels.length);
        for (int row = 0; row < labels.length; row++) {
            double place = (double) value(row, index) - least;
            if (place >= labels.length || found.get((int) place)) {
                return false;
            }
            found.set((int) place);
        }
        return true;
    }
}
