package dev.edl.image;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Receives files, in a pod or on this machine. It needs only a Java runtime.
 *
 * <p>An unfinished file has a name of its digest. The next transfer of the same bytes continues it, and it gets its
 * final name when its digest matches.
 */
final class FileReceiver {
    /** Answer that the receiver has the file. Other answers are the number of bytes that it has. */
    static final long THERE = -1;
    /** Answer that is followed by the reason as modified UTF-8. */
    static final long REFUSED = -2;
    /** Sign that the receiver still reads a file, and answers later. */
    static final long WAIT = -3;

    /** Age in milliseconds after which no transfer continues an unfinished file. */
    private static final long PART_MILLIS = TimeUnit.DAYS.toMillis(1);

    private static final String PART = ".part";
    private static final String NOT_WRITTEN = " was not written: ";
    private static final byte[] SIGN =
            ByteBuffer.allocate(Long.BYTES).putLong(WAIT).array();
    private static final int DIGEST_BYTES = 32;
    private static final int BUFFER = 64 * 1024;

    private final DataInputStream in;
    private final DataOutputStream out;
    private final String prefix;
    private final boolean touches;
    private final String denied;
    private final LongConsumer received;

    /**
     * Creates a receiver of a connection.
     *
     * @param prefix begin of the names of unfinished files
     * @param touches whether the age of a file begins anew
     * @param denied end of the message of a file that this user may not write
     * @param received receives the number of bytes after each read
     */
    FileReceiver(
            DataInputStream in,
            DataOutputStream out,
            String prefix,
            boolean touches,
            String denied,
            LongConsumer received) {
        this.in = in;
        this.out = out;
        this.prefix = prefix;
        this.touches = touches;
        this.denied = denied;
        this.received = received;
    }

    /**
     * Receives what a {@link FileSender} sends.
     *
     * <p>At the end, it removes the unfinished files of these folders that are older than one day.
     *
     * @param denied end of the message of a file that this user may not write
     * @throws TransferRejectedException if a file cannot be sent or written
     */
    static void receive(Path root, DataInputStream in, DataOutputStream out, String denied, TransferCounters count)
            throws IOException {
        receive(root, in, out, denied, count, System::currentTimeMillis);
    }

    /** Receives with a clock of milliseconds for the age of unfinished files. */
    static void receive(
            Path root,
            DataInputStream in,
            DataOutputStream out,
            String denied,
            TransferCounters count,
            LongSupplier clock)
            throws IOException {
        Set<Path> folders = new HashSet<>();
        FileReceiver files = new FileReceiver(in, out, ".edl-", false, denied, count::bytes);
        while (true) {
            int kind = in.readUnsignedByte();
            if (kind == FileSender.TOTAL) {
                count.begin(in.readLong(), in.readLong());
                files.folder(root);
                folders.add(root);
            } else if (kind == FileSender.FOLDER) {
                Path folder = TransferFileNames.below(root, in.readUTF());
                files.folder(folder);
                folders.add(folder);
                out.writeLong(THERE);
            } else if (kind == FileSender.FILE) {
                Path file = TransferFileNames.below(root, in.readUTF());
                byte[] digest = new byte[DIGEST_BYTES];
                in.readFully(digest);
                long length = in.readLong();
                if (Files.isDirectory(file)) {
                    throw new TransferRejectedException(
                            file + NOT_WRITTEN + "a folder has its name; remove one of them");
                }
                count.file(length, files.file(file, HexFormat.of().formatHex(digest), length));
                out.writeLong(THERE);
            } else if (kind == FileSender.END) {
                for (Path folder : folders) {
                    removeParts(folder, clock.getAsLong() - PART_MILLIS);
                    out.writeLong(WAIT);
                }
                out.writeLong(THERE);
                return;
            } else if (kind != FileSender.WAIT) {
                throw new TransferRejectedException(in.readUTF());
            }
        }
    }

    /** Removes the unfinished files of a folder that no transfer has written since a time. */
    private static void removeParts(Path folder, long latest) {
        try (DirectoryStream<Path> parts = Files.newDirectoryStream(folder, ".edl-*.part")) {
            for (Path part : parts) {
                if (TransferFileNames.isUnfinished(part.getFileName().toString())
                        && Files.isRegularFile(part, LinkOption.NOFOLLOW_LINKS)
                        && Files.getLastModifiedTime(part).toMillis() < latest) {
                    Files.deleteIfExists(part);
                }
            }
        } catch (IOException | DirectoryIteratorException unavailable) {
            // The files of the transfer are complete.
            return;
        }
    }

