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
 * A file for a library that takes no {@link Path}: the file itself, or a temporary copy of one of another file system, which
 * is deleted when this is closed.
 */
public final class LocalFile implements Closeable {
    private final Path local;
    private final @Nullable Path copy;

    private LocalFile(Path local, @Nullable Path copy) {
        this.local = local;
        this.copy = copy;
    }

    /** Returns the file, copied when it is not one of the default file system. */
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

    /** Returns the file, to be read only. */
    public File file() {
        return local.toFile();
    }

    /** Deletes the copy, if there is one. */
    @Override
    public void close() throws IOException {
        if (copy != null) {
            Files.deleteIfExists(copy);
        }
    }
}
