package dev.edl.runtime.internal.files;

import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Renames a complete file to its final name. */
public final class AtomicRename {
    private AtomicRename() {}

    /**
     * Renames a file and replaces the existing one, atomically if the file system can.
     *
     * <p>Otherwise a crash during the rename may leave a partial file, or none, under the name.
     */
    public static void replacing(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (AtomicMoveNotSupportedException | UnsupportedOperationException e) {
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
