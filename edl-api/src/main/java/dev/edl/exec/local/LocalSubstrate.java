package dev.edl.exec.local;

import dev.edl.exec.Subscription;
import dev.edl.exec.Substrate;
import dev.edl.plan.JobPlan;
import dev.edl.plan.ReplicaPlan;
import dev.edl.reconcile.Action;
import dev.edl.reconcile.JobObservation;
import dev.edl.status.ObservedReplica;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Substrate that runs the replicas of one job as processes of this machine.
 *
 * <p>A replica is pending until its program runs. A replica that gets the address of an earlier one waits until the
 * earlier one's process has ended, since two processes cannot listen on the same port. A deleted replica is terminating
 * until all its processes have ended.
 */
final class LocalSubstrate implements Substrate {
    private static final Duration MARGIN = Duration.ofSeconds(10);
    /**
     * Additional wait for each replica: its shell scans all processes of this machine for those of the replica, so
     * ending many replicas takes longer.
     */
    private static final Duration EACH = Duration.ofMillis(200);

    private final LocalReplicaLauncher launch;
    private final Map<String, LocalReplica> replicas = new LinkedHashMap<>();
    /** All replicas that were started and have not ended, including deleted replicas. */
    private final List<LocalReplica> alive = new ArrayList<>();

    private final List<Runnable> wakes = new CopyOnWriteArrayList<>();
    private final AtomicLong attempts = new AtomicLong();
    private long created;
    private boolean closed;

    LocalSubstrate(LocalReplicaLauncher launch) {
        this.launch = launch;
    }

    @Override
    public synchronized JobObservation observe(JobPlan plan) {
        List<ObservedReplica> seen = new ArrayList<>();
        replicas.values().forEach(r -> seen.add(r.observed()));
        return new JobObservation(seen);
    }

    @Override
    public void apply(JobPlan plan, Action action) {
        if (action instanceof Action.CreateReplica create) {
            create(create.replica());
        } else if (action instanceof Action.DeleteReplica delete) {
            delete(delete);
        } else if (action instanceof Action.CollectJob) {
            names().forEach(name -> delete(new Action.DeleteReplica(name, "the job is collected", true)));
        }
    }

    private synchronized void create(ReplicaPlan plan) {
        if (closed || replicas.containsKey(plan.name())) {
            return;
        }
        LocalReplica replica = new LocalReplica(plan, Long.toString(++created), this::changed);
        if (free(plan)) {
            try {
                start(replica);
            } catch (IOException e) {
                throw new UncheckedIOException(e.getMessage(), e);
            }
        }
        replicas.put(plan.name(), replica);
    }

    private boolean free(ReplicaPlan plan) {
        return alive.stream().noneMatch(other -> other.plan().endpoint().equals(plan.endpoint()) && !other.over());
    }

    private void start(LocalReplica replica) throws IOException {
        launch.start(replica, attempts.incrementAndGet());
        alive.add(replica);
    }

    private synchronized List<String> names() {
        return List.copyOf(replicas.keySet());
    }

    private void delete(Action.DeleteReplica delete) {
        LocalReplica replica;
        synchronized (this) {
            replica = replicas.get(delete.replica());
            if (replica == null || !delete.concerns(replica.uid())) {
                return;
            }
            replica.delete(delete.graceful());
        }
        if (replica.over()) {
            changed(replica);
        }
    }

    /**
     * Returns the full name of a running replica.
     *
     * @param word the replica's short or full name
     * @throws IllegalArgumentException if no such replica is running
     */
    synchronized String running(String job, String word) {
        List<String> running = new ArrayList<>();
        for (LocalReplica replica : replicas.values()) {
            if (replica.pid().isPresent() && !replica.deleted()) {
                if (replica.name().equals(word) || replica.shortName().equals(word)) {
                    return replica.name();
                }
                running.add(replica.shortName());
            }
        }
        throw new IllegalArgumentException("job \"" + job + "\" has no running replica \"" + word + "\"; "
                + (running.isEmpty() ? "none is running now" : "running are " + String.join(", ", running)));
    }

