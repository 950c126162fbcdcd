package dev.edl.runtime.data.internal;

import dev.edl.runtime.data.CorruptFileException;
import java.io.IOException;
import java.lang.ref.SoftReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Random access to the bytes of a file that does not change, for any number of threads; no file is held open.
 *
 * <p>The bytes are mapped into memory, which avoids a copy: through a stream the same bytes take ten times as long. A
 * mapping belongs to the page cache, not to the heap.
 *
 * <p>On Windows a mapped file can neither be replaced nor deleted, and few file systems other than the default one map
 * files. In these cases, the bytes are read in blocks. The most recent blocks stay in memory until the JVM needs the
 * memory.
 */
public final class FileView {
    /** Maximum length of a slice, in bytes. */
    public static final int MOST = 1 << 30;

    private static final int BLOCK = 1 << 18;
    private static final int BLOCKS = 4;

    private final Path file;
    private final long size;
    private final boolean mapped;
    private final boolean inMemory;
    // Segment i starts at i GiB and is up to 2 GiB long, so that any slice of up to 1 GiB is within one.
    private final AtomicReferenceArray<ByteBuffer> segments;
    private final AtomicReferenceArray<@Nullable SoftReference<Block>> blocks = new AtomicReferenceArray<>(BLOCKS);

    /** Bytes of the file that were read as one block; no thread changes them. */
    private record Block(long number, ByteBuffer bytes) {}

    /** Creates a view of a file with the given size; reads nothing yet. */
    public FileView(Path file, long size) {
        this(file, size, maps(file));
    }

    /** Returns a view of file content that is already in memory. */
    public static FileView of(Path file, byte[] content) {
        FileView view = new FileView(file, content.length, true, true);
        view.segments.set(0, ByteBuffer.wrap(content));
        return view;
    }

    FileView(Path file, long size, boolean mapped) {
        this(file, size, mapped, false);
    }

    private FileView(Path file, long size, boolean mapped, boolean inMemory) {
        this.inMemory = inMemory;
        this.file = file;
        this.size = size;
        this.mapped = mapped;
        this.segments = new AtomicReferenceArray<>(Math.toIntExact(size / MOST + 1));
    }

    private static boolean maps(Path file) {
        return file.getFileSystem() == FileSystems.getDefault()
                && file.getFileSystem().getSeparator().equals("/");
    }

    public Path file() {
        return file;
    }

    public long size() {
        return size;
    }

    /**
     * Rejects a file that is shorter than when the view was created.
     *
     * <p>Touching the missing part of a mapping would end the JVM, so each read checks first. A file that is truncated
     * during a read can still do so.
     */
    public void checkSize() throws IOException {
        if (inMemory) {
            return;
        }
        long now = Files.size(file);
        if (now < size) {
            throw new CorruptFileException(
                    file, now, "a file of " + size + " bytes, its size when it was opened", now + " bytes");
        }
    }

    /**
     * Returns a little-endian buffer of the file's bytes, which must not be written.
     *
     * @param offset offset of the slice from the start of the file; the caller must have checked that the slice is
     *     within {@link #size()}
     * @param length bytes of the slice, at most {@link #MOST}
     */
    public ByteBuffer slice(long offset, int length) throws IOException {
        if (length == 0) {
            return ByteBuffer.allocate(0).order(ByteOrder.LITTLE_ENDIAN);
        }
        if (!mapped) {
            return read(offset, length).order(ByteOrder.LITTLE_ENDIAN);
        }
        int number = (int) (offset / MOST);
        ByteBuffer segment = segments.get(number);
        if (segment == null) {
            segment = map(number);
            // Another thread may have been faster; either mapping is valid.
            segments.set(number, segment);
        }
        return segment.slice((int) (offset - (long) number * MOST), length).order(ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Reads bytes through cached blocks: a record is often a few hundred bytes, and opening the file for each would
     * cost more.
     */
    private ByteBuffer read(long offset, int length) throws IOException {
        long number = offset / BLOCK;
        if ((offset + length - 1) / BLOCK != number) {
            return ByteBuffer.wrap(exactly(offset, length));
        }
        int slot = (int) (number % BLOCKS);
        SoftReference<Block> kept = blocks.get(slot);
        Block block = kept == null ? null : kept.get();
        if (block == null || block.number != number) {
            long start = number * BLOCK;
            block = new Block(number, ByteBuffer.wrap(exactly(start, (int) Math.min(BLOCK, size - start))));
            blocks.set(slot, new SoftReference<>(block));
        }
        return block.bytes.slice((int) (offset - number * BLOCK), length);
    }

    private byte[] exactly(long offset, int length) throws IOException {
        try (UninterruptibleFileChannel bytes = new UninterruptibleFileChannel(file)) {
            return UninterruptibleFileChannel.exactly(file, bytes, offset, length);
        }
    }

    private ByteBuffer map(int number) throws IOException {
        long start = (long) number * MOST;
        long length = Math.min(Integer.MAX_VALUE, size - start);
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                    return channel.map(FileChannel.MapMode.READ_ONLY, start, length);
                } catch (ClosedByInterruptException e) {
                    // An interrupted thread continues to read; the caller checks the flag when it has its records.
                    interrupted |= Thread.interrupted();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Returns, for example, {@code FileView[train-00000: 1048576 bytes, mapped]}. */
    @Override
    public String toString() {
        return "FileView[" + file + ": " + size + " bytes, " + (inMemory ? "in memory" : mapped ? "mapped" : "read")
                + "]";
    }
}
