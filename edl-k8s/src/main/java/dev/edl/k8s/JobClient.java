package dev.edl.k8s;

import dev.edl.exec.JobStatus;
import dev.edl.exec.LogLine;
import dev.edl.k8s.client.ClusterApi;
import dev.edl.k8s.client.MissingPermission;
import dev.edl.k8s.internal.logs.LogSource;
import dev.edl.k8s.internal.logs.PodHistory;
import dev.edl.k8s.internal.pods.OwnedPods;
import dev.edl.k8s.internal.pods.ReplicaSlot;
import dev.edl.k8s.internal.record.JobRecord;
import dev.edl.k8s.internal.record.JobRequest;
import dev.edl.k8s.internal.record.StoredJob;
import dev.edl.k8s.queue.JobQueue;
import dev.edl.k8s.queue.internal.QueueReader;
import dev.edl.plan.JobPlan;
import dev.edl.reconcile.JobObservation;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Client of one job in the cluster, for programs that do not drive it. Its methods read the job's record and pods, and
 * request changes from the driver. They do not take the job over.
 *
 * <pre>{@code
 * JobClient job = cluster.find("default", "test-mnist");
 * System.out.println(job.status());
 * System.out.println(job.driver());
 * }</pre>
 *
 * <p>The record has what the job's driver wrote last. That a replica runs reaches it up to 5 s later; without a driver
 * it does not change. Thread-safe.
 */
public final class JobClient {
    /** Pause between two reads of the record while a request waits for its answer. */
    private static final Duration LOOK = Duration.ofMillis(500);

    private final KubernetesClient client;
    private final String namespace;
    private volatile StoredJob latest;

    private JobClient(KubernetesClient client, String namespace, StoredJob latest) {
        this.client = client;
        this.namespace = namespace;
        this.latest = latest;
    }

    static JobClient find(KubernetesClient client, String namespace, String job) {
        return new JobClient(client, namespace, stored(client, namespace, job));
    }

    /** Returns the jobs of a namespace, sorted by name. */
    static List<JobClient> list(KubernetesClient client, String namespace) {
        return MissingPermission.callWithGrantCommand(() -> StoredJob.list(client, namespace)).stream()
                .map(job -> new JobClient(client, namespace, job))
                .toList();
    }

    private static StoredJob stored(KubernetesClient client, String namespace, String job) {
        return MissingPermission.callWithGrantCommand(() -> JobRecord.find(ClusterApi.of(client, namespace), job)
                .orElseThrow(() -> JobRecord.missing(namespace, job))
                .stored());
    }

    /** Returns the job's name. */
    public String name() {
        return latest.name();
    }

    /** Returns the job's namespace. */
    public String namespace() {
        return namespace;
    }

    /** Returns the job's plan, which the record stores. */
    public JobPlan plan() {
        return latest.plan();
    }

    /**
     * Returns the status in the record as it was read last, without a request to the cluster. It has no
     * {@link JobStatus#replicas}.
     */
    public JobStatus recorded() {
        return status(JobObservation.nothing());
    }

    /**
     * Returns the status from the record and the pods that exist now. The numbers of each role are those of the record.
     * Needs permission to {@code get} the record and to {@code list} pods.
     *
     * @throws IllegalArgumentException when the job was deleted
     * @throws io.fabric8.kubernetes.client.KubernetesClientException when the cluster refuses a request
     */
    public JobStatus status() {
        refresh();
        return status(pods().observed());
    }

    /**
     * Reads the queue of Kueue that admits the job's pods, as {@link KubernetesRun#queue} does. Needs the same
     * permissions, and permission to {@code list} pods.
     */
    public Optional<JobQueue> queue() {
        OwnedPods pods = pods();
        return QueueReader.read(client, plan(), pods.pods(), pods.observed().replicas());
    }

    private JobStatus status(JobObservation seen) {
        StoredJob job = latest;
        return JobStatus.of(job.plan(), job.state(), seen, Instant.now());
    }

    private void refresh() {
        latest = stored(client, namespace, name());
    }

    private OwnedPods pods() {
        StoredJob job = latest;
        return MissingPermission.callWithGrantCommand(() -> OwnedPods.of(
                job.map().getMetadata().getUid(),
                client.pods()
                        .inNamespace(namespace)
                        .withLabels(job.plan().selector())
                        .list()
                        .getItems()));
    }

    /**
     * Returns which program drives the job, by its token in the record: {@code pod edl-driver-mnist-x7k2p (Running)}.
     * Needs permission to {@code list} pods.
     *
     * <p>The token of a program outside the cluster stays in the record after the program has ended. The record does
     * not show whether it still runs; the text has the time of its last write.
     */
    public String driver() {
        StoredJob job = latest;
        String token = job.driverToken();
        if (!token.startsWith(KubernetesDriver.MARK)) {
            return "a program, " + token
                    + job.writtenAt()
                            .map(at -> ", which wrote the record last at " + at)
                            .orElse("") + "; the record does not show whether it still runs";
        }
        String pods = MissingPermission.callWithGrantCommand(() ->
                client.pods().inNamespace(namespace).withLabel(DriverObjects.LABEL, name()).list().getItems().stream()
                        .map(pod -> "pod " + pod.getMetadata().getName() + " (" + phase(pod) + ")")
                        .sorted()
                        .collect(Collectors.joining(", ")));
        return pods.isEmpty() ? "none: its driver pod does not exist" : pods;
    }

    private static String phase(Pod pod) {
        return pod.getStatus() == null || pod.getStatus().getPhase() == null
                ? "Pending"
                : pod.getStatus().getPhase();
    }

