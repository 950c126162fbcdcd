package dev.edl.runtime.internal.files;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Open file of any file system, read and written at any offset.
 *
 * <p>An interrupted thread can use it and stays interrupted. The JDK closes a channel for all threads when an
 * interrupted thread uses it. This class then opens the file again by its path and repeats the operation, so the path
 * must name the same file while it is open.
 *
 * <p>Safe for several threads. Reads and writes run in parallel if the file system has {@link FileChannel}s, otherwise
 * one after the other.
 */
public final class OpenFile implements Closeable {
    /**
     * Maximum number of bytes in one operation. The JDK copies through a native buffer of the size of the operation,
     * and keeps that buffer.
     */
    private static final int MOST_AT_ONCE = 1 << 20;

    private static final Set<OpenOption> ONCE =
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.CREATE_NEW, StandardOpenOption.TRUNCATE_EXISTING);

    /**
     * Files held in this process. An in-memory file system has no locks, or locks that do not exclude other processes.
     */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path file;
    private final Set<OpenOption> options;
    private final @Nullable Path held;
    private volatile SeekableByteChannel channel;
    private volatile boolean closed;
    private boolean locked;

    private OpenFile(Path file, @Nullable Path held, Set<OpenOption> options) throws IOException {
        this.file = file;
        this.held = held;
        this.options = options.stream().filter(option -> !ONCE.contains(option)).collect(Collectors.toSet());
        this.channel = open(file, options);
    }

    /** Opens a file for reading. */
    public static OpenFile read(Path file) throws IOException {
        return open(file, StandardOpenOption.READ);
    }

    /** Creates a file for writing; it must not exist. */
    public static OpenFile create(Path file) throws IOException {
        return open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
    }

    /** Opens a file with options. */
    public static OpenFile open(Path file, OpenOption... options) throws IOException {
        return new OpenFile(file, null, Set.copyOf(Arrays.asList(options)));
    }

    /**
     * Opens a file and holds it until it is closed, so that no other thread or process can hold it.
     *
     * <p>The folder must exist. On a file system without locks only this process is excluded, see
     * {@link #excludesProcesses()}.
     *
     * @throws FileLockedException when this process or another one holds it
     */
    public static OpenFile hold(Path file, OpenOption... options) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        Path name = file.getFileName();
        Path key = folder == null || name == null
                ? file.toAbsolutePath()
                : folder.toRealPath().resolve(name);
        // Before the file is opened: POSIX ends all locks of a process on a file when it closes any channel to it.
        if (!HELD.add(key)) {
            throw new FileLockedException(file.toString(), true);
        }
        try {
            OpenFile open = new OpenFile(file, key, Set.copyOf(Arrays.asList(options)));
            try {
                open.locked = open.uninterrupted(open::lock);
                return open;
            } catch (IOException | RuntimeException e) {
                open.channel.close();
                throw e;
            }
        } catch (IOException | RuntimeException e) {
            HELD.remove(key);
            throw e;
        }
    }

    /** Locks the file for this process; returns false if the file system has no locks. */
    private boolean lock(SeekableByteChannel on) throws IOException {
        if (!(on instanceof FileChannel bytes)) {
            return false;
        }
        FileLock lock;
        try {
            lock = bytes.tryLock();
        } catch (ClosedChannelException e) {
            throw e;
        } catch (IOException | UnsupportedOperationException none) {
            // For example a network volume without a lock daemon: "No locks available".
            return false;
        }
        if (lock == null) {
            throw new FileLockedException(file.toString(), false);
        }
        return true;
    }

    /** Returns whether a held file is locked against other processes; if false, it is only held within this process. */
    public boolean excludesProcesses() {
        return locked;
    }

    private static SeekableByteChannel open(Path file, Set<OpenOption> options) throws IOException {
        try {
            return FileChannel.open(file, options);
        } catch (UnsupportedOperationException none) {
            return Files.newByteChannel(file, options);
        }
    }

    /** Operation on a channel that can be repeated on another channel. */
    @FunctionalInterface
    private interface Operation<T> {
        T on(SeekableByteChannel channel) throws IOException;
    }

    private <T> T uninterrupted(Operation<T> operation) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                SeekableByteChannel current = channel;
                try {
                    return operation.on(current);
                } catch (ClosedChannelException e) {
                    interrupted |= Thread.interrupted();
                    reopen(current, e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private synchronized void reopen(SeekableByteChannel gone, ClosedChannelException cause) throws IOException {
        if (closed) {
            throw cause;
        }
        if (channel == gone) {
            SeekableByteChannel next = open(file, options);
            try {
                // The lock was lost with the channel, and another process may hold it now: then this file is not used
                // again.
                if (locked && !lock(next)) {
                    throw new IOException(file + ": the lock was lost when a thread was interrupted");
                }
            } catch (IOException | RuntimeException e) {
                next.close();
                throw e;
            }
            channel = next;
        }
    }

    /**
     * Reads bytes from an offset of the file until the buffer is full or the file ends. Returns whether the buffer is
     * full.
     */
    public boolean read(ByteBuffer into, long from) throws IOException {
        int start = into.position();
        int limit = into.limit();
        return uninterrupted(bytes -> {
            try {
                while (into.position() < limit) {
                    into.limit(Math.min(limit, into.position() + MOST_AT_ONCE));
                    if (read(bytes, into, from + into.position() - start) < 0) {
                        return false;
                    }
                }
                return true;
            } finally {
                into.limit(limit);
            }
        });
    }

    private int read(SeekableByteChannel bytes, ByteBuffer into, long from) throws IOException {
        if (bytes instanceof FileChannel parallel) {
            return parallel.read(into, from);
        }
        synchronized (this) {
            return at(bytes, from).read(into);
        }
    }

    /** Writes all remaining bytes of a buffer to an offset of the file. */
    public void write(ByteBuffer from, long to) throws IOException {
        int start = from.position();
        int limit = from.limit();
        uninterrupted(bytes -> {
            try {
                // The buffer's position is the progress, also if an interrupt closed the channel after a write.
                while (from.position() < limit) {
                    from.limit(Math.min(limit, from.position() + MOST_AT_ONCE));
                    write(bytes, from, to + from.position() - start);
                }
                return from;
            } finally {
                from.limit(limit);
            }
        });
    }

    private int write(SeekableByteChannel bytes, ByteBuffer from, long to) throws IOException {
        if (bytes instanceof FileChannel parallel) {
            return parallel.write(from, to);
        }
        synchronized (this) {
            return at(bytes, to).write(from);
        }
    }

    /** Sets the channel's position only if it differs, because some file systems write sequentially only. */
    private static SeekableByteChannel at(SeekableByteChannel bytes, long position) throws IOException {
        return bytes.position() == position ? bytes : bytes.position(position);
    }

    /** Returns the size in bytes. */
    public long size() throws IOException {
        return uninterrupted(SeekableByteChannel::size);
    }

    /** Truncates the file. */
    public void truncate(long size) throws IOException {
        uninterrupted(bytes -> bytes.truncate(size));
    }

    /** Forces everything to the disk, if the file system has {@link FileChannel}s; other channels have no such call. */
    public void force() throws IOException {
        uninterrupted(bytes -> {
            if (bytes instanceof FileChannel disk) {
                disk.force(true);
            }
            return bytes;
        });
    }

    /** Returns a stream from an offset. Reads are as large as the caller's arrays; closing it closes the file. */
    public InputStream input(long offset) {
        return new InputStream() {
            private long position = offset;

            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] into, int from, int length) throws IOException {
                if (length == 0) {
                    return 0;
                }
                ByteBuffer buffer = ByteBuffer.wrap(into, from, length);
                OpenFile.this.read(buffer, position);
                int count = buffer.position() - from;
                position += count;
                return count == 0 ? -1 : count;
            }

            @Override
            public long skip(long count) throws IOException {
                long skipped = Math.max(0, Math.min(count, size() - position));
                position += skipped;
                return skipped;
            }

            /** A gzip stream calls this to detect a following member. */
            @Override
            public int available() throws IOException {
                return (int) Math.max(0, Math.min(Integer.MAX_VALUE, size() - position));
            }

            @Override
            public void close() throws IOException {
                OpenFile.this.close();
            }
        };
    }

    /** Returns an unbuffered stream that writes from the start; closing it closes the file. */
    public OutputStream output() {
        return new OutputStream() {
            private long position;

            @Override
            public void write(int value) throws IOException {
                write(new byte[] {(byte) value}, 0, 1);
            }

            @Override
            public void write(byte[] from, int start, int length) throws IOException {
                OpenFile.this.write(ByteBuffer.wrap(from, start, length), position);
                position += length;
            }

            @Override
            public void close() throws IOException {
                OpenFile.this.close();
            }
        };
    }

    /** Closes the file, and releases it if it was held. */
    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        try {
            channel.close();
        } finally {
            if (held != null) {
                HELD.remove(held);
            }
        }
    }

    /** Returns, for example, {@code OpenFile[run/run.lock]}. */
    @Override
    public String toString() {
        return "OpenFile[" + file + "]";
    }
}
