package dev.edl.exec.local;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** Log files with the output of replicas, byte for byte; no file is overwritten. */
final class LogFiles {
    private static final System.Logger LOG = System.getLogger(LogFiles.class.getName());

    private final @Nullable Path folder;

    LogFiles(@Nullable Path folder) {
        this.folder = folder;
    }

    /**
     * Creates the log directory, if one is set, and checks with a temporary file that it is writable.
     *
     * @throws UncheckedIOException when the directory is not writable
     */
    void check() {
        if (folder != null) {
            try {
                Files.createDirectories(folder);
                Files.delete(Files.createTempFile(folder, ".edl-", ".log"));
            } catch (IOException e) {
                throw new UncheckedIOException(
                        "logs cannot be written to " + folder + ": " + e
                                + "; set a directory that this user may write to, for example"
                                + " .logsIn(Path.of(\"logs\"))",
                        e);
            }
        }
    }

    /**
     * Opens a new log file: {@code <replica>.log}, or {@code <replica>.2.log} if that exists, and so on. If it cannot
     * be created, logs a warning and returns a stream that discards the output.
     */
    OutputStream open(String replica) {
        if (folder == null) {
            return OutputStream.nullOutputStream();
        }
        try {
            Files.createDirectories(folder);
            for (int attempt = 1; ; attempt++) {
                Path file = folder.resolve(replica + (attempt == 1 ? "" : "." + attempt) + ".log");
                try {
                    return Files.newOutputStream(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
                } catch (FileAlreadyExistsException taken) {
                    if (!Files.exists(file)) {
                        throw taken;
                    }
                }
            }
        } catch (IOException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "the output of " + replica + " is discarded, because no log file can be created in " + folder
                            + "; once the folder is writable, replicas started later have a log",
                    e);
            return OutputStream.nullOutputStream();
        }
    }
}
