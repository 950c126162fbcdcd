package dev.edl.operators.et;

import dev.edl.exec.ControlLoop;
import dev.edl.exec.JobLostException;
import dev.edl.k8s.KubernetesRun;
import dev.edl.k8s.client.MissingPermission;
import dev.edl.k8s.spi.JobPods;
import dev.edl.k8s.spi.WorkerScaling;
import dev.edl.operators.crd.et.ScalingRequestSource;
import dev.edl.spec.RoleType;
import dev.edl.status.JobEvent;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Scaling of the workers of an elastic Horovod job of profile {@code ET_V1ALPHA1}, in et-operator's order, one request
 * at a time. Scaling in: workers leave the launcher's hosts first, and their pods are deleted once the launcher has no
 * process on them. Scaling out: workers become hosts once all of them are ready. Thread-safe.
 *
 * <pre>{@code
 * HostfileScaling.of(run).from(source);
 * }</pre>
 */
public final class HostfileScaling implements WorkerScaling {
    /** Timeout of a request without its own, which is et-operator's default. */
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final ControlLoop loop;
    private final HostfileThread hosts;
    private final TargetSizeScalingRequests target;
    private final NodeDrainScalingRequests leaving;
    /**
     * Lock that makes two steps atomic: setting a user's target, and dropping the target of workers that leave nodes.
     */
    private final Object wishing = new Object();

    private HostfileScaling(
            ControlLoop loop,
            HostfileThread hosts,
            TargetSizeScalingRequests target,
            NodeDrainScalingRequests leaving) {
        this.loop = loop;
        this.hosts = hosts;
        this.target = target;
        this.leaving = leaving;
    }

    /**
     * Starts the thread that scales a job. It also moves workers off nodes that are about to be taken away, in
     * et-operator's order.
     */
    static HostfileScaling start(ControlLoop loop, JobPods pods) {
        HostfileWriter files = new HostfileWriter(pods);
        TargetSizeScalingRequests target = new TargetSizeScalingRequests(
                loop.plan(),
                loop::state,
                pods.client().getKubernetesSerialization(),
                files::scaling,
                files::keepScaling);
        NodeDrainScalingRequests leaving = new NodeDrainScalingRequests(
                loop.plan(),
                target,
                loop::state,
                () -> pods.nodeNotices(RoleType.WORKER),
                pods.client().getKubernetesSerialization(),
                files::leaving,
                files::keepLeaving,
                text -> loop.emitEvent(JobEvent.Type.NODE_NOTICE, text));
        HostfileReconciler scaling = new HostfileReconciler(loop, pods, files, leaving, InstantSource.system());
        return new HostfileScaling(loop, new HostfileThread(loop, scaling).start(), target, leaving);
    }

    /**
     * Returns the scaling of a run's workers.
     *
     * @throws IllegalArgumentException when the job is not scaled in et-operator's order
     */
    public static HostfileScaling of(KubernetesRun run) {
        return run.scaling(HostfileScaling.class)
                .orElseThrow(
                        () -> new IllegalArgumentException("job \"" + run.plan().name()
                                + "\" is not scaled by requests; only a horovod job of profile ET_V1ALPHA1 with a launcher and"
                                + " workers is"));
    }

    /**
     * Sets the target number of workers and returns at once. A role other than {@code worker} is scaled directly. A
     * scaling request that exceeds its timeout is rolled back: new pods are deleted, workers that were to leave become
     * hosts again, and an event {@code SCALE_FAILED} reports the failure. A request made before the job runs waits
     * until the job runs.
     *
     * @param limit timeout of each request to reach the number, which must be more than zero; empty for et-operator's
     *     default of one minute
     * @throws IllegalArgumentException when the role cannot have this number of replicas, or the limit is not positive
     * @throws IllegalStateException when the run is closed
     */
    @Override
    public void scale(String role, int replicas, Optional<Duration> limit) {
        if (!role.equals(RoleType.WORKER.id())) {
            WorkerScaling.direct(loop).scale(role, replicas, limit);
            return;
        }
        Duration within = limit.orElse(LIMIT);
        if (within.isZero() || within.isNegative()) {
            throw new IllegalArgumentException(
                    "the limit of scaling must be more than zero, was " + within + "; for example PT1M");
        }
        loop.checkScale(role, replicas);
        if (!want(replicas, within)) {
            throw new IllegalStateException("job \"" + loop.plan().name()
                    + "\" cannot be scaled: its handle is closed, so this program no longer drives the job");
        }
        hosts.wake();
    }

    private boolean want(int replicas, Duration limit) {
        synchronized (wishing) {
            boolean taken = target.want(replicas, limit);
            if (taken) {
                leaving.forget();
            }
            return taken;
        }
    }

    /**
     * Takes users' requests from a source instead of {@link #scale}, for example from custom resources that a
     * controller watches. The source's owner calls {@link #wake} after each new request.
     */
    public void from(ScalingRequestSource source) {
        hosts.from(source);
    }

    /** Wakes the scaling thread, so that it checks for requests at once. */
    public void wake() {
        hosts.wake();
    }

    @Override
    public void close() {
        try {
            hosts.close();
        } finally {
            keepWish();
        }
    }

    /**
     * Persists the pending targets for the job's next driver; if that fails, emits an event. Does nothing if the job
     * has ended or another program drives it.
     */
    private void keepWish() {
        if (loop.lost() || loop.state().phase().ended()) {
            return;
        }
        try {
            synchronized (wishing) {
                target.close();
                leaving.close();
            }
        } catch (JobLostException e) {
            loop.emitEvent(
                    JobEvent.Type.JOB_LOST,
                    "this program does not carry out the last scaling request: " + e.getMessage());
        } catch (RuntimeException e) {
            loop.emitEvent(
                    JobEvent.Type.SUBSTRATE_FAILED,
                    MissingPermission.withGrantCommand(
                            "could not persist the scaling request made before the handle was closed: " + e));
        }
    }
}
