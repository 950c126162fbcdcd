package dev.edl.k8s;

import dev.edl.exec.Subscription;
import dev.edl.plan.JobPlan;
import dev.edl.reconcile.JobState;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Job whose replicas' logs are followed, driven by this program or another. Thread-safe. */
interface LogFollowedJob extends AutoCloseable {
    JobPlan plan();

    /** Returns the last known state of the job. */
    JobState state();

    /** Returns whether the job has ended, or can no longer be followed. */
    boolean over();

    /** Returns the known pods of the replicas. */
    List<Pod> pods();

    /** Returns the current state of a pod; empty when it is gone. */
    Optional<Pod> now(Pod pod);

    /** Adds a callback for changes of the job and its pods; called on any thread. */
    Subscription onChange(Runnable callback);

    /**
     * Adds a reader for whose logs the job's driver delays the deletion of pods, if this program is the driver.
     *
     * @param unread returns whether the reader follows the log of a pod and has not read all of it
     */
    Subscription addReader(Predicate<Pod> unread);

    /** Ends the observation of the job; the job continues. */
    @Override
    void close();
}
