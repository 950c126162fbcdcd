package dev.edl.runtime.internal.files;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;

/**
 * File for a library that does not accept a {@link Path}: the file itself, or a temporary copy from another file
 * system.
 *
 * <p>Closing deletes the copy.
 */
public final class LocalFile implements Closeable {
    private final Path local;
    private final @Nullable Path copy;

    private LocalFile(Path local, @Nullable Path copy) {
        this.local = local;
        this.copy = copy;
    }

    /** Returns the file itself, or a temporary copy if it is not on the default file system. */
    public static LocalFile of(Path file) throws IOException {
        if (file.getFileSystem() == FileSystems.getDefault()) {
            return new LocalFile(file, null);
        }
        Path copy = Files.createTempFile("edl-", ".copy");
        try {
            Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
            return new LocalFile(copy, copy);
        } catch (IOException | RuntimeException e) {
            Files.deleteIfExists(copy);
            throw e;
        }
    }

    /** Returns the file, which must not be written. */
    public File file() {
        return local.toFile();
    }

    /** Deletes the temporary copy, if there is one. */
    @Override
    public void close() throws IOException {
        if (copy != null) {
            Files.deleteIfExists(copy);
        }
    }
}