    /**
     * Follows a replica's log line by line, as {@link KubernetesRun#logs(String, Consumer)} does. It ends with the job
     * and the replica, or when the returned follower is closed. Without a driver the job does not end. Needs
     * {@code get}, {@code list} and {@code watch} of pods and {@code get} of {@code pods/log}.
     *
     * <p>The driver of another program does not delay the deletion of a pod until its log was read. So the last lines
     * of a deleted pod may be missing.
     *
     * @param replica {@code worker-0}, {@code master}, or a full name; a replica of the job's start may be named before
     *     it exists
     * @param reader called on its own thread; if it throws, following ends
     * @throws IllegalArgumentException when no replica has the name
     */
    public LogFollower logs(String replica, Consumer<LogLine> reader) {
        return logs(replica, OptionalInt.empty(), reader);
    }

    /**
     * Follows a replica's log from its last lines on, as {@link #logs(String, Consumer)} does.
     *
     * @param tail number of lines of the log so far that the reader receives, at least 0
     */
    public LogFollower logs(String replica, int tail, Consumer<LogLine> reader) {
        if (tail < 0) {
            throw new IllegalArgumentException("tail of a log must be at least 0, for example 100; was " + tail);
        }
        return logs(replica, OptionalInt.of(tail), reader);
    }

    private LogFollower logs(String replica, OptionalInt tail, Consumer<LogLine> reader) {
        Objects.requireNonNull(reader, "reader");
        refresh();
        StoredJob job = latest;
        ReplicaSlot slot = ReplicaSlot.of(job.plan(), job.state(), replica);
        LogFollowedJob followed = MissingPermission.callWithGrantCommand(() -> new WatchedJob(api(), job));
        LogFollower follower = new LogFollower(followed, new LogSource(client), slot, tail, reader);
        follower.start();
        return follower;
    }

    /**
     * Returns the log of a replica so far, after the logs of its predecessors in the same slot whose pods still exist.
     * Needs permission to {@code list} pods and to {@code get} {@code pods/log}.
     *
     * @param replica {@code worker-0}, {@code master}, or a full name
     * @param lines maximum number of lines of each pod's log, the last ones; at least 1
     * @throws IllegalArgumentException when no replica has the name, or {@code lines} is less than 1
     * @throws UncheckedIOException when a log cannot be read
     */
    public List<LogLine> log(String replica, int lines) {
        refresh();
        StoredJob job = latest;
        ReplicaSlot slot = ReplicaSlot.of(job.plan(), job.state(), replica);
        return new PodHistory(name(), slot, () -> pods().pods(), new LogSource(client)).last(job.state(), lines);
    }

    /**
     * Requests the job's driver to change the number of replicas of a role, as {@link KubernetesRun#scale(String, int)}
     * does, and waits for its answer. A driver reads requests every 5 s. Needs permission to {@code get} and
     * {@code update} the record.
     *
     * @param role id of the role, {@code worker}
     * @param replicas within the role's elastic bounds
     * @param limit longest wait for the answer, for example 30 s
     * @throws IllegalArgumentException when the driver refuses the request; the message has its reason
     * @throws IllegalStateException when no driver answers in time, or the job has ended. The request stays in the
     *     record, and the job's next driver applies it
     */
    public void scale(String role, int replicas, Duration limit) throws InterruptedException {
        plan().role(role);
        request(JobRequest.scale(role, replicas), limit);
    }

    /** Requests the job's driver to cancel the job, and waits as {@link #scale} does. */
    public void cancel(Duration limit) throws InterruptedException {
        request(JobRequest.cancel(), limit);
    }

    private void request(JobRequest request, Duration limit) throws InterruptedException {
        refresh();
        checkRuns();
        String uid = latest.map().getMetadata().getUid();
        MissingPermission.callWithGrantCommand(() -> {
            StoredJob.request(api(), name(), request);
            return true;
        });
        long begin = System.nanoTime();
        do {
            TimeUnit.NANOSECONDS.sleep(LOOK.toNanos());
            refresh();
            if (!latest.map().getMetadata().getUid().equals(uid)) {
                throw new IllegalStateException("job \"" + name()
                        + "\" was deleted while the request waited; another job" + " has its name now");
            }
            latest.refusal(request).ifPresent(why -> {
                throw new IllegalArgumentException(why);
            });
            boolean cancelled = request.role().isEmpty() && latest.state().cancelRequested();
            if (!cancelled) {
                checkRuns();
            }
            if (!latest.requests().contains(request)) {
                return;
            }
        } while (Duration.ofNanos(System.nanoTime() - begin).compareTo(limit) < 0);
        throw new IllegalStateException("job \"" + name() + "\": no driver answered the request \"" + request.what()
                + "\" within " + limit.toSeconds() + "s; the driver is " + driver()
                + ". The request stays in ConfigMap " + JobRecord.nameOf(name())
                + ", and the next driver applies it: attach(\"" + namespace + "\", \"" + name() + "\")");
    }

    private void checkRuns() {
        JobStatus now = recorded();
        if (now.phase().ended()) {
            throw new IllegalStateException("job \"" + name() + "\" has ended: " + now.phase() + ", " + now.message());
        }
    }

    private ClusterApi api() {
        return ClusterApi.of(client, namespace);
    }

    /** Returns the job's name and namespace: {@code job test-mnist of namespace default}. */
    @Override
    public String toString() {
        return "job " + name() + " of namespace " + namespace;
    }
}
