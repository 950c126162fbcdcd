package dev.edl.runtime.task;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Who holds what, found by task, by worker and by age. A worker holds at most one task. */
final class Leases {
    private static final int NAMED_HOLDERS = 5;
    private static final Comparator<String> SHORT_NAMES_FIRST =
            Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder());

    private final Map<Integer, Lease> byTask = new HashMap<>();
    private final Map<String, Lease> byWorker = new HashMap<>();
    private final TreeSet<Lease> byAge =
            new TreeSet<>(Comparator.comparing(Lease::touched).thenComparing(l -> l.task.id()));

    /** A task with its worker. */
    static final class Lease {
        final Task task;
        final Slot slot;
        final String worker;
        private Instant touched;
        private boolean doubted;

        Lease(Task task, Slot slot, String worker, Instant at) {
            this.task = task;
            this.slot = slot;
            this.worker = worker;
            this.touched = at;
        }

        Instant touched() {
            return touched;
        }

        /** Whether pushes of this task may have been lost behind the worker's back. */
        boolean doubted() {
            return doubted;
        }

        void doubt() {
            doubted = true;
        }
    }

    int size() {
        return byTask.size();
    }

    Collection<Lease> all() {
        return byTask.values();
    }

    @Nullable
    Lease of(int taskId) {
        return byTask.get(taskId);
    }

    @Nullable
    Lease heldBy(String worker) {
        return byWorker.get(worker);
    }

    @Nullable
    Lease oldest() {
        return byAge.isEmpty() ? null : byAge.first();
    }

    /** Leases last touched at a moment or before it, oldest first. */
    List<Lease> touchedUntil(Instant moment) {
        List<Lease> old = new ArrayList<>();
        for (Lease lease : byAge) {
            if (lease.touched.isAfter(moment)) {
                break;
            }
            old.add(lease);
        }
        return old;
    }

    void add(Lease lease) {
        if (byWorker.putIfAbsent(lease.worker, lease) != null || byTask.putIfAbsent(lease.task.id(), lease) != null) {
            throw new IllegalStateException(lease.worker + " cannot hold " + lease.task + " and another task at once");
        }
        byAge.add(lease);
    }

    Lease remove(int taskId) {
        Lease lease = existing(taskId);
        byAge.remove(lease);
        byWorker.remove(lease.worker);
        byTask.remove(taskId);
        return lease;
    }

    void touch(int taskId, Instant at) {
        Lease lease = existing(taskId);
        byAge.remove(lease);
        lease.touched = at;
        byAge.add(lease);
    }

    Lease existing(int taskId) {
        Lease lease = byTask.get(taskId);
        if (lease == null) {
            throw new IllegalStateException("nobody holds task " + taskId);
        }
        return lease;
    }

    /** Task by worker, {@code worker-2} ahead of {@code worker-10}. */
    SortedMap<String, Task> snapshot() {
        SortedMap<String, Task> tasks = new TreeMap<>(SHORT_NAMES_FIRST);
        byWorker.forEach((worker, lease) -> tasks.put(worker, lease.task));
        return tasks;
    }

    /** For example {@code 2 tasks are with worker-1, worker-3}; names a few holders and counts the rest. */
    String holders() {
        List<String> names = byWorker.keySet().stream()
                .sorted(SHORT_NAMES_FIRST)
                .limit(NAMED_HOLDERS)
                .toList();
        int others = size() - names.size();
        return (size() == 1 ? "1 task is with " : size() + " tasks are with ")
                + String.join(", ", names)
                + (others == 0 ? "" : " and " + others + (others == 1 ? " other" : " others"));
    }
}
