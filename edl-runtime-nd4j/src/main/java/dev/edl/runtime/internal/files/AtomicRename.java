package dev.edl.runtime.internal.files;

import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Gives a file that is written the name that it is known by. */
public final class AtomicRename {
    private AtomicRename() {}

    /**
     * Renames a file and replaces the one of that name: in one step where the file system can. Where it cannot, a crash in
     * between may leave a part of the file, or none, under the name.
     */
    public static void replacing(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (AtomicMoveNotSupportedException | UnsupportedOperationException e) {
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
