package dev.edl.image;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 of a file. */
final class FileDigest {
    private static final int BUFFER = 64 * 1024;
    /** Bytes that even a slow disk reads within the time in which a receiver must hear from its caller. */
    private static final long SIGN = 8 * 1024 * 1024;

    private FileDigest() {}

    static String of(Path file) throws IOException {
        return of(file, OutputStream.nullOutputStream(), new byte[0]);
    }

    /**
     * Returns the digest as hexadecimal digits.
     *
     * @param to the other end of a connection, which waits for the digest
     * @param wait message that is written after each 8 MiB
     * @throws IOException if the file cannot be read
     */
    static String of(Path file, OutputStream to, byte[] wait) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return of(in, to, wait);
        }
    }

    /** Returns the digest of a stream, as of a file. */
    static String of(InputStream in, OutputStream to, byte[] wait) throws IOException {
        MessageDigest sha = sha256();
        byte[] buffer = new byte[BUFFER];
        long read = 0;
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
            sha.update(buffer, 0, count);
            if (read / SIGN != (read + count) / SIGN) {
                sign(to, wait);
            }
            read += count;
        }
        return HexFormat.of().formatHex(sha.digest());
    }

    private static void sign(OutputStream to, byte[] wait) {
        try {
            to.write(wait);
        } catch (IOException broken) {
            // The caller's next message fails, too.
            return;
        }
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
