package dev.edl.runtime;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps a checkpoint directory for one run, of this or any other process, as long as it is not closed. */
final class RunLock implements AutoCloseable {
    static final String FILE = "run.lock";

    private final RandomAccessFile file;

    private RunLock(RandomAccessFile file) {
        this.file = file;
    }

    /** Takes a directory, which is created when it is not there. */
    static RunLock take(Path directory) throws IOException {
        Files.createDirectories(directory);
        Path path = directory.resolve(FILE);
        RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
        try {
            FileLock lock = tryLock(file);
            if (lock == null) {
                throw new InvalidTrainingException(List.of("checkpointDirectory " + directory
                        + " is in use by another run; give each run a directory of its own"));
            }
            return new RunLock(file);
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    private static @Nullable FileLock tryLock(RandomAccessFile file) throws IOException {
        try {
            return file.getChannel().tryLock();
        } catch (OverlappingFileLockException here) {
            return null;
        }
    }

    /** Gives the directory back. */
    @Override
    public void close() throws IOException {
        file.close();
    }
}
