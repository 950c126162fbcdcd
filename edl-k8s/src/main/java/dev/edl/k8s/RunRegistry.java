package dev.edl.k8s;

import dev.edl.exec.ExecutorRuns;
import dev.edl.k8s.client.ConnectivityCheck;
import dev.edl.k8s.client.MissingPermission;
import dev.edl.plan.JobPlan;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Registry of an executor's runs, which starts one at a time and polls the requests for all.
 *
 * <p>The wait for the cluster's first answer does not hold the lock, because a job's listener may call the executor.
 * Thread-safe.
 */
final class RunRegistry {
    private final ConnectivityCheck check;
    private final ExecutorRuns<KubernetesRun> runs = new ExecutorRuns<>();
    private final RequestPoller requests = new RequestPoller(runs::all);

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
            runs.remove(key(run.plan().namespace(), run.plan().name()), run);
            throw e;
        }
    }

    /** Runs an action under the executor's lock, after checking that the executor is open and the cluster answers. */
    <T> T alone(String job, String what, Supplier<T> act) {
        runs.checkOpen(job, what);
        check.check();
        return runs.submit(() -> {
            runs.checkOpen(job, what);
            return MissingPermission.callWithGrantCommand(act);
        });
    }

    /** Adds a run. The run in its place can write nothing more: its job is gone from the cluster or attached again. */
    void add(KubernetesRun run) {
        requests.start();
        runs.put(key(run.plan().namespace(), run.plan().name()), run);
    }

    /** Removes and closes the run by which this executor drives a job; does nothing without one. */
    void close(String namespace, String job) {
        runs.close(key(namespace, job));
    }

    /** Returns the plan of a job; empty if this executor does not drive the job. */
    Optional<JobPlan> plan(String namespace, String job) {
        return runs.get(key(namespace, job)).map(KubernetesRun::plan);
    }

    List<KubernetesRun> all() {
        return runs.all();
    }

    /** Closes all runs, so that no further run begins. */
    void end() {
        requests.close();
        runs.end(KubernetesRun::close);
    }

    private static String key(String namespace, String job) {
        return namespace + "/" + job;
    }
}
