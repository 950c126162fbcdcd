package dev.edl.runtime.task;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;

/**
 * The bytes of a journal that this process alone has open.
 *
 * <p>They are read and written through a {@link RandomAccessFile}, whose channel serves for the lock alone: a channel
 * is closed for everybody when a thread uses it that was interrupted, and a worker may be interrupted at any moment.
 * Safe for several threads. Not final, so that a test can let a disk be full.
 */
class JournalFile implements Closeable {
    private final RandomAccessFile bytes;

    private JournalFile(RandomAccessFile bytes) {
        this.bytes = bytes;
    }

    /**
     * Opens and locks a file that exists.
     *
     * @throws IOException also when this process or another one has it open already
     */
    JournalFile(Path file) throws IOException {
        this(new RandomAccessFile(file.toFile(), "rw"));
        try {
            lock(file);
        } catch (IOException | RuntimeException e) {
            bytes.close();
            throw e;
        }
    }

    private void lock(Path file) throws IOException {
        FileLock lock;
        try {
            lock = bytes.getChannel().tryLock();
        } catch (OverlappingFileLockException e) {
            throw new IOException(file + ": the journal is open already in this process", e);
        }
        if (lock == null) {
            throw new IOException(file + ": the journal is open in another process; one master at a time may use it");
        }
    }

    synchronized long size() throws IOException {
        return bytes.length();
    }

    /** Fills a buffer that has an array, up to its limit; less when the file ends before. */
    synchronized void read(ByteBuffer into, long from) throws IOException {
        bytes.seek(from);
        while (into.hasRemaining()) {
            int n = bytes.read(into.array(), into.arrayOffset() + into.position(), into.remaining());
            if (n < 0) {
                return;
            }
            into.position(into.position() + n);
        }
    }

    /** Writes all of a buffer that has an array. */
    synchronized void write(ByteBuffer from, long at) throws IOException {
        bytes.seek(at);
        bytes.write(from.array(), from.arrayOffset() + from.position(), from.remaining());
    }

    /** Cuts off what is behind an offset. */
    synchronized void truncate(long size) throws IOException {
        bytes.setLength(size);
    }

    /** Puts everything on the disk. */
    void sync() throws IOException {
        bytes.getFD().sync();
    }

    /** Closes the file, which ends the lock. */
    @Override
    public void close() throws IOException {
        bytes.close();
    }
}
