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
    private final @Nullable Path folder;

    LogFiles(@Nullable Path folder) {
        this.folder = folder;
    }

    /** A new file: {@code <replica>.log}, or {@code <replica>.2.log} where that is there already, and so on. */
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
            throw new UncheckedIOException("the log of " + replica + " cannot be written to " + folder + ": " + e, e);
        }
    }
}
