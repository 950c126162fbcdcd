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
 * The runs of an executor by job, and the lock under which jobs begin to be driven, one at a time. Nothing waits for the cluster's
 * first answer or closes a run under the lock: a listener of a job may ask the executor something. Thread-safe.
 */
final class RunRegistry {
    private final ConnectivityCheck check;
    private final Map<String, KubernetesRun> runs = new LinkedHashMap<>();
    /** Those whose jobs are driven by others of this executor now, and that are to be closed. */
    private final ReplacedRuns replaced = new ReplacedRuns();

    private boolean closed;

    RunRegistry(ConnectivityCheck check) {
        this.check = check;
    }

    /**
     * Does what begins to drive a job, then closes the run that drove it here until then.
     *
     * @param what for the message of a closed executor: {@code start}
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

    /** Does what no other request to the executor may interfere with. */
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
        KubernetesRun earlier = runs.put(key(run.plan().namespace(), run.plan().name()), run);
        if (earlier != null) {
            // Of a job that is gone from the cluster, or that is attached again: it can write nothing any more.
            replaced.add(earlier);
        }
    }

    private synchronized void remove(KubernetesRun run) {
        runs.remove(key(run.plan().namespace(), run.plan().name()), run);
    }

    /** Closes what drives a job here. */
    void close(String namespace, String job) {
        KubernetesRun run;
        synchronized (this) {
            run = runs.remove(key(namespace, job));
        }
        if (run != null) {
            run.close();
        }
    }

    /** Returns the plan of a job that is driven here. */
    synchronized Optional<JobPlan> plan(String namespace, String job) {
        return Optional.ofNullable(runs.get(key(namespace, job))).map(KubernetesRun::plan);
    }

    synchronized List<KubernetesRun> all() {
        return List.copyOf(runs.values());
    }

    /** Returns the runs that are to be closed; no other begins. */
    synchronized List<KubernetesRun> end() {
        closed = true;
        return all();
    }

    private static String key(String namespace, String job) {
        return namespace + "/" + job;
    }
}
