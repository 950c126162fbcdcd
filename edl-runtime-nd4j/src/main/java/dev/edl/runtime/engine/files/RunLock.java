package dev.edl.runtime.engine.files;

import dev.edl.runtime.InvalidTrainingException;
import dev.edl.runtime.internal.files.HeldFileException;
import dev.edl.runtime.internal.files.OpenFile;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a checkpoint directory for one run, of this or any other process, as long as it is not closed.
 *
 * <p>The operating system ends a lock with the process. A file system without locks gets a second file instead, which is
 * created exclusively and deleted on closing. A process that is killed leaves it; then the next run is refused with the name
 * of the file, since nothing tells whether the other run has ended.
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

    /** Takes a directory, which is created when it does not exist. */
    static RunLock take(Path directory) throws IOException {
        Files.createDirectories(directory);
        OpenFile file;
        try {
            file = OpenFile.hold(directory.resolve(FILE), StandardOpenOption.WRITE, StandardOpenOption.CREATE);
        } catch (HeldFileException e) {
            throw new InvalidTrainingException(List.of("checkpointDirectory " + directory
                    + " is in use by another run; give each run a directory of its own"));
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
                    + " says that another run uses it; delete that file if no run does"));
        }
    }

    /** Gives the directory back. */
    @Override
    public void close() throws IOException {
        try (file) {
            if (exclusive != null) {
                Files.deleteIfExists(exclusive);
            }
        }
    }
}
