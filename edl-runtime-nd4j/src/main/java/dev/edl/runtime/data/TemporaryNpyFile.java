package dev.edl.runtime.data;

import dev.edl.runtime.internal.files.AtomicRename;
import dev.edl.runtime.internal.files.FileLockedException;
import dev.edl.runtime.internal.files.NpyHeader;
import dev.edl.runtime.internal.files.OpenFile;
import dev.edl.runtime.internal.text.ExceptionText;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Temporary {@code .npy} file of float32 rows, which callers write at any position and in any order. Used by one thread
 * at a time.
 */
final class TemporaryNpyFile implements AutoCloseable {
    private static final int BLOCK_FLOATS = 16_384;

    private final Path temporary;
    private final OpenFile file;
    private final int width;
    private final int dataStart;
    private final Map<String, Long> firstRow = new HashMap<>();
    private boolean closed;

    /** Creates a file for the rows of these shards, one after the other. */
    TemporaryNpyFile(Path temporary, List<DataShard> shards, int width) throws IOException {
        this.temporary = temporary;
        this.width = width;
        long rows = 0;
        for (DataShard shard : shards) {
            firstRow.put(shard.name(), rows);
            rows = Math.addExact(rows, shard.records());
        }
        byte[] header = NpyHeader.of(NpyHeader.FLOAT, rows + ", " + width);
        this.dataStart = header.length;
        Path folder = temporary.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        this.file = hold(temporary);
        try {
            file.truncate(0);
            file.write(ByteBuffer.wrap(header), 0);
            // The file has its final size from the start; a full disk is only noticed when rows are written.
            long size = dataStart + Math.multiplyExact(rows, (long) width * Float.BYTES);
            if (size > dataStart) {
                file.write(ByteBuffer.allocate(1), size - 1);
            }
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /**
     * Opens the file so that no other run writes to it. A killed run leaves its file, which is then used again.
     *
     * @throws FileLockedException when another run holds it
     */
    private static OpenFile hold(Path temporary) throws IOException {
        while (true) {
            Object before = key(temporary);
            OpenFile held = OpenFile.hold(
                    temporary, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
            // Another run may have renamed the file after it was opened and before it was locked: it is then complete.
            if (before == null || Objects.equals(before, key(temporary))) {
                return held;
            }
            held.close();
        }
    }

    /** Returns the identity of a file; null without a file, or on a file system without such identities. */
    private static @Nullable Object key(Path file) throws IOException {
        try {
            return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    /**
     * Creates a temporary file for rows in the folder of the final file. The temporary file is renamed later.
     *
     * @throws IOException when the final file could not be written: it is a directory, its folder cannot be created, or
     *     another run writes it
     */
    static TemporaryNpyFile toBe(Path target, String ending, List<DataShard> shards, int width) throws IOException {
        if (Files.isDirectory(target)) {
            throw new FileAlreadyExistsException(
                    target.toString(), null, "is a directory; predictions are written to a file");
        }
        for (Path folder = target.toAbsolutePath().getParent(); folder != null; folder = folder.getParent()) {
            if (Files.exists(folder) && !Files.isDirectory(folder)) {
                throw new FileAlreadyExistsException(
                        folder.toString(), null, "is not a directory, so nothing can be written to " + target);
            }
        }
        try {
            return new TemporaryNpyFile(target.resolveSibling(target.getFileName() + ending), shards, width);
        } catch (FileLockedException e) {
            throw new IOException(
                    "predictions to " + target + " are being written by another run; give each run a file of its own",
                    e);
        } catch (IOException e) {
            throw new IOException(
                    "predictions cannot be written to " + target + ": " + ExceptionText.of(e)
                            + "; name a path in a folder that this program may write to",
                    e);
        }
    }

    private long place(String shard, long row) {
        Long first = firstRow.get(shard);
        if (first == null) {
            throw new IllegalArgumentException("there is no shard \"" + shard + "\"; there are " + firstRow.keySet());
        }
        return dataStart + (first + row) * width * Float.BYTES;
    }

    void write(String shard, long start, long end, float[] values) throws IOException {
        if (values.length != (end - start) * width) {
            throw new IllegalArgumentException(shard + "[" + start + ".." + end + ") of " + width
                    + " outputs per record needs " + (end - start) * width + " values, was " + values.length);
        }
        long place = place(shard, start);
        for (int from = 0; from < values.length; from += BLOCK_FLOATS) {
            int count = Math.min(BLOCK_FLOATS, values.length - from);
            ByteBuffer block = ByteBuffer.allocate(count * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            block.asFloatBuffer().put(values, from, count);
            file.write(block, place + (long) from * Float.BYTES);
        }
    }

    /** Reads rows of a shard from the file into an array. */
    void read(String shard, long start, int rows, float[] into) throws IOException {
        ByteBuffer block = ByteBuffer.allocate(Math.multiplyExact(rows * width, Float.BYTES));
        if (!file.read(block, place(shard, start))) {
            throw new EOFException(temporary + ": became shorter while it was written");
        }
        block.flip().order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(into, 0, rows * width);
    }

    /** Renames the complete file to its target. */
    void moveTo(Path target) throws IOException {
        file.force();
        // While it is held, so that no other run writes to it.
        AtomicRename.replacing(temporary, target);
        closed = true;
        file.close();
    }

    /** Deletes the file unless it was renamed. */
    @Override
    public void close() throws IOException {
        if (!closed) {
            closed = true;
            try {
                Files.deleteIfExists(temporary);
            } finally {
                file.close();
            }
        }
    }
}
