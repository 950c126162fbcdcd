package dev.edl.runtime.task.internal;

import dev.edl.runtime.task.SyncTimer;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Syncs a journal once for everything that was written in an interval. Safe for several threads. */
public final class GroupSync {
    /** At most so long an event is not on the disk, apart from the time of a sync. */
    public static final Duration INTERVAL = Duration.ofMillis(50);

    private final JournalFile bytes;
    private final SyncTimer timer;
    private boolean due;
    private boolean closed;
    private @Nullable IOException failure;

    public GroupSync(JournalFile bytes, SyncTimer timer) {
        this.bytes = bytes;
        this.timer = timer;
    }

    /** Tells that something was written; it waits for no sync. */
    public void written() {
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
            // What is written from now on may miss this sync, and needs another one.
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
            // The timer would drop it, and events would seem to be on the disk.
            failed(new IOException(e.toString(), e));
        }
    }

    private synchronized void failed(IOException cause) {
        // A file that is closed meanwhile was synced by that.
        if (!closed && failure == null) {
            failure = cause;
        }
    }

    /** Returns why a sync failed. The operating system reports that once: the next sync may succeed without the data. */
    public synchronized @Nullable IOException failure() {
        return failure;
    }

    /** Ends the syncs; the caller syncs for the last time. */
    public synchronized void close() {
        closed = true;
    }
}
