package dev.edl.runtime.data.csv;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;

/**
 * Stream of a CSV file's bytes that rejects the first one that is not UTF-8, or zero as in UTF-16.
 *
 * <p>The exception names line and byte. Without this check the parser would read different invalid bytes as the same
 * text.
 */
final class Utf8Input extends InputStream {
    private final Path file;
    private final InputStream in;
    private final Utf8Check utf8 = new Utf8Check();
    private long at;
    private long line = 1;
    private boolean afterReturn;

    /**
     * Creates a stream that checks the bytes of another stream.
     *
     * @param offset offset of the stream's first byte in the file; for a gzip file, in its decompressed content
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
            throw refused("is not UTF-8 text");
        }
        for (int i = from; i < from + count; i++) {
            next(into[i]);
        }
        return count;
    }

    private void next(byte b) throws IOException {
        if (b == 0) {
            throw refused("is a zero byte, which text does not contain");
        }
        if ((b < 0 || utf8.within()) && !utf8.accepts(b)) {
            throw refused("is not UTF-8 text");
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
