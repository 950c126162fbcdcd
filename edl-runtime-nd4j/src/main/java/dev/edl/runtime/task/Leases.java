package dev.edl.runtime.task;

import java.time.Duration;
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

/**
 * Leases of tasks, indexed by task, by worker and by age. A worker has at most two leases: of its current task, and of
 * the prefetched next one.
 */
final class Leases {
    private static final int NAMED_HOLDERS = 5;
    private static final int MOST = 2;
    private static final Comparator<String> SHORT_NAMES_FIRST =
            Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder());

    private final Map<Integer, Lease> byTask = new HashMap<>();
    private final Map<String, List<Lease>> byWorker = new HashMap<>();
    private final TreeSet<Lease> byAge =
            new TreeSet<>(Comparator.comparing(Lease::touched).thenComparing(l -> l.task.id()));

    /** Lease of a task by a worker. */
    static final class Lease {
        final Task task;
        final PassRange slot;
        final String worker;
        private Duration touched;
        private boolean doubted;

        Lease(Task task, PassRange range, String worker, Duration at) {
            this.task = task;
            this.slot = range;
            this.worker = worker;
            this.touched = at;
        }

        Duration touched() {
            return touched;
        }

        /** Returns whether a parameter shard may have lost pushes of this task without the worker's knowledge. */
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

    /** Returns a copy of a worker's leases, in the order of their hand-out. */
    List<Lease> heldBy(String worker) {
        return List.copyOf(byWorker.getOrDefault(worker, List.of()));
    }

    /** Returns the leases that were last renewed at or before a moment, oldest first. */
    List<Lease> touchedUntil(Duration moment) {
        List<Lease> old = new ArrayList<>();
        for (Lease lease : byAge) {
            if (lease.touched.compareTo(moment) > 0) {
                break;
            }
            old.add(lease);
        }
        return old;
    }

    void add(Lease lease) {
        List<Lease> held = byWorker.computeIfAbsent(lease.worker, worker -> new ArrayList<>(MOST));
        if (held.size() == MOST || byTask.putIfAbsent(lease.task.id(), lease) != null) {
            throw new IllegalStateException(
                    lease.worker + " cannot hold " + lease.task + " and two other tasks at once");
        }
        held.add(lease);
        byAge.add(lease);
    }

    Lease remove(int taskId) {
        Lease lease = existing(taskId);
        byAge.remove(lease);
        byTask.remove(taskId);
        List<Lease> held = byWorker.getOrDefault(lease.worker, List.of());
        held.remove(lease);
        if (held.isEmpty()) {
            byWorker.remove(lease.worker);
        }
        return lease;
    }

    /** Renews all leases of the worker that holds a task. */
    void touch(int taskId, Duration at) {
        for (Lease lease : heldBy(existing(taskId).worker)) {
            byAge.remove(lease);
            lease.touched = at;
            byAge.add(lease);
        }
    }

    /** Renews all leases. */
    void renew(Duration at) {
        byAge.clear();
        byTask.values().forEach(lease -> lease.touched = at);
        byAge.addAll(byTask.values());
    }

    Lease existing(int taskId) {
        Lease lease = byTask.get(taskId);
        if (lease == null) {
            throw new IllegalStateException("no worker holds task " + taskId);
        }
        return lease;
    }

    /** Returns a copy of the leased tasks by worker name, with {@code worker-2} before {@code worker-10}. */
    SortedMap<String, List<Task>> snapshot() {
        SortedMap<String, List<Task>> tasks = new TreeMap<>(SHORT_NAMES_FIRST);
        byWorker.forEach((worker, held) ->
                tasks.put(worker, held.stream().map(lease -> lease.task).toList()));
        return tasks;
    }

    /**
     * Returns text for people, for example {@code 2 tasks are with worker-1, worker-3}; names a few holders and counts
     * the rest.
     */
    String holders() {
        List<String> names = byWorker.keySet().stream()
                .sorted(SHORT_NAMES_FIRST)
                .limit(NAMED_HOLDERS)
                .toList();
        int others = byWorker.size() - names.size();
        return (size() == 1 ? "1 task is with " : size() + " tasks are with ")
                + String.join(", ", names)
                + (others == 0 ? "" : " and " + others + (others == 1 ? " other" : " others"));
    }
}
