package dev.edl.runtime.data.csv;

import dev.edl.runtime.data.IdHash;
import dev.edl.runtime.data.RecordNames;
import dev.edl.runtime.model.Batch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Immutable positions of a dataset's columns in a file; converts the cells of a record to a row. */
final class CsvLayout {
    private final Path file;
    private final CsvColumns columns;
    private final List<String> names;
    private final boolean header;
    private final long firstLine;
    private final DetectedCsvFormat guess;
    private final List<List<String>> next;
    private final int[] features;
    private final int[] labels;
    private final int[] ids;

    /**
     * Finds the selected columns in a file.
     *
     * @param guess the first line, and the properties that are detected in it
     * @param next the next records, at most {@link DetectedCsvFormat#ROWS}
     * @param model layout of the dataset's first file, whose order of features applies to all files; null when this is
     *     the first file
     */
    CsvLayout(
            Path file, CsvColumns columns, DetectedCsvFormat guess, List<List<String>> next, @Nullable CsvLayout model)
            throws IOException {
        this.file = file;
        this.columns = columns;
        this.firstLine = guess.line();
        this.guess = guess;
        this.next = next;
        Boolean wanted = columns.settings().header();
        this.header = wanted != null ? wanted : CsvNumberFormat.isHeader(guess.first());
        this.names = guess.first().stream().map(String::strip).toList();
        this.labels = columnNames().places(columns.labelColumns());
        this.ids = columnNames()
                .places(columns.idColumns().stream().map(CsvColumns.Id::column).toList());
        if (header && wanted == null) {
            requireHeader();
        }
        int[] others = IntStream.concat(IntStream.of(labels), IntStream.of(ids)).toArray();
        int[] selected = columnNames().features(columns.settings(), others);
        for (int label : labels) {
            if (CsvColumnNames.contains(selected, label) || CsvColumnNames.contains(ids, label)) {
                throw new IOException(file + ": column " + (label + 1)
                        + " is a label, so it can be no feature and no id;" + " label(...) selects another column");
            }
        }
        this.features = columns.settings().features() != null ? selected : ordered(selected, model);
    }

    private CsvColumnNames columnNames() {
        return new CsvColumnNames(file, names, header, guess);
    }

    /** Returns the doubts about the header, and about features that no setting selected by name. */
    List<CsvProblem> problems() {
        List<CsvProblem> problems = new ArrayList<>();
        boolean numbers = columns.settings().header() == null && !header && CsvNumberFormat.areColumnNumbers(names);
        int text = numbers ? 0 : guess.textAbove(next);
        if (text >= 0) {
            String reason =
                    numbers ? "the line looks like column numbers" : "the rows below have numbers in its column";
            problems.add(problem(
                    firstLine,
                    text,
                    names.get(text),
                    "is read as a cell of a row, but " + reason + "; " + guess.ofBoth()));
        }
        if (columns.settings().features() == null) {
            int last = names.size() - 1;
            if (!header
                    && CsvColumnNames.contains(features, last)
                    && names.get(last).isEmpty()) {
                problems.add(problem(
                        firstLine,
                        last,
                        "",
                        "is empty, as the last column is if each line ends with a separator; "
                                + columnNames().advice(List.of(last))));
            }
            problems.addAll(SuspiciousCsvColumns.ofHeader(columnNames(), features, firstLine, names));
        }
        return problems;
    }

    /** Returns the advice for problems that are all missing cells of a last column without a name; otherwise empty. */
    String adviceOfEnd(List<CsvProblem> problems) {
        int last = names.size() - 1;
        boolean isEnd = columnNames().isAtEnd(last)
                && problems.stream()
                        .allMatch(p -> p.column() == last + 1 && p.value().isBlank());
        return !isEnd
                ? ""
                : "; a separator at the end of each line gives such a column, "
                        + (CsvColumnNames.contains(labels, last)
                                ? "label(...) selects another column"
                                : columnNames().advice(List.of(last)));
    }

    /**
     * Rejects a detected header that is probably a row: the field of the label column is one of the classes, and the
     * column was not selected by that name.
     */
    private void requireHeader() throws IOException {
        for (int i = 0; i < labels.length; i++) {
            String name = names.get(labels[i]);
            if (columns.classes().contains(name)
                    && !columns.labelColumns().get(i).equals(name)) {
                throw new IOException(
                        file + ": line " + firstLine + ": has no number, so it would name the columns, but"
                                + " column " + (labels[i] + 1) + " is \"" + name + "\", one of the classes "
                                + columns.classes() + "; header(false) reads it as a row, header(true) as names");
            }
        }
    }

    /** Returns columns in the order of the dataset's first file. */
    private int[] ordered(int[] others, @Nullable CsvLayout model) throws IOException {
        if (model == null || !header || !model.header || others.length != model.features.length) {
            return others;
        }
        List<String> wanted = model.namesOf(model.features);
        List<String> found = namesOf(others);
        if (found.equals(wanted)) {
            return others;
        }
        if (!found.stream().sorted().toList().equals(wanted.stream().sorted().toList())) {
            throw new IOException(file + ": must have the features of " + model.file + ", which are "
                    + CsvColumnNames.listed(wanted) + "; was " + CsvColumnNames.listed(found)
                    + (Collections.disjoint(found, wanted) ? guess.ofHeader() : ""));
        }
        return columnNames().places(wanted);
    }

