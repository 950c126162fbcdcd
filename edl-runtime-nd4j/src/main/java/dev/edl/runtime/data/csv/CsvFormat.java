package dev.edl.runtime.data.csv;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;

/** How a CSV file is opened, and which separator its first line uses. */
final class CsvFormat {
    private static final byte[] GZIP = {0x1f, (byte) 0x8b};
    private static final byte[] UTF_8_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};
    private static final byte[] UTF_16_LITTLE = {(byte) 0xff, (byte) 0xfe};
    private static final byte[] UTF_16_BIG = {(byte) 0xfe, (byte) 0xff};

    private CsvFormat() {}

    /** The text of a file, decompressed when it is a gzip file, without a byte order mark. */
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
            if (startsWith(bytes, UTF_16_LITTLE) || startsWith(bytes, UTF_16_BIG)) {
                throw new IOException(file + ": is UTF-16 text; save it as UTF-8");
            }
            // Skipped here, since the parser's own detection adds a zero byte to files of three bytes or fewer.
            if (startsWith(bytes, UTF_8_MARK)) {
                bytes.skipNBytes(UTF_8_MARK.length);
            }
            return new BufferedReader(new InputStreamReader(bytes, StandardCharsets.UTF_8));
        } catch (IOException e) {
            bytes.close();
            throw e;
        }
    }

    /** Says what is wrong with a gzip file, for which the JDK has no message when it ends within a number or a name. */
    static String damage(IOException damage) {
        return damage.getMessage() == null ? "it ends in the middle" : damage.getMessage();
    }

    private static boolean startsWith(InputStream in, byte[] prefix) throws IOException {
        in.mark(prefix.length);
        boolean does = Arrays.equals(in.readNBytes(prefix.length), prefix);
        in.reset();
        return does;
    }

    /**
     * The separator of the first line that is not blank: a tab if there is one outside quotes, else a semicolon, else
     * the comma. A comma comes last since it may be a decimal comma beside the other two.
     */
    static char separator(Path file) throws IOException {
        try (BufferedReader reader = open(file)) {
            String line = reader.readLine();
            while (line != null && line.isBlank()) {
                line = reader.readLine();
            }
            String unquoted = line == null ? "" : line.replaceAll("\"[^\"]*\"", "");
            return unquoted.indexOf('\t') >= 0 ? '\t' : unquoted.indexOf(';') >= 0 ? ';' : ',';
        }
    }
}
