package dev.edl.k8s;

import dev.edl.exec.RequestFailure;
import dev.edl.exec.RetryPolicy;
import dev.edl.k8s.internal.runs.LazyNodeWatch;
import dev.edl.k8s.nodes.NodeNotices;
import dev.edl.k8s.nodes.NodeWatch;
import dev.edl.k8s.render.PodOptions;
import dev.edl.plan.JobPlan;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * How a {@link KubernetesExecutor} reaches its cluster and runs its jobs; every part has a default. Not thread-safe.
 *
 * <pre>{@code
 * KubernetesExecutor.builder()
 *     .kubeconfig(Path.of("/etc/acme/kubeconfig"), "gpu-cluster")
 *     .options(options)
 *     .retry(RetryPolicy.of(Backoff.doubling(Duration.ofSeconds(1), Duration.ofMinutes(5))))
 *     .build();
 * }</pre>
 */
public final class KubernetesExecutorBuilder {
    PodOptions options = PodOptions.none();
    RetryPolicy retry = RetryPolicy.DEFAULT;
    Optional<Duration> unreachable = Optional.empty();
    final List<BiConsumer<JobPlan, RequestFailure>> failures = new ArrayList<>();
    int inFlight = 16;
    boolean forceDelete = true;
    String mark = "";
    String jobDigest = "";
    Supplier<LazyNodeWatch> nodes = LazyNodeWatch::none;
    private Supplier<ClusterClient> cluster = ClusterClient::ofEnvironment;

    KubernetesExecutorBuilder() {}

    /**
     * A client of the caller's, which the executor never closes. Of this, {@link #kubeconfig(Path)} and {@link #kubeconfig(Path,
     * String)} the last call counts.
     */
    public KubernetesExecutorBuilder client(KubernetesClient client) {
        ClusterClient theirs = ClusterClient.using(client);
        this.cluster = () -> theirs;
        return this;
    }

    /**
     * The cluster of a kubeconfig file, in its current context; the executor makes the client, and closes it.
     *
     * @param file as {@code kubectl} reads it; read by {@link #build}
     */
    public KubernetesExecutorBuilder kubeconfig(Path file) {
        Objects.requireNonNull(file, "file");
        this.cluster = () -> ClusterClient.of(file, Optional.empty());
        return this;
    }

    /**
     * The cluster of a context of a kubeconfig file; the executor makes the client, and closes it.
     *
     * @param file as {@code kubectl} reads it; read by {@link #build}
     * @param context its name in the file
     */
    public KubernetesExecutorBuilder kubeconfig(Path file, String context) {
        Objects.requireNonNull(file, "file");
        Objects.requireNonNull(context, "context");
        this.cluster = () -> ClusterClient.of(file, Optional.of(context));
        return this;
    }

    /** What the pods have beside what their jobs say; the default is nothing. */
    public KubernetesExecutorBuilder options(PodOptions podOptions) {
        this.options = Objects.requireNonNull(podOptions, "podOptions");
        return this;
    }

    /**
     * Sets the pauses before a request that failed is repeated; the default is {@link RetryPolicy#DEFAULT}. What one try takes is
     * up to the client: see {@link KubernetesExecutor}.
     */
    public KubernetesExecutorBuilder retry(RetryPolicy policy) {
        this.retry = Objects.requireNonNull(policy, "policy");
        return this;
    }

    /**
     * Adds a listener that is called after each failed request of a job, with the trouble of this request alone: for counters. It
     * is called on the job's thread and returns at once. A listener that throws is not called again for that job.
     */
    public KubernetesExecutorBuilder onRequestFailure(BiConsumer<JobPlan, RequestFailure> listener) {
        this.failures.add(Objects.requireNonNull(listener, "listener"));
        return this;
    }

    /**
     * Sets how long the cluster may be unreachable before this program stops driving a job: no write of the job's record
     * succeeds, or the watch of its pods is interrupted. The default is no limit.
     *
     * <p>The job itself is not touched: its pods run on, its record stays as it is, and {@link KubernetesExecutor#attach} goes on
     * with it. Here {@link KubernetesRun#lost} is true, and {@link KubernetesRun#await} throws {@link
     * dev.edl.exec.JobLostException}. A job's {@code deadline}, in contrast, ends the job, once the cluster is reachable.
     *
     * @param limit more than zero
     * @throws IllegalArgumentException for another limit
     */
    public KubernetesExecutorBuilder unreachableTimeout(Duration limit) {
        if (limit.isNegative() || limit.isZero()) {
            throw new IllegalArgumentException(
                    "unreachableTimeout must be more than zero, for example Duration.ofMinutes(30); was " + limit);
        }
        this.unreachable = Optional.of(limit);
        return this;
    }

