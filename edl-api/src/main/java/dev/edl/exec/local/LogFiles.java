package dev.edl.exec.local;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** The files that keep what replicas write, byte for byte; none is ever written over. */
final class LogFiles {
    private static final System.Logger LOG = System.getLogger(LogFiles.class.getName());

    private final @Nullable Path folder;

    LogFiles(@Nullable Path folder) {
        this.folder = folder;
    }

    /**
     * Makes the directory, and a file in it to see that it can.
     *
     * @throws UncheckedIOException when it cannot be written to
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
     * A new file: {@code <replica>.log}, or {@code <replica>.2.log} where that is there already, and so on. One that cannot be
     * made costs the file, not the replica.
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
            LOG.log(System.Logger.Level.WARNING, "the log of " + replica + " cannot be written to " + folder, e);
            return OutputStream.nullOutputStream();
        }
    }
}
