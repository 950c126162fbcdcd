package dev.edl.runtime.data.csv;

import dev.edl.runtime.data.ArrayDataset;
import dev.edl.runtime.data.RecordNames;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Collects the rows of a CSV file: finds header and label column, checks each value, and keeps the problems. */
final class CsvRowCollector {
    /** Number of rows from which on a text label column is rejected if the text differs in most of the rows. */
    private static final int MANY_ROWS = 20;

    /** Number of rows below which only the first row may have its number as a label by chance. */
    private static final int SEVERAL_ROWS = 6;

    private final Path file;
    private final CsvTableReader reader;
    private final CsvSettings settings;
    private final char separator;

    private List<String> names = List.of();
    private boolean header;
    private long firstLine;
    private int labelColumn = -1;
    private int[] columns = {};
    private boolean[] unused = {};
    private float[] features = new float[1024];
    private int used;
    private final CsvLabels labels;
    private boolean textAmongNumbers;
    /** First label that is a word for a missing value; empty if there is none. */
    private String missingLabel = "";

    private long rows;
    /** Whether rows lack a value in the last column, and whether rows have one. */
    private boolean emptyEnd;

    private boolean filledEnd;

    private final List<CsvProblem> problems = new ArrayList<>();
    private final List<CsvProblem> doubts = new ArrayList<>();
    private List<String> first = List.of();
    /** Rows below the first line. */
    private final List<List<String>> next = new ArrayList<>();

    private DetectedCsvFormat guess = new DetectedCsvFormat(null, false, 1, List.of());
    private String separatorAdvice = "";
    private long firstKeptLine;
    private List<String> firstKept = List.of();
    private CsvPrecisionCheck precision = new CsvPrecisionCheck(1);

    CsvRowCollector(Path file, CsvTableReader reader, char separator, CsvLabels labels) {
        this.file = file;
        this.reader = reader;
        this.settings = reader.settings();
        this.separator = separator;
        this.labels = labels;
    }

    void add(long line, List<String> fields) throws IOException {
        if (CsvFormat.isBlank(fields)) {
            return;
        }
        if (labelColumn < 0) {
            start(line, fields);
            if (header) {
                return;
            }
        }
        rows++;
        if (line != firstLine && next.size() < DetectedCsvFormat.ROWS) {
            next.add(fields);
        }
        if (fields.size() != names.size()) {
            problems.add(CsvProblem.ofRow(
                    line, "expected " + names.size() + " fields as in line " + firstLine + ", found " + fields.size()));
        } else {
            boolean empty = fields.get(fields.size() - 1).isBlank();
            emptyEnd |= empty;
            filledEnd |= !empty;
            if (isGood(line, fields)) {
                keep(line, fields);
                return;
            }
        }
        if (separatorAdvice.isEmpty()) {
            separatorAdvice = guess.ofSeparator(fields);
        }
    }

    private void start(long line, List<String> fields) throws IOException {
        CsvFormat.checkFirst(file, line, fields, separator);
        firstLine = line;
        first = fields;
        Boolean wanted = settings.header();
        guess = new DetectedCsvFormat(settings.separator() == null ? separator : null, wanted == null, line, fields);
        precision = new CsvPrecisionCheck(fields.size());
        header = wanted != null ? wanted : CsvNumberFormat.isHeader(fields);
        names = header
                ? fields.stream().map(String::strip).toList()
                : IntStream.rangeClosed(1, fields.size())
                        .mapToObj(i -> CsvTable.COLUMN + i)
                        .toList();
        if (names.size() == 1) {
            throw new IOException(file + ": line " + line + ": must have at least one feature and a label, separated"
                    + " by comma, semicolon or tab; found one column: \"" + fields.get(0) + "\"");
        }
        requireLike();
        requireUnique(chosen());
        labelColumn = labelColumn();
        columns = columnNames().features(settings, new int[] {labelColumn});
        unused = new boolean[fields.size()];
        Arrays.fill(unused, true);
        unused[labelColumn] = false;
        for (int column : columns) {
            unused[column] = false;
        }
        if (CsvColumnNames.contains(columns, labelColumn)) {
            throw new IOException(file + ": features(...): column " + (labelColumn + 1) + " is the label " + labelName()
                    + "; label(...) selects another column");
        }
        if (columns.length == 0) {
            throw new IOException(file + ": must have at least one feature beside the label " + labelName()
                    + ", but all columns are left out");
        }
        requireUnique(IntStream.range(0, names.size())
                .filter(i -> !unused[i])
                .mapToObj(names::get)
                .toList());
    }

    /** Rejects a file that lacks a column of the table to read like, or has another number of columns without names. */
    private void requireLike() throws IOException {
        CsvTable other = reader.like();
        if (other == null) {
            return;
        }
        if (!other.header() && names.size() != other.columns()) {
            throw new IOException(file + ": line " + firstLine + ": has " + names.size() + " columns, but "
                    + other.columns() + " are needed as in " + other.file() + ", which has no header"
                    + guess.ofSeparator(first));
        }
        Set<String> wanted = new LinkedHashSet<>(chosen());
        wanted.add(reader.label());
        Set<String> missing = new HashSet<>(other.features());
        missing.add(other.label());
        names.forEach(missing::remove);
        for (String name : wanted) {
            // A name of digits would otherwise be taken for a number.
            if (other.header() && missing.contains(name)) {
                throw columnNames().unknown(name);
            }
        }
    }

