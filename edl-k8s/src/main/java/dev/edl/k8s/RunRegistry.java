package dev.edl.k8s;

import dev.edl.k8s.client.ConnectivityCheck;
import dev.edl.k8s.client.MissingPermission;
import dev.edl.k8s.spi.ReplacedRuns;
import dev.edl.plan.JobPlan;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Registry of an executor's runs by job, and the lock under which runs are started one at a time.
 *
 * <p>Neither the wait for the cluster's first answer nor the close of a run holds the lock, because a job's listener
 * may call the executor. Thread-safe.
 */
final class RunRegistry {
    private final ConnectivityCheck check;
    private final Map<String, KubernetesRun> runs = new LinkedHashMap<>();
    /** Runs to close, because another run of this executor drives their job now. */
    private final ReplacedRuns replaced = new ReplacedRuns();

    private boolean closed;

    private final RequestPoller requests = new RequestPoller(this::all);

    RunRegistry(ConnectivityCheck check) {
        this.check = check;
    }

    /**
     * Starts a run of a job, then closes the earlier run of the job in this executor.
     *
     * @param what verb for the message when the executor is closed, such as {@code start}
     */
    KubernetesRun begin(String job, String what, Supplier<KubernetesRun> drive) {
        KubernetesRun run = alone(job, what, drive);
        try {
            run.checkAccepted();
            return run;
        } catch (KubernetesClientException e) {
            remove(run);
            throw e;
        }
    }

    /**
     * Runs an action under the executor's lock, after checking that the executor is open and the cluster answers.
     * Afterwards closes replaced runs, without the lock.
     */
    <T> T alone(String job, String what, Supplier<T> act) {
        try {
            check(job, what);
            check.check();
            synchronized (this) {
                check(job, what);
                return MissingPermission.telling(act);
            }
        } finally {
            replaced.close();
        }
    }

    private synchronized void check(String job, String what) {
        if (closed) {
            throw new IllegalStateException("job \"" + job + "\" cannot " + what + ": the executor is closed");
        }
    }

    synchronized void add(KubernetesRun run) {
        if (runs.isEmpty()) {
            requests.start();
        }
        KubernetesRun earlier = runs.put(key(run.plan().namespace(), run.plan().name()), run);
        if (earlier != null) {
            // Its job is gone from the cluster or attached again, so this run can write nothing more.
            replaced.add(earlier);
        }
    }

    private synchronized void remove(KubernetesRun run) {
        runs.remove(key(run.plan().namespace(), run.plan().name()), run);
    }

    /** Removes and closes the run by which this executor drives a job; does nothing without one. */
    void close(String namespace, String job) {
        KubernetesRun run;
        synchronized (this) {
            run = runs.remove(key(namespace, job));
        }
        if (run != null) {
            run.close();
        }
    }

    /** Returns the plan of a job; empty if this executor does not drive the job. */
    synchronized Optional<JobPlan> plan(String namespace, String job) {
        return Optional.ofNullable(runs.get(key(namespace, job))).map(KubernetesRun::plan);
    }

    synchronized List<KubernetesRun> all() {
        return List.copyOf(runs.values());
    }

    /** Marks the executor as closed, so that no further run begins. Returns the runs that the caller must close. */
    synchronized List<KubernetesRun> end() {
        closed = true;
        requests.close();
        return all();
    }

    private static String key(String namespace, String job) {
        return namespace + "/" + job;
    }
}