    /** Kills a replica's program by signal 9; has no effect if it does not run. */
    synchronized void kill(String name) {
        LocalReplica replica = replicas.get(name);
        if (replica != null) {
            replica.kill();
        }
    }

    synchronized OptionalLong pid(String name) {
        LocalReplica replica = replicas.get(name);
        return replica == null ? OptionalLong.empty() : replica.pid();
    }

    private void changed(LocalReplica replica) {
        List<LocalReplica> unstarted = new ArrayList<>();
        Map<LocalReplica, String> failed = new LinkedHashMap<>();
        synchronized (this) {
            if (replica.over()) {
                alive.remove(replica);
                if (replica.deleted()) {
                    replicas.remove(replica.name(), replica);
                }
                replicas.values().stream()
                        .filter(r -> !r.started() && !r.over() && !closed && free(r.plan()))
                        .forEach(unstarted::add);
            }
            for (LocalReplica next : unstarted) {
                try {
                    if (free(next.plan())) {
                        start(next);
                    }
                } catch (IOException | UncheckedIOException e) {
                    failed.put(next, String.valueOf(e.getMessage()));
                }
            }
        }
        failed.forEach(LocalReplica::failed);
        wakes.forEach(Runnable::run);
    }

    @Override
    public Subscription onChange(String job, Runnable wake) {
        wakes.add(wake);
        return () -> wakes.remove(wake);
    }

    /** Starts to end all replicas, and returns at once; no further replica is started. */
    void stop(boolean graceful) {
        List<LocalReplica> all;
        synchronized (this) {
            closed = true;
            all = List.copyOf(alive);
        }
        all.forEach(replica -> replica.delete(graceful));
    }

    private Duration limit(int replicas) {
        return launch.grace().plus(MARGIN).plus(EACH.multipliedBy(replicas));
    }

    private synchronized int alive() {
        return alive.size();
    }

    /**
     * Waits until the stopped replicas have ended, and kills the remaining ones after the limit. Returns the names of
     * the replicas that did not end.
     */
    List<String> awaitEnd(Duration limit) throws InterruptedException {
        List<LocalReplica> all;
        synchronized (this) {
            all = List.copyOf(alive);
        }
        List<String> left = new ArrayList<>();
        long end = System.nanoTime() + limit.toNanos();
        for (LocalReplica replica : all) {
            if (!replica.awaitEnd(Duration.ofNanos(end - System.nanoTime()))) {
                left.add(replica.name());
            }
        }
        return left;
    }

    /**
     * Waits for the processes of stopped replicas. Kills the remaining processes after the grace period plus 10 s plus
     * 0.2 s for each replica.
     */
    void awaitGone() {
        List<LocalReplica> all;
        synchronized (this) {
            all = List.copyOf(alive);
        }
        long end = System.nanoTime() + limit(all.size()).toNanos();
        try {
            for (LocalReplica replica : all) {
                replica.awaitGone(Duration.ofNanos(end - System.nanoTime()));
            }
        } catch (InterruptedException e) {
            stop(false);
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Ends all replicas and waits for them. Kills the remaining processes after the grace period plus 10 s plus 0.2
     * s for each replica.
     *
     * @throws IllegalStateException when a process remains although it was killed
     */
    @Override
    public void close() {
        stop(true);
        try {
            List<String> left = awaitEnd(limit(alive()));
            if (!left.isEmpty()) {
                throw new IllegalStateException("the processes of " + String.join(", ", left)
                        + " did not end after SIGKILL; the kernel holds them, for example while they wait for a"
                        + " device or a network file system");
            }
        } catch (InterruptedException e) {
            // If the caller cannot wait, the replicas get no grace period either.
            stop(false);
            Thread.currentThread().interrupt();
        }
    }
}
