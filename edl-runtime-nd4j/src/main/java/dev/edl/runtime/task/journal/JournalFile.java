package dev.edl.runtime.task.journal;

import dev.edl.runtime.internal.files.FileLockedException;
import dev.edl.runtime.internal.files.OpenFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Journal file that is locked against other processes, except on a file system without locks. Thread-safe: a writing
 * thread does not wait for a syncing one. Not final, so that a test can simulate a full disk.
 */
class JournalFile implements Closeable {
    private final OpenFile bytes;
    /** Position in the file after the last write, buffered or not; -1 if unknown. */
    private long position = -1;

    /**
     * Bytes that were written last and are not in the file yet. The first of them belongs {@code buffered} bytes before
     * {@code position}.
     */
    private final byte[] buffer;

    private int buffered;
    private boolean closed;

    /**
     * Opens and locks an existing file.
     *
     * @param buffer maximum number of written bytes held in memory until the file is read, synced or closed; 0 for none
     * @throws IOException if the file cannot be opened, or if this process or another one has it open
     */
    public JournalFile(Path file, int buffer) throws IOException {
        this.buffer = new byte[buffer];
        try {
            this.bytes = OpenFile.hold(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        } catch (FileLockedException e) {
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

    /** Reads into a buffer up to its limit, or to the end of the file. */
    public synchronized void read(ByteBuffer into, long from) throws IOException {
        flush();
        bytes.read(into, from);
    }

    /** Writes all of an array-backed buffer. */
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
            // Also after a failed write, because the state of the disk is then unknown.
            buffered = 0;
            bytes.write(ByteBuffer.wrap(buffer, 0, length), position - length);
        }
    }

    /** Truncates the file at an offset. */
    public synchronized void truncate(long size) throws IOException {
        flush();
        position = -1;
        bytes.truncate(size);
    }

    /** Syncs all earlier writes to disk; other threads may write meanwhile. */
    public void sync() throws IOException {
        synchronized (this) {
            flush();
        }
        force();
    }

    /** Syncs the file to disk, which may take long. Called without a lock held. */
    protected void force() throws IOException {
        bytes.force();
    }

    /** Closes the file, which releases the lock. */
    @Override
    public synchronized void close() throws IOException {
        closed = true;
        try (bytes) {
            flush();
        }
    }
}
