package dev.edl.runtime.inprocess;

import dev.edl.exec.Subscription;
import dev.edl.exec.Substrate;
import dev.edl.plan.JobPlan;
import dev.edl.plan.ReplicaPlan;
import dev.edl.reconcile.Action;
import dev.edl.reconcile.JobObservation;
import dev.edl.runtime.engine.ReplicaRunner;
import dev.edl.status.ObservedReplica;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Substrate that runs the replicas of one job as daemon threads of this JVM, each named after its replica.
 *
 * <p>A deleted replica is cut off at its next call to any other replica: further work of its thread has no effect. Its
 * object is terminating until its thread has ended.
 */
final class InProcessSubstrate implements Substrate {
    private static final Duration CLOSE = Duration.ofSeconds(10);

    private final ReplicaRunner services;
    private final Map<String, InProcessReplica> replicas = new LinkedHashMap<>();
    private final List<Runnable> wakes = new CopyOnWriteArrayList<>();

    InProcessSubstrate(ReplicaRunner services) {
        this.services = services;
    }

    @Override
    public synchronized JobObservation observe(JobPlan plan) {
        List<ObservedReplica> seen = new ArrayList<>();
        // A deleted replica is gone once its thread has ended, which removes it a moment later.
        replicas.values().stream()
                .filter(replica -> !(replica.deleted() && replica.over()))
                .forEach(replica -> seen.add(replica.observed()));
        return new JobObservation(seen);
    }

    @Override
    public void apply(JobPlan plan, Action action) {
        if (action instanceof Action.CreateReplica create) {
            create(create.replica());
            // It runs as soon as it is created.
            wakes.forEach(Runnable::run);
        } else if (action instanceof Action.DeleteReplica delete) {
            delete(delete.replica());
        } else if (action instanceof Action.CollectJob) {
            names().forEach(this::delete);
        }
    }

    private synchronized void create(ReplicaPlan replica) {
        if (!replicas.containsKey(replica.name())) {
            InProcessReplica started = new InProcessReplica(replica, services, this::ended);
            replicas.put(replica.name(), started);
            started.start();
        }
    }

    synchronized List<String> names() {
        return List.copyOf(replicas.keySet());
    }

    private void delete(String name) {
        boolean removed = false;
        synchronized (this) {
            InProcessReplica replica = replicas.get(name);
            if (replica != null) {
                replica.delete();
                removed = replica.over() && replicas.remove(name, replica);
            }
        }
        if (removed) {
            wakes.forEach(Runnable::run);
        }
    }

    /**
     * Kills a replica as signal 9 would: it fails with exit code 137.
     *
     * @param replica {@code worker-0}, {@code master}, or a full name
     * @throws IllegalArgumentException if the job has no such replica
     */
    synchronized void kill(String job, String replica) {
        InProcessReplica victim = replicas.values().stream()
                .filter(r -> r.name().equals(replica) || r.name().endsWith("-" + job + "-" + replica))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "job \"" + job + "\" has no replica \"" + replica + "\"; it has " + names()));
        victim.kill();
    }

    private void ended(InProcessReplica replica) {
        synchronized (this) {
            if (replica.deleted()) {
                replicas.remove(replica.name(), replica);
            }
        }
        wakes.forEach(Runnable::run);
    }

    @Override
    public Subscription onChange(String job, Runnable wake) {
        wakes.add(wake);
        return () -> wakes.remove(wake);
    }

    /** Stops all replicas and waits for their threads, at most ten seconds in all. */
    @Override
    public void close() {
        List<InProcessReplica> all;
        synchronized (this) {
            all = List.copyOf(replicas.values());
            replicas.clear();
        }
        all.forEach(InProcessReplica::delete);
        long end = System.nanoTime() + CLOSE.toNanos();
        for (InProcessReplica replica : all) {
            replica.join(Math.max(1, (end - System.nanoTime()) / 1_000_000));
        }
    }
}
