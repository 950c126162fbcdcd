package dev.edl.runtime.data.csv;

import dev.edl.runtime.data.ArrayDataset;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Contents of a CSV file of numbers with a class for each row, as detected properties and a dataset.
 *
 * <pre>{@code
 * CsvTable table = CsvTable.read(Path.of("iris.csv"));                  // the label is the last column
 * table.dataset().split(0.2, 42).standardized();
 * table.classNames().get(predictedClass);                               // the label as the file has it
 *
 * CsvTable.reader().label("species").skipBadRows().read(file).problems();
 * }</pre>
 *
 * @param file the file
 * @param separator the field separator: a comma, a semicolon or a tab
 * @param header whether the first line names the columns
 * @param columns the number of columns in the file; unused columns count too
 * @param features names of the feature columns in the order of the file, or of {@link CsvTableReader#features}; {@code
 *     column 1} and so on without a header
 * @param label name of the label column
 * @param classes the labels of the file in ascending order; a class index in the dataset is an index in this list; for
 *     text labels, the list is 0, 1 and so on; those of the other table after {@link CsvTableReader#like}
 * @param classNames name of each class as the file has it, in the order of {@code classes}; texts ascend as
 *     {@link String} compares
 * @param problems the problems of skipped rows, then doubts: cells of a column that are different numbers but one
 *     32-bit float, labels that are written differently but one class, a first line that may be a header or a row,
 *     columns that may be no measurement
 * @param skipped the problems of skipped rows; empty unless bad rows are skipped
 * @param dataset the rows, in the order of the file
 */
public record CsvTable(
        Path file,
        char separator,
        boolean header,
        int columns,
        List<String> features,
        String label,
        List<Long> classes,
        List<String> classNames,
        List<CsvProblem> problems,
        List<CsvProblem> skipped,
        ArrayDataset dataset) {
    /** Beginning of the name of a column without a header; its number from 1 follows. */
    static final String COLUMN = "column ";

    /** Copies the lists. */
    public CsvTable {
        features = List.copyOf(features);
        classes = List.copyOf(classes);
        classNames = List.copyOf(classNames);
        problems = List.copyOf(problems);
        skipped = List.copyOf(skipped);
    }

    /**
     * Reads a file with the label in the last column; detects everything else in the file.
     *
     * @throws BadRowsException when a row is invalid
     * @throws IOException when the file is missing, empty or no table with at least two classes
     * @see CsvTableReader
     */
    public static CsvTable read(Path file) throws IOException {
        return reader().read(file);
    }

    /** Returns a reader whose settings can be changed. */
    public static CsvTableReader reader() {
        return CsvTableReader.DEFAULT;
    }

    /**
     * Returns, for example,
     * {@code CsvTable[iris.csv: 150 rows, 4 features, label "species" with 3 classes, comma, header]}.
     */
    @Override
    public String toString() {
        String separated = separator == ',' ? "comma" : separator == ';' ? "semicolon" : "tab";
        return "CsvTable[" + file + ": " + dataset.rows() + " rows, " + features.size() + " features, label \"" + label
                + "\" with " + classes.size() + " classes, " + separated + ", " + (header ? "header" : "no header")
                + (skipped.isEmpty()
                        ? ""
                        : ", "
                                + skipped.stream()
                                        .mapToLong(CsvProblem::line)
                                        .distinct()
                                        .count() + " bad rows skipped")
                + "]";
    }
}
