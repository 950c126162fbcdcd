package dev.edl.image;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UTFDataFormatException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HexFormat;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Sends files to a {@link FileReceiver}, from this machine or from a pod. It needs only a Java runtime.
 *
 * <p>Of a symbolic link, the file below the folder travels that it leads to. Other links are refused before a file
 * travels.
 */
final class FileSender {
    static final int WAIT = 0;
    static final int TOTAL = 1;
    static final int FOLDER = 2;
    static final int FILE = 3;
    static final int END = 4;
    static final int FAILED = 5;

    private static final int BUFFER = 64 * 1024;
    /** Nanoseconds between two signs that the files are being counted. */
    private static final long SIGN = TimeUnit.SECONDS.toNanos(5);

    /** Number of characters that a message has of a name that is too long. */
    private static final int SHOWN = 200;

    private final DataInputStream in;
    private final DataOutputStream out;
    private final TransferCounters count;
    private final LongSupplier nanos;
    private long signed;
    private long files;
    private long bytes;

    FileSender(DataInputStream in, DataOutputStream out, TransferCounters count) {
        this(in, out, count, System::nanoTime);
    }

    /** Creates a sender with a clock for the signs of life. */
    FileSender(DataInputStream in, DataOutputStream out, TransferCounters count, LongSupplier nanos) {
        this.nanos = nanos;
        signed = nanos.getAsLong();
        this.in = in;
        this.out = out;
        this.count = count;
    }

    /**
     * Sends the files below a folder, or one file.
     *
     * @throws TransferRejectedException if the receiver refuses a file, or one cannot be read
     */
    void send(Path source) throws IOException {
        boolean one = attributes(source).isRegularFile();
        if (one && TransferFileNames.isUnfinished(source.getFileName().toString())) {
            throw new TransferRejectedException(source + " has the name of an unfinished transfer; rename it");
        }
        Path root = real(one ? Objects.requireNonNull(source.toAbsolutePath().getParent()) : source);
        String name = one ? source.getFileName().toString() : "";
        visit(root, root.resolve(name), name, false);
        write(TOTAL, "", "", files, bytes);
        count.begin(files, bytes);
        visit(root, root.resolve(name), name, true);
        out.write(END);
        answer(in);
    }

    /** Counts or sends a file, or all files below a folder. */
    private void visit(Path root, Path path, String name, boolean send) throws IOException {
        if (name.indexOf('\uFFFD') >= 0) {
            throw new TransferRejectedException("\"" + name + "\" is no name in this Java's encoding "
                    + System.getProperty("sun.jnu.encoding") + "; set LC_ALL to C.UTF-8");
        }
        if (Files.isSymbolicLink(path)) {
            link(root, path, name);
            file(path, name, send);
            return;
        }
        BasicFileAttributes kind = attributes(path);
        if (kind.isRegularFile()) {
            file(path, name, send);
        } else if (!kind.isDirectory()) {
            throw new TransferRejectedException(
                    path + " is neither a file nor a folder, but for example a pipe; move it to another folder");
        } else if (!name.equals("lost+found") || Files.isReadable(path)) {
            // A new disk has lost+found, which only root reads.
            folder(root, path, name, send);
        }
    }

    private void folder(Path root, Path path, String name, boolean send) throws IOException {
        if (send) {
            write(FOLDER, name, "");
            answer(in);
        }
        if (!Files.isReadable(path)) {
            throw new TransferRejectedException(path + " may not be read by this user");
        }
        try (DirectoryStream<Path> entries = list(path)) {
            for (Path entry : entries) {
                String file = entry.getFileName().toString();
                if (!send) {
                    sign();
                }
                if (!TransferFileNames.isUnfinished(file)) {
                    visit(root, entry, name.isEmpty() ? file : name + "/" + file, send);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw new TransferRejectedException(
                    path + " cannot be listed: " + TransferFileNames.why(Objects.requireNonNull(e.getCause())));
        }
    }

    /** Sends the receiver a sign of life while this sender counts, each five seconds. */
    private void sign() throws IOException {
        long now = nanos.getAsLong();
        if (now - signed >= SIGN) {
            signed = now;
            out.write(WAIT);
        }
    }

    @SuppressWarnings("StreamResourceLeak") // The caller closes it.
    private static DirectoryStream<Path> list(Path folder) throws TransferRejectedException {
        try {
            return Files.newDirectoryStream(folder);
        } catch (IOException e) {
            throw new TransferRejectedException(folder + " cannot be listed: " + TransferFileNames.why(e));
        }
    }

    private static BasicFileAttributes attributes(Path path) throws TransferRejectedException {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class);
        } catch (NoSuchFileException e) {
            throw new TransferRejectedException(path + " does not exist");
        } catch (IOException e) {
            throw new TransferRejectedException(path + " cannot be read: " + TransferFileNames.why(e));
        }
    }

