package dev.edl.runtime.data;

import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes a file so that its name stands for the old content or the whole new one, never for a part. */
final class AtomicFile {
    /** Writes the content. */
    @FunctionalInterface
    interface Content {
        void to(OutputStream out) throws IOException;
    }

    private AtomicFile() {}

    /** Writes beside the target under {@code <name>.tmp}, forces the bytes to the disk, then renames. */
    static void write(Path file, Content content) throws IOException {
        Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
        try {
            Files.deleteIfExists(temporary);
            Files.createFile(temporary);
            // No channel: it would be closed under a thread that was interrupted.
            try (FileOutputStream bytes = new FileOutputStream(temporary.toFile());
                    OutputStream out = new BufferedOutputStream(bytes)) {
                content.to(out);
                out.flush();
                bytes.getFD().sync();
            }
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new IOException(
                    file + ": cannot be written: " + e.getClass().getSimpleName() + ": " + e.getMessage(), e);
        } finally {
            // Gone already when all went well.
            Files.deleteIfExists(temporary);
        }
    }
}