    /**
     * Checks that the selected columns are those of another file of the dataset: by their names if both files have
     * headers, otherwise by the number of columns.
     *
     * @throws IOException if a column that is selected by its number has another name, or files without headers have
     *     other columns
     */
    void requireLike(CsvLayout model) throws IOException {
        if (header && model.header) {
            requireNames(features, model, model.features);
            requireNames(labels, model, model.labels);
            requireNames(ids, model, model.ids);
        } else if (names.size() != model.names.size()) {
            throw new IOException(file + ": without a header, it must have " + model.names.size() + " columns as in "
                    + model.file + ", was " + names.size() + guess.ofOther(model.guess)
                    + (header ? guess.ofHeader() : ""));
        }
    }

    private void requireNames(int[] places, CsvLayout model, int[] others) throws IOException {
        for (int i = 0; i < Math.min(places.length, others.length); i++) {
            String wanted = model.names.get(others[i]);
            if (!names.get(places[i]).equals(wanted)) {
                throw new IOException(file + ": column " + (places[i] + 1) + " must be \"" + wanted + "\" as in "
                        + model.file + ", was \"" + names.get(places[i])
                        + "\"; select columns by their names" + guess.ofHeader());
            }
        }
    }

    private List<String> namesOf(int[] places) {
        return IntStream.of(places).mapToObj(names::get).toList();
    }

    /** Returns the header's names, and the classes of the label; labels without classes are numbers. */
    RecordNames recordNames() {
        return new RecordNames(
                header ? namesOf(features) : List.of(),
                columns.classes(),
                header ? namesOf(labels) : List.of(),
                header ? IntStream.range(0, ids.length).mapToObj(this::idName).toList() : List.of(),
                features.length > 0 ? RecordNames.AS_READ : "",
                labels.length > 0 && columns.classes().isEmpty());
    }

    private String idName(int place) {
        long buckets = columns.idColumns().get(place).buckets();
        return names.get(ids[place]) + (buckets > 0 ? " hashed to " + buckets : "");
    }

    Path file() {
        return file;
    }

    DetectedCsvFormat guess() {
        return guess;
    }

    boolean header() {
        return header;
    }

    int features() {
        return features.length;
    }

    int labels() {
        return labels.length;
    }

    int ids() {
        return ids.length;
    }

    /**
     * Adds a row to the batch and the problems of its cells to {@code problems}; if there are problems, the row must
     * not be used.
     */
    void add(long line, List<String> fields, Batch into, List<CsvProblem> problems) {
        int row = into.row();
        if (fields.size() != names.size()) {
            problems.add(CsvProblem.ofRow(
                    line, "expected " + names.size() + " fields as in line " + firstLine + ", found " + fields.size()));
            return;
        }
        for (int i = 0; i < features.length; i++) {
            String cell = fields.get(features[i]);
            Float missing = columns.missing();
            into.features()[row * features.length + i] = missing != null
                            && columns.settings().missing().is(cell)
                    ? missing
                    : number(line, features[i], cell, problems);
        }
        for (int i = 0; i < labels.length; i++) {
            String cell = fields.get(labels[i]);
            into.labels()[row * labels.length + i] = columns.classes().isEmpty()
                    ? label(line, labels[i], cell, problems)
                    : classOf(line, labels[i], cell, problems);
        }
        for (int i = 0; i < ids.length; i++) {
            into.ids()[row * ids.length + i] = id(line, i, fields.get(ids[i]).strip(), problems);
        }
    }

    private float number(long line, int column, String cell, List<CsvProblem> problems) {
        return number(line, column, cell, CsvNumberFormat.problemOfFeature(cell), problems);
    }

    private float label(long line, int column, String cell, List<CsvProblem> problems) {
        return number(line, column, cell, CsvNumberFormat.problemOfFloatLabel(cell), problems);
    }

    private float number(long line, int column, String cell, String problem, List<CsvProblem> problems) {
        if (!problem.isEmpty()) {
            problems.add(problem(line, column, cell, problem));
            return 0;
        }
        return CsvNumberFormat.feature(cell);
    }

    private float classOf(long line, int column, String cell, List<CsvProblem> problems) {
        int index = columns.classes().indexOf(cell.strip());
        if (index < 0) {
            problems.add(problem(line, column, cell, "is not one of the classes " + columns.classes()));
        }
        return index;
    }

    private long id(long line, int place, String cell, List<CsvProblem> problems) {
        if (columns.settings().missing().is(cell)) {
            return -1;
        }
        long buckets = columns.idColumns().get(place).buckets();
        if (buckets > 0) {
            return IdHash.of(place, cell, buckets);
        }
        try {
            return Long.parseLong(cell);
        } catch (NumberFormatException withPoint) {
            // Slower, and rare: 2.0 is an id, too.
        }
        if (!CsvNumberFormat.problemOfLabel(cell).isEmpty()) {
            problems.add(problem(
                    line, ids[place], cell, "is not a 64-bit whole number, for example 3; hashedIds accepts any text"));
            return -1;
        }
        return CsvNumberFormat.label(cell);
    }

    private CsvProblem problem(long line, int column, String cell, String problem) {
        return columnNames().problem(line, column, cell, problem);
    }
}
