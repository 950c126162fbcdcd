package dev.edl.runtime.engine.files;

import dev.edl.runtime.InvalidTrainingException;
import dev.edl.runtime.internal.files.FileLockedException;
import dev.edl.runtime.internal.files.OpenFile;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Exclusive lock of a checkpoint directory for one run, also against other processes, held until it is closed.
 *
 * <p>The operating system releases the lock when the process ends. On a file system without locks, a second file is
 * created exclusively and deleted on close. A killed process leaves that file. The next run is then rejected with the
 * name of the file, because nothing shows whether the other run has ended.
 */
final class RunLock implements AutoCloseable {
    static final String FILE = "run.lock";
    static final String EXCLUSIVE = "run.exclusive";

    private final OpenFile file;
    private final @Nullable Path exclusive;

    private RunLock(OpenFile file, @Nullable Path exclusive) {
        this.file = file;
        this.exclusive = exclusive;
    }

    /** Locks a directory, which is created if it does not exist. */
    static RunLock take(Path directory) throws IOException {
        Files.createDirectories(directory);
        OpenFile file;
        try {
            file = OpenFile.hold(directory.resolve(FILE), StandardOpenOption.WRITE, StandardOpenOption.CREATE);
        } catch (FileLockedException e) {
            throw new InvalidTrainingException(List.of(
                    "checkpointDirectory " + directory + " is in use by another run; give each run its own directory"));
        }
        try {
            return new RunLock(file, file.excludesProcesses() ? null : exclusive(directory));
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    private static Path exclusive(Path directory) throws IOException {
        Path exclusive = directory.resolve(EXCLUSIVE);
        try {
            return Files.createFile(exclusive);
        } catch (FileAlreadyExistsException e) {
            throw new InvalidTrainingException(List.of("checkpointDirectory " + directory
                    + " is on a file system without locks, and " + exclusive
                    + " marks it as used by another run; delete that file if no run uses it"));
        }
    }

    /** Releases the directory. */
    @Override
    public void close() throws IOException {
        try (file) {
            if (exclusive != null) {
                Files.deleteIfExists(exclusive);
            }
        }
    }
}
