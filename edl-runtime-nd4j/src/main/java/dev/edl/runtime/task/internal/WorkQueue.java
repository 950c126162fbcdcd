package dev.edl.runtime.task;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What waits for a worker: first what came back without blame, then fresh passes, then what failed. */
final class WorkQueue {
    private final Deque<Slot> returned = new ArrayDeque<>();
    private final Deque<Fresh> fresh = new ArrayDeque<>();
    private final Deque<Slot> failed = new ArrayDeque<>();
    private int size;

    /** Ranges of a pass that were never handed out, from the cursor on. */
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

    /** Next in line. */
    void addFirst(Slot slot) {
        returned.addFirst(slot);
        size++;
    }

    /** Behind what came back before, ahead of what was never handed out. */
    void addReturned(Slot slot) {
        returned.addLast(slot);
        size++;
    }

    void addLast(Slot slot) {
        failed.addLast(slot);
        size++;
    }

    /** Takes out all that was never handed out. */
    List<Slot> dropFresh() {
        List<Slot> dropped = new ArrayList<>();
        for (Fresh pass : fresh) {
            for (int i = pass.cursor; i < pass.order.length; i++) {
                dropped.add(new Slot(pass.type, pass.pass, pass.order[i]));
            }
        }
        fresh.clear();
        size -= dropped.size();
        return dropped;
    }

    @Nullable
    Slot peek() {
        Fresh pass = fresh.peekFirst();
        if (!returned.isEmpty() || pass == null) {
            Slot slot = returned.peekFirst();
            return slot == null ? failed.peekFirst() : slot;
        }
        return new Slot(pass.type, pass.pass, pass.order[pass.cursor]);
    }

    void remove() {
        size--;
        Fresh pass = fresh.peekFirst();
        if (!returned.isEmpty()) {
            returned.removeFirst();
        } else if (pass != null) {
            if (++pass.cursor == pass.order.length) {
                fresh.removeFirst();
            }
        } else {
            failed.removeFirst();
        }
    }
}
