package dev.edl.runtime.task.internal;

import dev.edl.runtime.internal.files.HeldFileException;
import dev.edl.runtime.internal.files.OpenFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The bytes of a journal that this process alone has open; on a file system without locks, other processes are not kept out.
 * Safe for several threads: a thread that writes does not wait for one that syncs. Not final, so that a test can let a disk
 * be full.
 */
public class JournalFile implements Closeable {
    private final OpenFile bytes;
    /** Where the next byte in the buffer would be written: behind what was written last; -1 when that is not known. */
    private long position = -1;

    /** What was written last and has not reached the file, which ends at {@code buffered} below {@code position}. */
    private final byte[] buffer;

    private int buffered;
    private boolean closed;

    /**
     * Opens and locks a file that exists.
     *
     * @param buffer how many bytes may wait in memory until the file is read, synced or closed; 0 for none
     * @throws IOException also when this process or another one has it open already
     */
    public JournalFile(Path file, int buffer) throws IOException {
        this.buffer = new byte[buffer];
        try {
            this.bytes = OpenFile.hold(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        } catch (HeldFileException e) {
            throw new IOException(
                    file + ": the journal is open "
                            + (e.here()
                                    ? "already in this process"
                                    : "in another process; one master at a time may use it"),
                    e);
        }
    }

    public synchronized long size() throws IOException {
        flush();
        return bytes.size();
    }

    /** Fills a buffer up to its limit; less when the file ends before. */
    public synchronized void read(ByteBuffer into, long from) throws IOException {
        flush();
        bytes.read(into, from);
    }

    /** Writes all of a buffer that has an array. */
    public synchronized void write(ByteBuffer from, long at) throws IOException {
        if (closed) {
            throw new IOException("Stream Closed");
        }
        int length = from.remaining();
        if (position != at || buffered + length > buffer.length) {
            flush();
        }
        if (length <= buffer.length) {
            System.arraycopy(from.array(), from.arrayOffset() + from.position(), buffer, buffered, length);
            buffered += length;
        } else {
            bytes.write(from, at);
        }
        position = at + length;
    }

    private void flush() throws IOException {
        if (buffered > 0) {
            int length = buffered;
            // Whether it succeeds or not: after a failed write it is not known what the disk has.
            buffered = 0;
            bytes.write(ByteBuffer.wrap(buffer, 0, length), position - length);
        }
    }

    /** Cuts off what is behind an offset. */
    public synchronized void truncate(long size) throws IOException {
        flush();
        position = -1;
        bytes.truncate(size);
    }

    /** Puts everything that was written before on the disk, while other threads may write. */
    public void sync() throws IOException {
        synchronized (this) {
            flush();
        }
        force();
    }

    /** Puts on the disk what is with the operating system, which may take long; no lock is held. */
    protected void force() throws IOException {
        bytes.force();
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
