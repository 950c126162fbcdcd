package dev.edl.runtime.data.csv;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import dev.edl.runtime.data.DataFiles;
import dev.edl.runtime.data.internal.UninterruptibleFileChannel;
import dev.edl.runtime.internal.files.OpenFile;
import dev.edl.runtime.model.Batch;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One CSV file of a dataset; indexes it and reads ranges of records. Safe for several threads. */
final class IndexedCsvFile {
    private final Path file;
    private final char separator;
    private final CsvIndex index;
    /** Layout of the columns; null for a file without records. */
    private final @Nullable CsvLayout layout;

    private IndexedCsvFile(Path file, char separator, CsvIndex index, @Nullable CsvLayout layout) {
        this.file = file;
        this.separator = separator;
        this.index = index;
        this.layout = layout;
    }

    /**
     * Opens a file.
     *
     * @param model layout of the dataset's first file that has a record; null when no earlier file has one
     */
    static IndexedCsvFile open(Path file, CsvColumns columns, @Nullable CsvLayout model) throws IOException {
        int mark = checkStart(file);
        Character wanted = columns.settings().separator();
        char separator = wanted != null ? wanted : CsvFormat.separator(file);
        CsvIndex index;
        try (InputStream in = OpenFile.read(file).input(mark)) {
            index = CsvIndex.of(file, in, mark, separator);
        }
        CsvLayout layout = index.records() == 0 ? null : layout(file, separator, wanted == null, index, columns, model);
        return new IndexedCsvFile(file, separator, index, layout);
    }

    Path file() {
        return file;
    }

    /**
     * Returns the layout of the columns; null for a file without header and rows, such as an empty part of a folder.
     */
    @Nullable
    CsvLayout layout() {
        return layout;
    }

    long records() {
        return index.records() - (layout != null && layout.header() ? 1 : 0);
    }

    /** Adds a range of the file's records to the batch. */
    void read(long start, long end, Batch into) throws IOException {
        CsvLayout layout = this.layout;
        if (start == end || layout == null) {
            return;
        }
        if (Files.size(file) != index.size()) {
            throw new IOException(file + ": had " + index.size() + " bytes when it was opened, has " + Files.size(file)
                    + "; a file must not change while it is read");
        }
        long first = start + (layout.header() ? 1 : 0);
        List<CsvProblem> problems = new ArrayList<>();
        long skip = first % CsvIndex.STRIDE;
        long left = end - start;
        String advice = "";
        try (CsvReader<CsvRecord> records = reader(file, separator, index.offset(first))) {
            for (CsvRecord record : records) {
                if (CsvFormat.isBlank(record.getFields()) || skip-- > 0) {
                    continue;
                }
                long line = index.line(first) + record.getStartingLineNumber() - 1;
                int before = problems.size();
                layout.add(line, record.getFields(), into, problems);
                if (problems.size() > before && advice.isEmpty()) {
                    advice = layout.guess().ofSeparator(record.getFields());
                }
                if (--left == 0) {
                    break;
                }
            }
        } catch (CsvParseException | UncheckedIOException e) {
            throw CsvFormat.unreadable(file, e);
        }
        if (left > 0) {
            throw new IOException(file + ": " + left + " records fewer than when it was opened; a file must not change"
                    + " while it is read");
        }
        if (!problems.isEmpty()) {
            String emptyEnd = layout.adviceOfEnd(problems);
            throw new BadRowsException(
                    file,
                    end - start,
                    problems,
                    "these are records " + start + " to " + (end - 1) + " of the file" + advice
                            + emptyEnd
                            + (layout.header() || !emptyEnd.isEmpty()
                                    ? ""
                                    : layout.guess().ofRow(problems.get(0).line())));
        }
    }

    private static CsvLayout layout(
            Path file, char separator, boolean detected, CsvIndex index, CsvColumns columns, @Nullable CsvLayout model)
            throws IOException {
        List<List<String>> rows = new ArrayList<>();
        try (CsvReader<CsvRecord> records = reader(file, separator, index.offset(0))) {
            for (CsvRecord record : records) {
                if (!CsvFormat.isBlank(record.getFields())) {
                    rows.add(record.getFields());
                }
                if (rows.size() > DetectedCsvFormat.ROWS) {
                    break;
                }
            }
        } catch (CsvParseException | UncheckedIOException e) {
            throw CsvFormat.unreadable(file, e);
        }
        if (rows.isEmpty()) {
            throw new IOException(file + ": had records when it was indexed; a file must not change while it is read");
        }
        long line = index.line(0);
        List<String> first = rows.remove(0);
        CsvFormat.checkFirst(file, line, first, separator);
        boolean detectsHeader = columns.settings().header() == null;
        DetectedCsvFormat guess = new DetectedCsvFormat(detected ? separator : null, detectsHeader, line, first);
        return new CsvLayout(file, columns, guess, rows, model);
    }

    private static CsvReader<CsvRecord> reader(Path file, char separator, long offset) throws IOException {
        InputStream in = OpenFile.read(file).input(offset);
        Reader text = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        return CsvFormat.parser(text, separator);
    }

    /** Rejects a gzip file, which could only be read from its start; returns the length of the byte order mark. */
    private static int checkStart(Path file) throws IOException {
        byte[] start;
        try (UninterruptibleFileChannel bytes = new UninterruptibleFileChannel(DataFiles.file(file, "CSV"))) {
            start = UninterruptibleFileChannel.exactly(file, bytes, 0, (int) Math.min(3, bytes.size()));
        }
        if (start.length > 1 && start[0] == 0x1f && start[1] == (byte) 0x8b) {
            throw new IOException(file + ": is a gzip file, which cannot be read from the middle; decompress it, read"
                    + " it into memory with CsvTable, or write it to RecordIO files with SpooledDataset");
        }
        return CsvFormat.mark(file, start);
    }
}