    /**
     * How many creations and deletions of pods, of all jobs together, are under way at once; the default is 16. More does not
     * make an API server faster, and takes from others what it gives.
     *
     * @param requests 1 to 1000
     * @throws IllegalArgumentException for another number
     */
    public KubernetesExecutorBuilder inFlight(int requests) {
        if (requests < 1 || requests > 1000) {
            throw new IllegalArgumentException(
                    "requests in flight must lie between 1 and 1000, for example .inFlight(16); was " + requests);
        }
        this.inFlight = requests;
        return this;
    }

    /**
     * Has workers leave a node that is about to go before they are taken from it: each is deleted with its grace, so that it can
     * end what it is at, and another one starts elsewhere. Not all at once; nothing of a relaunch limit is spent. The default is
     * that they stay until they are evicted or their node is lost.
     *
     * <p>The executor then watches the cluster's nodes, with one watch for all its jobs, for which it needs {@code list} and
     * {@code watch} of nodes ({@link dev.edl.k8s.preflight.SubmitterRole#nodeNotices}); {@code submit} and {@code attach} fail
     * when it may not.
     *
     * @param notices what tells that a node is about to go
     */
    public KubernetesExecutorBuilder nodeNotices(NodeNotices notices) {
        Objects.requireNonNull(notices, "notices");
        this.nodes = () -> LazyNodeWatch.of(notices);
        return this;
    }

    /**
     * As {@link #nodeNotices}, by a watch of the caller's that several executors share, and that the caller closes after them. Of
     * the two the last call counts.
     *
     * @param watch of the same cluster
     */
    public KubernetesExecutorBuilder nodeWatch(NodeWatch watch) {
        Objects.requireNonNull(watch, "watch");
        this.nodes = () -> LazyNodeWatch.of(watch);
        return this;
    }

    /**
     * Accepts a record of this digest in {@link KubernetesExecutor#ensure} and {@link KubernetesExecutor#attach(
     * dev.edl.plan.JobPlan)}, also where the plan has changed since the job was created. The default is that the record must
     * keep the plan's own job.
     *
     * @param digest the value of {@link KubernetesExecutor#digestOf} for the plan that the job was created with; store it where only
     *     accounts that may create the job's pods can write
     */
    public KubernetesExecutorBuilder jobDigest(String digest) {
        this.jobDigest = Objects.requireNonNull(digest, "digest");
        return this;
    }

    /**
     * Has a pod deleted by force ({@code --grace-period=0 --force}) that exists a minute after its grace, where the relaunch of its
     * replica needs its name; the default is true. Workers of most profiles get new names and need no such deletion.
     *
     * <p>It removes the pod from the API server without its node. A node that does not answer may still run the containers: the old and
     * the new replica then write to one volume, as to the directory of a parameter server's checkpoints. Kubernetes leaves this
     * decision to a person or to the taint {@code node.kubernetes.io/out-of-service}, as for a StatefulSet. With {@code false} so does
     * EDL: the replica waits until its old pod is gone, event {@code REPLICA_BLOCKED} and {@link KubernetesRun#whyPending} say so.
     *
     * @param byForce whether pods are deleted by force
     */
    public KubernetesExecutorBuilder forceDelete(boolean byForce) {
        this.forceDelete = byForce;
        return this;
    }

    /** What the mark of a driver begins with, by which it is told from others. */
    KubernetesExecutorBuilder mark(String start) {
        this.mark = start;
        return this;
    }

    ClusterClient connect() {
        return cluster.get();
    }

    /**
     * The executor. Where neither {@link #client} nor a kubeconfig was given, it finds its cluster as {@code kubectl} does, by
     * {@code KUBECONFIG} or the file in the home directory, or by the service account of the pod that it runs in.
     *
     * @throws IllegalArgumentException when the file cannot be read, or has no such context
     * @throws io.fabric8.kubernetes.client.KubernetesClientException when the file is no kubeconfig, or nothing names a cluster
     */
    public KubernetesExecutor build() {
        return new KubernetesExecutor(this);
    }
}