    private void folder(Path folder) throws TransferRejectedException {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new TransferRejectedException(problem(folder, e));
        }
    }

    /**
     * Receives a file that the folder does not have; returns whether its bytes were received.
     *
     * @throws TransferRejectedException if it cannot be kept
     */
    boolean file(Path file, String digest, long length) throws IOException {
        if (length < 0) {
            throw new TransferRejectedException(file + NOT_WRITTEN + "its length must not be negative, was " + length);
        }
        Path shared = file.resolveSibling(prefix + digest + PART);
        boolean sent = false;
        boolean damaged = false;
        while (!isWhole(file, digest, length)) {
            String problem;
            boolean own;
            // It stays locked until it has its final name.
            try (PartialFile part = open(file, shared, digest, damaged)) {
                problem = fill(part, file, length);
                if (!problem.isEmpty()) {
                    throw new TransferRejectedException(file + NOT_WRITTEN + problem);
                }
                sent = true;
                own = part.isOwn();
                try {
                    String found = part.digest(out, SIGN);
                    if (found.equals(digest)) {
                        part.publish(file);
                        if (touches) {
                            touch(file);
                        }
                        break;
                    }
                    Files.deleteIfExists(part.path());
                    problem = "its SHA-256 must be " + digest + ", was " + found
                            + "; its file may have changed during the transfer";
                } catch (NoSuchFileException e) {
                    // A removal of old parts has removed it, and this receiver then asks for it again.
                    own = false;
                } catch (IOException e) {
                    throw new TransferRejectedException(problem(file, e));
                }
            }
            if (own) {
                throw new TransferRejectedException(file + " was not kept: " + problem);
            }
            damaged = true;
        }
        return sent;
    }

    private PartialFile open(Path file, Path shared, String digest, boolean damaged) throws TransferRejectedException {
        Path own = file.resolveSibling(prefix + digest + "." + UUID.randomUUID() + PART);
        try {
            return damaged ? PartialFile.own(shared, own) : PartialFile.open(shared, own);
        } catch (IOException e) {
            throw new TransferRejectedException(problem(file, e));
        }
    }

    /** Receives the missing bytes of a partial file. Returns the reason of a failure, or an empty text. */
    private String fill(PartialFile part, Path file, long length) throws IOException {
        try {
            FileChannel to = part.channel();
            if (to.size() > length) {
                to.truncate(0);
            }
            long from = to.size();
            long free = part.path().toFile().getUsableSpace();
            if (lacks(part.path(), free, length - from)) {
                throw new TransferRejectedException(file + NOT_WRITTEN + "its disk has " + free + " bytes left, but "
                        + (length - from) + " are needed" + kept(part));
            }
            out.writeLong(from);
            String problem = write(to, from, length);
            return problem.isEmpty() ? "" : problem + kept(part);
        } catch (TransferRejectedException e) {
            throw e;
        } catch (IOException broken) {
            kept(part);
            throw broken;
        }
    }

    /** Keeps a part for the next transfer, if it is not empty; returns the end of a message that names it. */
    private static String kept(PartialFile part) {
        try {
            long bytes = part.channel().size();
            if (bytes > 0) {
                return "; " + part.keep() + " has the first " + bytes + " bytes for the next transfer";
            }
            Files.deleteIfExists(part.path());
        } catch (IOException unavailable) {
            // The reason of the message is more important.
            return "";
        }
        return "";
    }

    /** Returns whether a disk has too little space; a remote one may not tell. */
    private static boolean lacks(Path part, long free, long bytes) {
        return part.toFile().getTotalSpace() > 0 && free < bytes;
    }

    /**
     * Returns whether the folder has a file. A jar's age begins first: else a removal of unused jars could delete the jar while
     * its digest is computed.
     */
    private boolean isWhole(Path file, String digest, long length) {
        try {
            if (touches) {
                touch(file);
            }
            return Files.isRegularFile(file)
                    && Files.size(file) == length
                    && FileDigest.of(file, out, SIGN).equals(digest);
        } catch (IOException absentOrForeign) {
            // The caller sends the file, which replaces a file of another user.
            return false;
        }
    }

    /** Begins the age of a file anew by the clock that the removal of unused jars reads. */
    private static void touch(Path file) throws IOException {
        Files.setLastModifiedTime(file, FileTime.fromMillis(System.currentTimeMillis()));
    }

    private String problem(Path file, IOException why) {
        return why instanceof AccessDeniedException ? file + denied : file + NOT_WRITTEN + TransferFileNames.why(why);
    }

    /** Writes the received bytes to the file. After a failure it still reads the rest, so that the caller then reads the
     * returned reason; an empty text means success. */
    private String write(FileChannel file, long from, long length) throws IOException {
        String problem = "";
        byte[] buffer = new byte[BUFFER];
        for (long at = from; at < length; ) {
            int count = in.read(buffer, 0, (int) Math.min(length - at, buffer.length));
            if (count < 0) {
                throw new IOException("it ended after " + at + " of " + length + " bytes");
            }
            try {
                for (ByteBuffer rest = ByteBuffer.wrap(buffer, 0, count); problem.isEmpty() && rest.hasRemaining(); ) {
                    file.write(rest, at + rest.position());
                }
            } catch (IOException e) {
                problem = String.valueOf(e.getMessage());
            }
            at += count;
            received.accept(count);
        }
        try {
            file.truncate(length);
            file.force(true);
        } catch (IOException e) {
            problem = problem.isEmpty() ? String.valueOf(e.getMessage()) : problem;
        }
        return problem;
    }
}