    private List<String> chosen() {
        return Objects.requireNonNullElse(settings.features(), List.of());
    }

    /** Rejects a name of a selected column that another column has too, because it names no column of another file. */
    private void requireUnique(Collection<String> selected) throws IOException {
        Set<String> wanted = new HashSet<>(selected);
        Map<String, Integer> places = new HashMap<>();
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            Integer other = places.putIfAbsent(name, i);
            if (other != null && wanted.contains(name)) {
                throw new IOException(file + ": line " + firstLine + ": columns " + (other + 1) + " and " + (i + 1)
                        + " have the name \"" + name + "\"; give each column its own name, for example \"" + name
                        + "." + (i + 1) + "\"" + guess.ofHeader());
            }
        }
    }

    private CsvColumnNames columnNames() {
        return new CsvColumnNames(file, names, header, guess);
    }

    private int labelColumn() throws IOException {
        String wantedLabel = reader.label();
        if (header && names.contains(wantedLabel)) {
            return names.indexOf(wantedLabel);
        }
        if (wantedLabel.equals("last")) {
            return names.size() - 1;
        }
        if (wantedLabel.matches("\\d{1,9}")) {
            int number = Integer.parseInt(wantedLabel);
            if (number >= 1 && number <= names.size()) {
                return number - 1;
            }
        }
        throw new IOException(file + ": label \"" + wantedLabel
                + "\": there is no such column; valid are \"last\", 1 to " + names.size()
                + (header ? " and the names of the header: " + CsvColumnNames.listed(names) : " (there is no header)")
                + guess.ofColumn(wantedLabel, header));
    }

    private boolean isGood(long line, List<String> fields) {
        boolean isGood = true;
        boolean textOnly = false;
        for (int i = 0; i < fields.size(); i++) {
            if (unused[i]) {
                continue;
            }
            String cell = fields.get(i);
            String problem = i == labelColumn ? labels.problemOf(cell) : CsvNumberFormat.problemOfFeature(cell);
            if (!problem.isEmpty()) {
                problems.add(problem(line, i, cell, problem));
                boolean none = cell.isBlank() || CsvMissingValues.isWord(cell.strip());
                boolean text = i == labelColumn && !labels.isText() && !CsvNumberFormat.isNumber(cell) && !none;
                missingLabel = missingLabel.isEmpty() && i == labelColumn && none ? cell.strip() : missingLabel;
                textOnly = isGood ? text : textOnly && text;
                isGood = false;
            }
        }
        textAmongNumbers |= textOnly;
        return isGood;
    }

    private CsvProblem problem(long line, int column, String cell, String problem) {
        return columnNames().problem(line, column, cell, problem);
    }

    private void keep(long line, List<String> fields) {
        int width = columns.length;
        if (used + width > features.length) {
            features = Arrays.copyOf(features, Math.addExact(Math.max(features.length, width), features.length));
        }
        if (firstKept.isEmpty()) {
            firstKept = fields;
            firstKeptLine = line;
        }
        String doubt = labels.add(fields.get(labelColumn));
        if (!doubt.isEmpty()) {
            doubts.add(problem(line, labelColumn, fields.get(labelColumn), doubt));
        }
        for (int column : columns) {
            String cell = fields.get(column);
            float value = CsvNumberFormat.feature(cell);
            precision.add(column, header ? names.get(column) : "", line, cell, value);
            features[used++] = value;
        }
    }

    CsvTable table() throws IOException {
        if (names.isEmpty()) {
            throw new IOException(file + ": is empty; must have rows of numbers, for example 5.1,3.5,0");
        }
        if (rows == 0) {
            throw new IOException(file + ": has a header but no row");
        }
        int good = labels.rows();
        requireEnd();
        if (!problems.isEmpty() && (!reader.skipsBadRows() || good == 0)) {
            throw new BadRowsException(file, rows, problems, advice());
        }
        List<String> classes = labels.names();
        if (classes.size() < 2) {
            throw new IOException(file + ": must have at least two classes, but the label " + labelName() + " is "
                    + classes.get(0) + " in every row");
        }
        if (labels.isText() && !labels.areGiven() && good >= MANY_ROWS && classes.size() > good / 2) {
            throw new IOException(file + ": the label " + labelName() + " has " + classes.size()
                    + " different texts in " + good + " rows (" + labels.some()
                    + "), so they are not class names; label(...) selects another column");
        }
        if (!labels.isText() && !labels.areGiven() && good >= MANY_ROWS && classes.size() > good / 2) {
            String doubt = "is one of " + classes.size() + " different numbers in " + good
                    + " rows, so the label may be a value or an id and no class; label(...) selects another column, and"
                    + " CsvDataset reads values";
            doubts.add(problem(firstKeptLine, labelColumn, firstKept.get(labelColumn), doubt));
        }
        int[] indexes = labels.indexes();
        float[] values = Arrays.copyOf(features, used);
        List<CsvProblem> imprecise = precision.problems(file, good);
        doubts.addAll(imprecise);
        doubtHeader(classes);
        if (settings.features() == null) {
            doubts.addAll(new SuspiciousCsvColumns(columnNames(), columns, values, indexes, labels.classes())
                    .problems(
                            firstLine,
                            names,
                            firstKeptLine,
                            firstKept,
                            imprecise.stream().map(CsvProblem::column).collect(Collectors.toSet())));
        }
        List<String> featureNames = IntStream.of(columns).mapToObj(names::get).toList();
        ArrayDataset dataset = new ArrayDataset(baseName(), columns.length, values, indexes, good)
                .named(new RecordNames(
                        header ? featureNames : List.of(),
                        classes,
                        header ? List.of(names.get(labelColumn)) : List.of(),
                        List.of(),
                        RecordNames.AS_READ,
                        false));
        return new CsvTable(
                file,
                separator,
                header,
                names.size(),
                featureNames,
                names.get(labelColumn),
                labels.classes(),
                classes,
                Stream.concat(problems.stream(), doubts.stream()).toList(),
                problems,
                dataset);
    }

    /** Rejects a last column without name and values, because a separator at the end of each line adds it. */
    private void requireEnd() throws IOException {
        int last = names.size() - 1;
        if (emptyEnd && !filledEnd && !unused[last] && columnNames().isAtEnd(last)) {
            throw new IOException(
                    file + ": column " + (last + 1) + " has no name and no value, as a separator at the end"
                            + " of each line gives; " + (last == labelColumn ? "label(...) selects the label, " : "")
                            + columnNames().advice(List.of(last)));
        }
    }

    /**
     * Reports doubts about a detected header after comparing it with the other rows, since detection used only the
     * first line.
     */
    private void doubtHeader(List<String> classes) throws IOException {
        if (settings.header() != null) {
            return;
        }
        String label = first.get(labelColumn);
        boolean numbers = CsvNumberFormat.areColumnNumbers(first);
        boolean skipped = isSkipped(firstLine);
        boolean number = CsvNumberFormat.isNumber(label);
        boolean alone = !skipped && !labels.areGiven() && labels.isFirstAlone(number);
        int text = guess.textAbove(next);
        if (header && classes.contains(label.strip())) {
            doubtFirst(labelColumn, "names the column, but is also the label of rows");
        } else if (header && first.stream().map(String::strip).anyMatch(CsvMissingValues::isWord)) {
            int column = IntStream.range(0, first.size())
                    .filter(i -> CsvMissingValues.isWord(first.get(i).strip()))
                    .findFirst()
                    .orElseThrow();
            doubtFirst(column, "names the column, but usually stands for a missing value");
        } else if (!header && numbers && alone) {
            throw new IOException(file + ": line " + firstLine + ": " + String.join(", ", first)
                    + " are column numbers and not a row, because no other row has this label; set header(true),"
                    + " or header(false) if it is a row");
        } else if (!header && text >= 0) {
            doubtFirst(
                    text,
                    "is read as a cell of a " + (skipped ? "bad " : "")
                            + "row, but the rows below have numbers in its column");
        } else if (!header && !skipped && numbers) {
            doubtFirst(labelColumn, "is read as the label of a row, but the line looks like column numbers");
        } else if (!header && alone && (!number || labels.rows() >= SEVERAL_ROWS)) {
            doubtFirst(labelColumn, "is read as the label of a row, but no other row has it");
        }
    }

    private void doubtFirst(int column, String doubt) {
        doubts.add(problem(firstLine, column, first.get(column), doubt + "; " + guess.ofBoth()));
    }

    private boolean isSkipped(long line) {
        return problems.stream().anyMatch(problem -> problem.line() == line);
    }

    private String advice() {
        String advice =
                labels.rows() == 0 ? "no row is left to read" : "correct them, or read the rest with skipBadRows()";
        if (textAmongNumbers && !labels.areGiven()) {
            advice += "; textLabels() reads each label as a class name";
        }
        if (!missingLabel.isEmpty() && labels.mayBeText() && !labels.areGiven()) {
            advice += "; notMissing(\"" + missingLabel + "\") reads this label as a class name";
        }
        return advice
                + separatorAdvice
                + (header ? "" : guess.ofRow(problems.get(0).line()));
    }

    private String labelName() {
        return header ? "\"" + names.get(labelColumn) + "\"" : "in " + names.get(labelColumn);
    }

    private String baseName() {
        Path name = file.getFileName();
        String text = name == null ? "table" : name.toString();
        int dot = text.indexOf('.');
        return dot > 0 ? text.substring(0, dot) : text;
    }
}
