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
    /** Where the file stands; a journal is written at its end, which is where the last write left it. */
    private long position;

    /** What was written last and has not reached the file, which ends at {@code buffered} below {@code position}. */
    private final byte[] buffer;

    private int buffered;
    private boolean closed;

    private JournalFile(RandomAccessFile bytes, int buffer) {
        this.bytes = bytes;
        this.buffer = new byte[buffer];
    }

    /**
     * Opens and locks a file that exists.
     *
     * @param buffer how many bytes may wait in memory until the file is read, synced or closed; 0 for none
     * @throws IOException also when this process or another one has it open already
     */
    JournalFile(Path file, int buffer) throws IOException {
        this(new RandomAccessFile(file.toFile(), "rw"), buffer);
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
        flush();
        return bytes.length();
    }

    /** Fills a buffer that has an array, up to its limit; less when the file ends before. */
    synchronized void read(ByteBuffer into, long from) throws IOException {
        flush();
        position = -1;
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
        if (closed) {
            throw new IOException("Stream Closed");
        }
        int length = from.remaining();
        if (position != at || buffered + length > buffer.length) {
            flush();
        }
        if (position != at) {
            bytes.seek(at);
            position = at;
        }
        if (length <= buffer.length) {
            System.arraycopy(from.array(), from.arrayOffset() + from.position(), buffer, buffered, length);
            buffered += length;
        } else {
            position = -1;
            bytes.write(from.array(), from.arrayOffset() + from.position(), length);
        }
        position = at + length;
    }

    private void flush() throws IOException {
        if (buffered > 0) {
            int length = buffered;
            // Whether it succeeds or not: nobody knows what the disk has after a failed write.
            buffered = 0;
            bytes.write(buffer, 0, length);
        }
    }

    /** Cuts off what is behind an offset. */
    synchronized void truncate(long size) throws IOException {
        flush();
        position = -1;
        bytes.setLength(size);
    }

    /** Puts everything on the disk. */
    synchronized void sync() throws IOException {
        flush();
        bytes.getFD().sync();
    }

    /** Closes the file, which ends the lock. */
    @Override
    public synchronized void close() throws IOException {
        closed = true;
        try (bytes) {
            flush();
        }
    }
}
