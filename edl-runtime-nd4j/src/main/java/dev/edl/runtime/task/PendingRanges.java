package dev.edl.runtime.task;

import dev.edl.runtime.proof.TaskType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Queue of ranges that wait for a worker: first ranges returned without a failure, then ranges of passes that were
 * never handed out, then failed ranges.
 */
final class PendingRanges {
    private final Deque<PassRange> returned = new ArrayDeque<>();
    private final Deque<PassRange> unbegun = new ArrayDeque<>();
    private final Deque<Fresh> fresh = new ArrayDeque<>();
    private final Deque<PassRange> failed = new ArrayDeque<>();
    private int size;

    /** Ranges of a pass in hand-out order; those from the cursor on were never handed out. */
    private static final class Fresh {
        private final TaskType type;
        private final long pass;
        private final int[] order;
        private int cursor;

        private Fresh(TaskType type, long pass, int[] order) {
            this.type = type;
            this.pass = pass;
            this.order = order;
        }
    }

    int size() {
        return size;
    }

    void addPass(TaskType type, long pass, int[] order) {
        if (order.length == 0) {
            return;
        }
        fresh.addLast(new Fresh(type, pass, order));
        size += order.length;
    }

    /** Adds a range at the head of the queue. */
    void addFirst(PassRange range) {
        returned.addFirst(range);
        size++;
    }

    /** Adds a range after the ranges returned earlier, and before all ranges that were never handed out. */
    void addReturned(PassRange range) {
        returned.addLast(range);
        size++;
    }

    /**
     * Adds a recalled range before all ranges that were never handed out. {@link #dropFresh} drops it too, because no
     * worker has begun it.
     */
    void addUnbegun(PassRange range) {
        unbegun.addLast(range);
        size++;
    }

    void addLast(PassRange range) {
        failed.addLast(range);
        size++;
    }

    /** Removes and returns all ranges that no worker has begun: those never handed out, and those recalled. */
    List<PassRange> dropFresh() {
        List<PassRange> dropped = new ArrayList<>(unbegun);
        unbegun.clear();
        for (Fresh pass : fresh) {
            for (int i = pass.cursor; i < pass.order.length; i++) {
                dropped.add(new PassRange(pass.type, pass.pass, pass.order[i]));
            }
        }
        fresh.clear();
        size -= dropped.size();
        return dropped;
    }

    /** Removes all ranges of a pass. */
    void removePass(long pass) {
        returned.removeIf(range -> range.pass() == pass);
        unbegun.removeIf(range -> range.pass() == pass);
        failed.removeIf(range -> range.pass() == pass);
        fresh.removeIf(ranges -> ranges.pass == pass);
        size = returned.size() + unbegun.size() + failed.size();
        for (Fresh ranges : fresh) {
            size += ranges.order.length - ranges.cursor;
        }
    }

    @Nullable
    PassRange peek() {
        Fresh pass = fresh.peekFirst();
        if (!returned.isEmpty()) {
            return returned.peekFirst();
        }
        if (!unbegun.isEmpty()) {
            return unbegun.peekFirst();
        }
        return pass == null ? failed.peekFirst() : new PassRange(pass.type, pass.pass, pass.order[pass.cursor]);
    }

    void remove() {
        size--;
        Fresh pass = fresh.peekFirst();
        if (!returned.isEmpty()) {
            returned.removeFirst();
        } else if (!unbegun.isEmpty()) {
            unbegun.removeFirst();
        } else if (pass != null) {
            if (++pass.cursor == pass.order.length) {
                fresh.removeFirst();
            }
        } else {
            failed.removeFirst();
        }
    }
}
