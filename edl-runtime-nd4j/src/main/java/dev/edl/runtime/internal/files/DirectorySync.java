package dev.edl.runtime.internal.files;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Syncs the entries of a directory to disk, so that a created or renamed file survives a crash of the machine. */
public final class DirectorySync {
    private DirectorySync() {}

    /** Creates a directory and its parents as far as they are missing, and syncs the entry of each. */
    public static void create(Path directory) throws IOException {
        Path parent = directory.toAbsolutePath().getParent();
        if (parent != null && !Files.isDirectory(directory)) {
            create(parent);
            Files.createDirectories(directory);
            force(parent);
        }
    }

    /**
     * Syncs the entries of a directory. An interrupted thread stays interrupted. Does nothing on Windows and on file
     * systems that cannot open a directory.
     */
    public static void force(Path directory) throws IOException {
        // Windows cannot open a directory, and a rename is durable there without it.
        if (directory.getFileSystem().getSeparator().equals("/")) {
            boolean interrupted = Thread.interrupted();
            while (!forced(directory)) {
                interrupted |= Thread.interrupted();
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Syncs a directory through a channel. Returns false if an interrupt closed the channel before the sync. */
    private static boolean forced(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
            return true;
        } catch (ClosedByInterruptException e) {
            return false;
        } catch (IOException | UnsupportedOperationException e) {
            if (directory.getFileSystem() == FileSystems.getDefault()) {
                throw e;
            }
            return true;
        }
    }
}
