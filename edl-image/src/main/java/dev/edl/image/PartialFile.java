package dev.edl.image;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/**
 * Unfinished file that one receiver alone writes. It needs only a Java runtime.
 *
 * <p>It has the shared name of its digest, so that the next transfer continues it. While another receiver writes that
 * file, or this user may not write it, it has a separate name.
 */
final class PartialFile implements Closeable {
    private static final Set<OpenOption> MODES =
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);

    private final Path path;
    private final Path shared;
    private final FileChannel channel;
    private final Object key;

    private PartialFile(Path path, Path shared, FileChannel channel, Object key) {
        this.key = key;
        this.path = path;
        this.shared = shared;
        this.channel = channel;
    }

    /**
     * Opens the file of the shared name, or else one of its own name.
     *
     * @param own name that no other receiver uses
     * @throws IOException if neither can be written
     */
    static PartialFile open(Path shared, Path own) throws IOException {
        FileChannel channel = null;
        Object key = shared;
        boolean locked = false;
        try {
            create(shared);
            key = key(shared);
            channel = FileChannel.open(shared, MODES);
            locked = isLocked(channel, shared, own) && key.equals(key(shared));
        } catch (FileSystemException foreign) {
            // A file of its own does not need the shared one.
            locked = false;
        } finally {
            if (channel != null && !locked) {
                channel.close();
            }
        }
        return locked && channel != null ? new PartialFile(shared, shared, channel, key) : own(shared, own);
    }

    /**
     * Opens a file of its own name.
     *
     * @throws IOException if it cannot be written
     */
    static PartialFile own(Path shared, Path own) throws IOException {
        Set<OpenOption> modes = new HashSet<>(MODES);
        modes.add(StandardOpenOption.CREATE);
        FileChannel channel = FileChannel.open(own, modes);
        try {
            return new PartialFile(own, shared, channel, key(own));
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private static void create(Path shared) throws IOException {
        try {
            Files.createFile(shared);
        } catch (FileAlreadyExistsException earlier) {
            // An earlier transfer has left it.
            return;
        }
    }

    /** Returns the identity of a regular file. Opening a pipe would wait for its reader. */
    private static Object key(Path file) throws IOException {
        BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!found.isRegularFile()) {
            throw new FileSystemException(file.toString(), null, "it is not a regular file");
        }
        return Objects.requireNonNullElse(found.fileKey(), file);
    }

    /**
     * Returns whether this receiver has the lock of the shared file, which its closing releases. Without locks, as on some
     * network disks, the receiver that renames the file has it.
     */
    private static boolean isLocked(FileChannel channel, Path shared, Path own) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException taken) {
            return false;
        } catch (IOException withoutLocks) {
            Files.move(shared, own, StandardCopyOption.ATOMIC_MOVE);
            return false;
        }
    }

    Path path() {
        return path;
    }

    FileChannel channel() {
        return channel;
    }

    /** Returns whether no other receiver knows the file's name. */
    boolean isOwn() {
        return !path.equals(shared);
    }

    /** Returns the digest as {@link FileDigest}; another open file of the same process would end the lock. */
    String digest(OutputStream to, byte[] wait) throws IOException {
        return FileDigest.of(Channels.newInputStream(channel.position(0)), to, wait);
    }

    /**
     * Gives the file its final name.
     *
     * @throws NoSuchFileException if it was removed; its name may then be that of another receiver's file
     */
    void publish(Path file) throws IOException {
        if (!key.equals(key(path))) {
            throw new NoSuchFileException(path.toString());
        }
        Files.move(path, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Closes the file, and gives it the shared name for the next transfer; returns that name. */
    Path keep() throws IOException {
        channel.close();
        if (isOwn()) {
            try {
                Files.move(path, shared);
            } catch (FileAlreadyExistsException taken) {
                // Its bytes would never be used.
                Files.deleteIfExists(path);
            }
        }
        return shared;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
