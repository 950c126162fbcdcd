package dev.edl.runtime.data.csv;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * Opens and parses a CSV file, with the checks that both CSV readers share; detects the separator of its first line.
 */
final class CsvFormat {
    private static final byte[] GZIP = {0x1f, (byte) 0x8b};
    private static final byte[] UTF_8_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};
    private static final byte[] UTF_16_LITTLE = {(byte) 0xff, (byte) 0xfe};
    private static final byte[] UTF_16_BIG = {(byte) 0xfe, (byte) 0xff};

    /** Ends the text that {@link #open} returns. A zero byte in the file itself is rejected. */
    private static final char END = '\0';

    private static final Pattern EXCEL_SEPARATOR = Pattern.compile("(?i)sep=(.?)");

    private CsvFormat() {}

    /** Returns a parser of records, which must be checked by {@link #isEnd} or indexed by {@link CsvIndex}. */
    static CsvReader<CsvRecord> parser(Reader text, char separator) {
        return CsvReader.builder()
                .fieldSeparator(separator)
                .skipEmptyLines(true)
                .allowExtraFields(true)
                .allowMissingFields(true)
                .trimWhitespacesAroundQuotes(true)
                .ofCsvRecord(text);
    }

    /** Returns whether the parsed fields are those of a blank line, which is not a record. */
    static boolean isBlank(List<String> fields) {
        return fields.size() == 1 && isBlank(fields.get(0));
    }

    private static boolean isBlank(String line) {
        return line.chars().allMatch(c -> c <= ' ');
    }

    /**
     * Returns whether a record is the end mark of {@link #open}; rejects a record that contains the mark, because the
     * parser lets the end of a file close a quote.
     */
    static boolean isEnd(Path file, CsvRecord record) throws IOException {
        String last = record.getField(record.getFieldCount() - 1);
        if (last.isEmpty() || last.charAt(last.length() - 1) != END) {
            return false;
        }
        if (record.getFieldCount() > 1 || last.length() > 1) {
            throw neverClosed(file, record.getStartingLineNumber());
        }
        return true;
    }

    static IOException neverClosed(Path file, long line) {
        return new IOException(file + ": line " + line + ": a quote that this record opens is never closed");
    }

    /** Rejects a first record that sets the separator for Excel, as {@code sep=;} does. */
    static void checkFirst(Path file, long line, List<String> fields, char separator) throws IOException {
        String text = String.join(String.valueOf(separator), fields).strip();
        Matcher excel = EXCEL_SEPARATOR.matcher(text);
        if (!excel.matches()) {
            return;
        }
        String wanted = excel.group(1).isEmpty() ? "\t" : excel.group(1);
        throw new IOException(
                file + ": line " + line + ": \"" + text + "\" sets the separator for Excel and is not a row;"
                        + " delete this line and "
                        + (",;\t".contains(wanted)
                                ? "set separator('" + (wanted.equals("\t") ? "\\t" : wanted) + "')"
                                : "separate the fields by comma, semicolon or tab"));
    }

    /**
     * Opens the text of a file, decompressed if it is gzip, without a byte order mark; rejects text that is not UTF-8.
     * The text has one more line, for {@link #isEnd}.
     */
    static BufferedReader open(Path file) throws IOException {
        if (Files.notExists(file)) {
            throw new NoSuchFileException(file.toString(), null, "there is no such CSV file");
        }
        if (Files.isDirectory(file)) {
            throw new IOException(file + ": is a directory; name one CSV file");
        }
        InputStream bytes = new BufferedInputStream(Files.newInputStream(file));
        try {
            if (startsWith(bytes, GZIP)) {
                bytes = new BufferedInputStream(new GZIPInputStream(bytes));
            }
            bytes.mark(UTF_8_MARK.length);
            byte[] start = bytes.readNBytes(UTF_8_MARK.length);
            bytes.reset();
            // Skipped here, because the parser's own detection adds a zero byte to files of three bytes or fewer.
            int mark = mark(file, start);
            bytes.skipNBytes(mark);
            InputStream end = new ByteArrayInputStream(("\n" + END).getBytes(StandardCharsets.UTF_8));
            InputStream text = new SequenceInputStream(new Utf8Input(file, bytes, mark), end);
            return new BufferedReader(new InputStreamReader(text, StandardCharsets.UTF_8));
        } catch (IOException e) {
            bytes.close();
            throw e;
        }
    }

    /**
     * Returns the length of the UTF-8 byte order mark at the start of a file, or 0; rejects the byte order mark of
     * UTF-16.
     *
     * @param start first three bytes of the file
     */
    static int mark(Path file, byte[] start) throws IOException {
        byte[] two = Arrays.copyOf(start, 2);
        if (Arrays.equals(two, UTF_16_LITTLE) || Arrays.equals(two, UTF_16_BIG)) {
            throw new IOException(file + ": is UTF-16 text; save it as UTF-8");
        }
        return Arrays.equals(start, UTF_8_MARK) ? UTF_8_MARK.length : 0;
    }

    /** Returns the exception for a file that the parser or a gzip stream could not read. */
    static IOException unreadable(Path file, Exception e) {
        Throwable cause = e instanceof UncheckedIOException wrapped ? wrapped.getCause() : e;
        if (cause instanceof ZipException || cause instanceof EOFException) {
            // The JDK has no message when the file ends within a number or a name.
            String damage = cause.getMessage() == null ? "it ends in the middle" : cause.getMessage();
            return new IOException(file + ": cannot be read as a gzip file: " + damage, e);
        }
        if (cause instanceof IOException told
                && String.valueOf(told.getMessage()).startsWith(file + ": ")) {
            return told;
        }
        String reason = Stream.iterate((Throwable) e, Objects::nonNull, Throwable::getCause)
                .map(Throwable::getMessage)
                .collect(Collectors.joining(": "));
        return new IOException(file + ": cannot be read as CSV: " + reason, e);
    }

    private static boolean startsWith(InputStream in, byte[] prefix) throws IOException {
        in.mark(prefix.length);
        boolean does = Arrays.equals(in.readNBytes(prefix.length), prefix);
        in.reset();
        return does;
    }

    /**
     * Returns the separator of the first line that is not blank.
     *
     * <p>It is a tab if there is one outside quotes, otherwise a semicolon, otherwise the comma. The comma is
     * last, because in a file with another separator it may be the decimal comma.
     */
    static char separator(Path file) throws IOException {
        try (BufferedReader reader = open(file)) {
            String line = reader.readLine();
            while (line != null && isBlank(line)) {
                line = reader.readLine();
            }
            String unquoted = line == null ? "" : line.replaceAll("\"[^\"]*\"", "");
            return unquoted.indexOf('\t') >= 0 ? '\t' : unquoted.indexOf(';') >= 0 ? ';' : ',';
        }
    }
}
