package dev.edl.runtime.task.journal;

import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Syncs a journal to disk once per interval, for all events written in the interval. Thread-safe. */
final class GroupSync {
    /** Delay between the first event written and the sync that includes it. */
    static final Duration INTERVAL = Duration.ofMillis(50);

    private final JournalFile bytes;
    private final SyncTimer timer;
    private boolean due;
    private boolean closed;
    private @Nullable IOException failure;

    GroupSync(JournalFile bytes, SyncTimer timer) {
        this.bytes = bytes;
        this.timer = timer;
    }

    /** Schedules a sync for written events; does not wait for it. */
    void written() {
        synchronized (this) {
            if (due) {
                return;
            }
            due = true;
        }
        timer.after(INTERVAL, this::sync);
    }

    private void sync() {
        synchronized (this) {
            // Events written from now on may miss this sync and need another one.
            due = false;
            if (closed) {
                return;
            }
        }
        try {
            bytes.sync();
        } catch (IOException e) {
            failed(e);
        } catch (RuntimeException | Error e) {
            // The timer would drop the exception, and events would seem to be on disk.
            failed(new IOException(e.toString(), e));
        }
    }

    private synchronized void failed(IOException cause) {
        // A concurrent close has synced the file.
        if (!closed && failure == null) {
            failure = cause;
        }
    }

    /**
     * Returns the exception of the first failed sync; null if none failed. The operating system reports a failure once:
     * the next sync may succeed without the data.
     */
    synchronized @Nullable IOException failure() {
        return failure;
    }

    /** Ends the scheduled syncs; the caller must make the last sync itself. */
    synchronized void close() {
        closed = true;
    }
}
