package dev.edl.k8s;

import dev.edl.exec.ControlLoop;
import dev.edl.exec.JobHandle;
import dev.edl.exec.JobStatus;
import dev.edl.exec.Subscription;
import dev.edl.plan.JobPlan;
import dev.edl.reconcile.JobEvent;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** A job that runs as pods of a cluster and is driven from here. Thread-safe. */
public final class KubernetesRun implements JobHandle {
    private final ControlLoop loop;
    private final PodSubstrate substrate;

    KubernetesRun(ControlLoop loop, PodSubstrate substrate) {
        this.loop = loop;
        this.substrate = substrate;
    }

    @Override
    public JobPlan plan() {
        return loop.plan();
    }

    @Override
    public JobStatus status() {
        return loop.status();
    }

    @Override
    public void scale(String role, int replicas) {
        loop.scale(role, replicas);
    }

    @Override
    public void delete(String replica) {
        loop.delete(replica);
    }

    @Override
    public void cancel() {
        loop.cancel();
    }

    @Override
    public JobStatus await(Duration limit) throws InterruptedException {
        return loop.await(limit);
    }

    @Override
    public Subscription onEvent(Consumer<JobEvent> listener) {
        return loop.onEvent(listener);
    }

    @Override
    public List<JobEvent> events() {
        return loop.events();
    }

    /** Stops driving the job; its pods run on, and a program that attaches goes on with it. */
    @Override
    public void close() {
        try {
            loop.close();
        } finally {
            substrate.close();
        }
    }

    /** The job's status. */
    @Override
    public String toString() {
        return loop.toString();
    }
}
