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
 * Builder of a {@link KubernetesExecutor}; every setting has a default. Not thread-safe.
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
     * Sets a client that the caller closes. The last call of this method, {@link #kubeconfig(Path)} and
     * {@link #kubeconfig(Path, String)} wins.
     */
    public KubernetesExecutorBuilder client(KubernetesClient client) {
        ClusterClient theirs = ClusterClient.using(client);
        this.cluster = () -> theirs;
        return this;
    }

    /**
     * Selects the cluster of a kubeconfig file's current context. The executor creates and closes the client.
     *
     * @param file as {@code kubectl} reads it; read by {@link #build}
     */
    public KubernetesExecutorBuilder kubeconfig(Path file) {
        Objects.requireNonNull(file, "file");
        this.cluster = () -> ClusterClient.of(file, Optional.empty());
        return this;
    }

    /**
     * Selects the cluster of a context of a kubeconfig file. The executor creates and closes the client.
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

    /**
     * Selects the cluster of a context of the kubeconfig that {@code kubectl} finds: {@code KUBECONFIG}, or
     * {@code ~/.kube/config}. The executor creates and closes the client.
     *
     * @param name name of the context
     */
    public KubernetesExecutorBuilder context(String name) {
        Objects.requireNonNull(name, "name");
        this.cluster = () -> ClusterClient.ofContext(name);
        return this;
    }

    /** Sets the options of the pods; the default is none. */
    public KubernetesExecutorBuilder options(PodOptions podOptions) {
        this.options = Objects.requireNonNull(podOptions, "podOptions");
        return this;
    }

    /**
     * Sets the backoff between retries of a failed request; the default is {@link RetryPolicy#DEFAULT}. The client
     * limits the time of one try: see {@link KubernetesExecutor}.
     */
    public KubernetesExecutorBuilder retry(RetryPolicy policy) {
        this.retry = Objects.requireNonNull(policy, "policy");
        return this;
    }

    /**
     * Adds a listener that is called after each failed request of a job, with the failure of that request alone, for
     * example to count failures. It is called on the job's thread and must return at once. A listener that throws is
     * not called again for that job.
     */
    public KubernetesExecutorBuilder onRequestFailure(BiConsumer<JobPlan, RequestFailure> listener) {
        this.failures.add(Objects.requireNonNull(listener, "listener"));
        return this;
    }

    /**
     * Sets how long the cluster may be unreachable before this program stops driving a job. The cluster counts as
     * unreachable while no write of the job's record succeeds, or the watch of its pods is interrupted. The default is
     * no limit.
     *
     * <p>The job itself is not touched: its pods run on, its record stays, and {@link KubernetesExecutor#attach}
     * resumes it. Here {@link KubernetesRun#lost} becomes true, and {@link KubernetesRun#await} throws
     * {@link dev.edl.exec.JobLostException}. In contrast, a job's {@code deadline} ends the job, once the cluster is
     * reachable.
     *
     * @param limit more than zero
     * @throws IllegalArgumentException when the limit is not positive
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
     * Limits the concurrent pod creations and deletions of all jobs together; the default is 16. A higher limit does
     * not make the API server faster, and takes capacity from its other clients.
     *
     * @param requests 1 to 1000
     * @throws IllegalArgumentException when the number is outside that range
     */
    public KubernetesExecutorBuilder inFlight(int requests) {
        if (requests < 1 || requests > 1000) {
            throw new IllegalArgumentException(
                    "inFlight must be from 1 to 1000, for example .inFlight(16); was " + requests);
        }
        this.inFlight = requests;
        return this;
    }

    /**
     * Moves workers off a node that is about to go, before the node evicts them. Each worker is deleted with its grace
     * period, so that it can finish its current work, and a replacement starts on another node. Workers move in turn,
     * and the moves do not count against a relaunch limit. By default workers stay until they are evicted or their node
     * is lost.
     *
     * <p>The executor then watches the cluster's nodes, with one watch for all its jobs. It needs {@code list} and
     * {@code watch} of nodes ({@link dev.edl.k8s.preflight.SubmitterRole#nodeNotices}). Without them, {@code submit}
     * and {@code attach} fail.
     *
     * @param notices rules that decide which nodes are about to go
     */
    public KubernetesExecutorBuilder nodeNotices(NodeNotices notices) {
        Objects.requireNonNull(notices, "notices");
        this.nodes = () -> LazyNodeWatch.of(notices);
        return this;
    }

    /**
     * Moves workers off nodes as {@link #nodeNotices} does, with a watch that several executors share. The caller
     * closes the watch after the executors. The last call of the two methods wins.
     *
     * @param watch watch of the nodes of this executor's cluster
     */
    public KubernetesExecutorBuilder nodeWatch(NodeWatch watch) {
        Objects.requireNonNull(watch, "watch");
        this.nodes = () -> LazyNodeWatch.of(watch);
        return this;
    }

    /**
     * Accepts a record of this digest in {@link KubernetesExecutor#ensure} and
     * {@link KubernetesExecutor#attach(dev.edl.plan.JobPlan)}, even if the plan has changed since the job was created.
     * By default the record must store the plan's own job.
     *
     * @param digest the value of {@link KubernetesExecutor#digestOf} for the plan that the job was created with; store
     *     it where only accounts that may create the job's pods can write
     */
    public KubernetesExecutorBuilder jobDigest(String digest) {
        this.jobDigest = Objects.requireNonNull(digest, "digest");
        return this;
    }

    /**
     * Sets whether a pod is force-deleted ({@code --grace-period=0 --force}) when it still exists 1m after its grace
     * period and its replica's relaunch needs its name. The default is true. Workers of most profiles get new names and
     * need no force deletion.
     *
     * <p>Force deletion removes the pod from the API server without its node. A node that does not answer may still run
     * the containers. The old and the new replica may then write to one volume, for example to a parameter server's
     * checkpoint directory. For a StatefulSet, Kubernetes leaves this decision to an administrator or to the taint
     * {@code node.kubernetes.io/out-of-service}. With {@code false} EDL does the same: the replica waits until its old
     * pod is gone. Event {@code REPLICA_BLOCKED} and {@link KubernetesRun#whyPending} report it.
     *
     * @param byForce whether pods are force-deleted
     */
    public KubernetesExecutorBuilder forceDelete(boolean byForce) {
        this.forceDelete = byForce;
        return this;
    }

    /** Sets the prefix of the tokens by which job records identify this executor as their driver. */
    KubernetesExecutorBuilder mark(String start) {
        this.mark = start;
        return this;
    }

    ClusterClient connect() {
        return cluster.get();
    }

    /**
     * Creates the executor. With neither {@link #client} nor a kubeconfig set, it finds its cluster as {@code kubectl}
     * does: by {@code KUBECONFIG}, by the file in the home directory, or by the service account of its own pod.
     *
     * @throws IllegalArgumentException when the file cannot be read, or has no such context
     * @throws io.fabric8.kubernetes.client.KubernetesClientException when the file is not a kubeconfig, or nothing names a
     *     cluster
     */
    public KubernetesExecutor build() {
        return new KubernetesExecutor(this);
    }
}
