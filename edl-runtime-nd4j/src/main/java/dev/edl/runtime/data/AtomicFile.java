package dev.edl.runtime.data;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

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
            try (FileChannel channel = FileChannel.open(
                            temporary,
                            StandardOpenOption.CREATE,
                            StandardOpenOption.TRUNCATE_EXISTING,
                            StandardOpenOption.WRITE);
                    OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel))) {
                content.to(out);
                out.flush();
                channel.force(true);
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
