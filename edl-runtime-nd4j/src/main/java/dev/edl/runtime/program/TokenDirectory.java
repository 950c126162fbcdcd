package dev.edl.runtime.program;

import dev.edl.runtime.wire.auth.JobToken;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Directory of this user with the jobs' token and the masters' events. Its owner, an executor, deletes it on close. If
 * the owner is killed, the next owner of this user deletes it. The owner holds a file lock, which the operating system
 * releases when the process ends.
 */
final class TokenDirectory implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(TokenDirectory.class.getName());
    private static final String PREFIX = "edl-processes-";
    private static final String TOKEN = "token";
    private static final String OWNER = "owner";

    /**
     * Directories owned in this JVM, which {@link #create} must skip: to open and close their lock files again would
     * release the locks.
     */
    private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

    private final Path folder;
    private final FileChannel owner;

    private TokenDirectory(Path folder, FileChannel owner) {
        this.folder = folder;
        this.owner = owner;
    }

    /** Creates a directory with a new token, and deletes the directories whose owners have died. */
    static TokenDirectory create() throws IOException {
        Path parent = Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath();
        return create(parent);
    }

    static TokenDirectory create(Path parent) throws IOException {
        removeLeft(parent);
        // Under a temporary name until it is locked, so that no other owner deletes it.
        Path begun = Files.createTempDirectory(parent, "edl-begun-");
        Path folder = parent.resolve(PREFIX + begun.getFileName().toString().substring("edl-begun-".length()));
        OWN.add(folder);
        FileChannel owner =
                FileChannel.open(begun.resolve(OWNER), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try {
            owner.lock();
            Files.move(begun, folder, StandardCopyOption.ATOMIC_MOVE);
            JobToken.create(new SecureRandom()).write(folder.resolve(TOKEN));
            return new TokenDirectory(folder, owner);
        } catch (IOException | RuntimeException e) {
            owner.close();
            OWN.remove(folder);
            throw e;
        }
    }

    Path path() {
        return folder;
    }

    Path token() {
        return folder.resolve(TOKEN);
    }

    private static void removeLeft(Path parent) throws IOException {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(parent, PREFIX + "*")) {
            for (Path one : all) {
                if (!OWN.contains(one) && Files.isDirectory(one, LinkOption.NOFOLLOW_LINKS)) {
                    removeIfLeft(one);
                }
            }
        }
    }

    private static void removeIfLeft(Path folder) {
        try (FileChannel owner =
                        FileChannel.open(folder.resolve(OWNER), StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
                @Nullable FileLock lock = owner.tryLock()) {
            if (lock != null) {
                remove(folder);
            }
        } catch (IOException | OverlappingFileLockException e) {
            // It belongs to another user, or another executor is deleting it.
            LOG.log(System.Logger.Level.DEBUG, folder + " stays", e);
        }
    }

    private static void remove(Path folder) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, file -> !file.endsWith(OWNER))) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        } catch (NoSuchFileException e) {
            return;
        }
        Files.deleteIfExists(folder.resolve(OWNER));
        Files.deleteIfExists(folder);
    }

    /** Deletes the directory; a second call does nothing. */
    @Override
    public void close() throws IOException {
        try (owner) {
            remove(folder);
        } finally {
            OWN.remove(folder);
        }
    }
}
