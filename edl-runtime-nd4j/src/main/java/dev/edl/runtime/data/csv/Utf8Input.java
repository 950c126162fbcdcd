package dev.edl.runtime.data.csv;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;

/**
 * The bytes of a CSV file on their way to a parser, which would take different bytes that are no UTF-8 for the same text. Refuses
 * the first one by line and byte, and a zero byte, which UTF-16 has.
 */
final class Utf8Input extends InputStream {
    private final Path file;
    private final InputStream in;
    private final Utf8Check utf8 = new Utf8Check();
    private long at;
    private long line = 1;
    private boolean afterReturn;

    /**
     * Checks a stream.
     *
     * @param offset of the stream's first byte in the file; of a gzip file, in its content
     */
    Utf8Input(Path file, InputStream in, long offset) {
        this.file = file;
        this.in = in;
        this.at = offset;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        int count = in.read(into, from, length);
        if (count < 0 && utf8.within()) {
            throw refused("is no UTF-8 text");
        }
        for (int i = from; i < from + count; i++) {
            next(into[i]);
        }
        return count;
    }

    private void next(byte b) throws IOException {
        if (b == 0) {
            throw refused("is a zero byte, which no text has");
        }
        if ((b < 0 || utf8.within()) && !utf8.accepts(b)) {
            throw refused("is no UTF-8 text");
        }
        if (b == '\r' || (b == '\n' && !afterReturn)) {
            line++;
        }
        afterReturn = b == '\r';
        at++;
    }

    private IOException refused(String what) {
        return new IOException(file + ": line " + line + ", at byte " + at + ": " + what + "; save it as UTF-8");
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