    private static void link(Path root, Path path, String name) throws TransferRejectedException {
        Path target = real(path);
        if (!target.startsWith(root) || !Files.isRegularFile(target, LinkOption.NOFOLLOW_LINKS)) {
            throw new TransferRejectedException(
                    "\"" + name + "\" is a symbolic link to " + target + "; a link travels only as a"
                            + " copy of a file below " + root + ", so copy what it leads to, or remove the link");
        }
    }

    private static Path real(Path path) throws TransferRejectedException {
        try {
            return path.toRealPath();
        } catch (IOException e) {
            throw new TransferRejectedException(path + " leads to no file: " + TransferFileNames.why(e));
        }
    }

    private void file(Path path, String name, boolean send) throws IOException {
        if (!send) {
            bytes += length(path, name);
            files++;
            return;
        }
        String digest;
        FileChannel file;
        try {
            digest = FileDigest.of(path, out, new byte[] {WAIT});
            file = FileChannel.open(path);
        } catch (IOException e) {
            throw new TransferRejectedException("\"" + name + "\" cannot be read: " + TransferFileNames.why(e));
        }
        try (file) {
            long length = file.size();
            write(FILE, name, digest, length);
            count.file(length, send(file, name, length, in, out, count::bytes));
        }
    }

    private static long length(Path path, String name) throws TransferRejectedException {
        try {
            return Files.size(path);
        } catch (IOException e) {
            throw new TransferRejectedException("\"" + name + "\" cannot be read: " + TransferFileNames.why(e));
        }
    }

    /** Writes a message at once, because each write may become a packet. */
    private void write(int kind, String name, String digest, long... numbers) throws IOException {
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        DataOutputStream to = new DataOutputStream(message);
        to.write(kind);
        if (kind != TOTAL) {
            try {
                to.writeUTF(name);
            } catch (UTFDataFormatException e) {
                throw new TransferRejectedException("\"" + name.substring(0, SHOWN)
                        + "...\" is longer than 65535 bytes; move it" + " to a folder with a shorter path");
            }
        }
        to.write(HexFormat.of().parseHex(digest));
        for (long number : numbers) {
            to.writeLong(number);
        }
        message.writeTo(out);
    }

    /**
     * Sends the bytes of a file that the receiver requests after it has the length and digest; returns whether it requested
     * any.
     *
     * @param sent receives the number of bytes after each write
     */
    static boolean send(
            FileChannel file, String name, long length, DataInputStream in, DataOutputStream out, LongConsumer sent)
            throws IOException {
        boolean asked = false;
        for (long from = answer(in); from >= 0; from = answer(in)) {
            copy(Channels.newInputStream(file.position(from)), name, length - from, out, sent);
            asked = true;
        }
        return asked;
    }

    private static void copy(InputStream bytes, String name, long length, DataOutputStream out, LongConsumer sent)
            throws IOException {
        byte[] buffer = new byte[BUFFER];
        for (long left = length; left > 0; ) {
            // After a failure, the next connection finds in its digest whether the disk fails again.
            int count = bytes.read(buffer, 0, (int) Math.min(left, buffer.length));
            if (count < 0) {
                // The next connection finds the change.
                throw new IOException("\"" + name + "\" has become shorter during its transfer");
            }
            out.write(buffer, 0, count);
            left -= count;
            sent.accept(count);
        }
    }

    /** Reads an answer; throws if it is a refusal. */
    static long answer(DataInputStream in) throws IOException {
        long answer = in.readLong();
        while (answer == FileReceiver.WAIT) {
            answer = in.readLong();
        }
        if (answer == FileReceiver.REFUSED) {
            throw new TransferRejectedException(in.readUTF());
        }
        return answer;
    }
}
