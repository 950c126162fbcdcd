package dev.edl.runtime.engine.files;

import dev.edl.runtime.InvalidTrainingException;
import dev.edl.runtime.engine.ports.AcquireRetry;
import dev.edl.runtime.engine.ports.TryAgainException;
import dev.edl.runtime.internal.files.DirectorySync;
import dev.edl.runtime.internal.files.FileLockedException;
import dev.edl.runtime.internal.files.OpenFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Exclusive lock of a checkpoint directory for one run, also against other processes, held until it is closed.
 *
 * <p>The operating system releases the lock when the process ends. On a file system without locks, a second file is
 * created exclusively and deleted on close; it has the id of a run over processes. A killed process leaves that file. A
 * later master of the same run takes it over. Two masters of one run are then not excluded by this lock; the servers
 * follow only the later term. Another run is rejected with the name of the file, because nothing shows whether the
 * first run has ended.
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

    /**
     * Locks a directory for a run in one process; creates the directory if it does not exist.
     *
     * @throws InvalidTrainingException if another run holds it
     */
    static RunLock take(Path directory) throws IOException {
        DirectorySync.create(directory);
        try {
            return of(hold(directory), directory, Optional.empty());
        } catch (FileLockedException e) {
            throw new InvalidTrainingException(List.of(
                    "checkpointDirectory " + directory + " is in use by another run; give each run its own directory"));
        }
    }

    /**
     * Locks a directory for a master of a run; creates the directory if it does not exist. Waits for the lock, which a
     * killed master may hold for a while: a file server releases the locks of a lost machine late.
     *
     * @throws TryAgainException if the lock is held for longer than the training's absenceTimeout
     */
    static RunLock take(Path directory, String run, AcquireRetry retry) throws IOException, InterruptedException {
        DirectorySync.create(directory);
        OpenFile file = retry.acquire(
                "checkpointDirectory's lock " + directory.resolve(FILE),
                () -> hold(directory),
                FileLockedException.class::isInstance);
        return of(file, directory, Optional.of(run));
    }

    private static OpenFile hold(Path directory) throws IOException {
        return OpenFile.hold(directory.resolve(FILE), StandardOpenOption.WRITE, StandardOpenOption.CREATE);
    }

    private static RunLock of(OpenFile file, Path directory, Optional<String> run) throws IOException {
        try {
            return new RunLock(file, file.excludesProcesses() ? null : exclusive(directory, run));
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    private static Path exclusive(Path directory, Optional<String> run) throws IOException {
        Path exclusive = directory.resolve(EXCLUSIVE);
        try {
            Files.createFile(exclusive);
        } catch (FileAlreadyExistsException e) {
            String holder = Files.readString(exclusive, StandardCharsets.ISO_8859_1);
            // A master that was killed before it wrote the id leaves an empty file.
            boolean mine = run.isPresent()
                    && (holder.equals(run.get()) || (holder.isEmpty() && RunIdFile.isExactly(run.get(), directory)));
            if (!mine) {
                throw new InvalidTrainingException(List.of("checkpointDirectory " + directory
                        + " is on a file system without locks, and " + exclusive + " marks it as used by "
                        + (holder.isEmpty() ? "another run" : "run " + holder)
                        + "; delete that file if no run uses it"));
            }
        }
        if (run.isPresent()) {
            Files.writeString(exclusive, run.get(), StandardCharsets.ISO_8859_1);
        }
        return exclusive;
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
