package dev.edl.runtime.internal.files;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes a file so that its name always refers to the complete old or the complete new content.
 *
 * <p>On a file system without atomic rename, a crash may leave a partial file.
 */
public final class AtomicFile {
    /** Code that writes the content of the file. */
    @FunctionalInterface
    public interface Content {
        void to(OutputStream out) throws IOException;
    }

    private static final int BUFFER = 1 << 16;

    private AtomicFile() {}

    /**
     * Writes the content to {@code <name>.tmp} in the target's folder, forces the bytes to the disk, then renames that file
     * to the target and syncs the folder.
     */
    public static void write(Path file, Content content) throws IOException {
        Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
        try {
            Files.deleteIfExists(temporary);
            try (OpenFile bytes = OpenFile.create(temporary);
                    OutputStream out = new BufferedOutputStream(bytes.output(), BUFFER)) {
                content.to(out);
                out.flush();
                bytes.force();
            }
            AtomicRename.replacing(temporary, file);
            Path folder = file.toAbsolutePath().getParent();
            if (folder != null) {
                DirectorySync.force(folder);
            }
        } catch (IOException e) {
            throw new IOException(
                    file + ": cannot be written: " + e.getClass().getSimpleName() + ": " + e.getMessage(), e);
        } finally {
            // Already renamed if the write succeeded.
            Files.deleteIfExists(temporary);
        }
    }
}
