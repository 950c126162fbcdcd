package dev.edl.k8s;

import dev.edl.exec.ControlLoop;
import dev.edl.exec.ForwardingJobHandle;
import dev.edl.exec.LogLine;
import dev.edl.k8s.exec.ExecException;
import dev.edl.k8s.exec.PodCommand;
import dev.edl.k8s.exec.PodResult;
import dev.edl.k8s.internal.exec.PodExec;
import dev.edl.k8s.internal.logs.LogSource;
import dev.edl.k8s.internal.logs.PodHistory;
import dev.edl.k8s.internal.pods.PodSubstrate;
import dev.edl.k8s.internal.pods.ReplicaNameLookup;
import dev.edl.k8s.internal.pods.ReplicaSlot;
import dev.edl.k8s.internal.record.JobRecord;
import dev.edl.k8s.internal.record.JobRequest;
import dev.edl.k8s.queue.JobQueue;
import dev.edl.k8s.queue.internal.QueueReader;
import dev.edl.k8s.spi.PodPortForwards;
import dev.edl.k8s.spi.WorkerScaling;
import dev.edl.reconcile.JobState;
import dev.edl.status.JobEvent;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.channels.ByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.function.Consumer;

/** Handle of a job that runs as pods of a cluster and is driven by this program. Thread-safe. */
public final class KubernetesRun extends ForwardingJobHandle {
    /** Time that {@code submit} waits for the answers to the first pod creations. */
    private static final Duration ACCEPTED = Duration.ofSeconds(5);

    /** Largest array length that every JVM supports. */
    private static final long LONGEST_ARRAY = Integer.MAX_VALUE - 8;

    private final ControlLoop loop;
    private final SubstratePodAccess pods;
    private final PodSubstrate substrate;
    private final KubernetesClient client;
    private final LogSource logs;
    private final List<LogFollower> followers = new ArrayList<>();
    private final PodPortForwards ports;
    private final Optional<URI> tensorBoard;
    private boolean closed;

    /** Whether this run starts a new job, whose first pods the API server may still reject as invalid. */
    private boolean unaccepted;

    private final WorkerScaling scaling;

    KubernetesRun(ControlLoop loop, SubstratePodAccess pods, Optional<URI> tensorBoard, WorkerScaling scaling) {
        super(loop);
        this.loop = loop;
        this.pods = pods;
        this.substrate = pods.substrate();
        this.client = pods.client();
        this.logs = new LogSource(client);
        this.ports = new PodPortForwards(
                client,
                loop.plan().name(),
                name -> Optional.ofNullable(substrate.pod(name)),
                wake -> substrate.onChange(loop.plan().name(), wake));
        this.tensorBoard = tensorBoard;
        this.scaling = scaling;
    }

    /**
     * Returns the address of the job's TensorBoard outside the cluster. It is a path of the API server's proxy to
     * TensorBoard's Service, {@code https://…/api/v1/namespaces/team/services/tensorboard-mnist:80/proxy/}. A client
     * authenticates to the API server, as {@code kubectl} does, and needs the permission of
     * {@link dev.edl.k8s.preflight.SubmitterRole#tensorBoard}. A browser reaches it through {@code kubectl proxy}.
     *
     * @return empty when the executor's options have no TensorBoard
     */
    public Optional<URI> tensorBoard() {
        return tensorBoard;
    }

    /**
     * Returns the job's state. The record in the cluster stores it. Changes that can be seen from the pods, for example
     * that one runs, reach the record up to 5 s later.
     */
    public JobState state() {
        return loop.state();
    }

    /**
     * Returns whether the job has ended and nothing is left to do: no clean-up, no running time to live, no terminating
     * pod. {@link #await} returns earlier, at the end of the job.
     */
    public boolean finished() {
        return loop.finished();
    }

    /**
     * Returns whether this program no longer drives the job, because another program does or the record was deleted.
     * {@link JobEvent.Type#JOB_LOST} gives the reason. A driver detects the loss at its next write or read of the
     * record: within a second while it is busy, within two minutes while pods exist. If the job did not end before,
     * {@link #await} then throws {@link dev.edl.exec.JobLostException}, and other requests throw
     * {@link IllegalStateException}.
     */
    public boolean lost() {
        return loop.lost();
    }

    /**
     * Changes the number of replicas of a role. If the job's {@linkplain #scaling way of scaling} waits for its changes
     * to complete, its default time limit applies; to set one, use {@link #scale(String, int, Duration)}.
     */
    @Override
    public void scale(String role, int replicas) {
        scaling.scale(role, replicas, Optional.empty());
        substrate.record().replace(Optional.of(role));
    }

    private synchronized boolean closed() {
        return closed;
    }

    /** Reads the record, and applies the requests of other programs as {@link #scale} and {@link #cancel} do. */
    void applyRequests() {
        if (closed()) {
            return;
        }
        JobRecord record = substrate.record();
        for (JobRequest request : record.newRequests()) {
            try {
                if (request.role().isPresent()) {
                    scaling.scale(request.role().get(), request.replicas().orElseThrow(), Optional.empty());
                } else {
                    loop.cancel();
                }
                record.accept(request);
                if (request.role().isPresent() && !scaling.direct()) {
                    // It scales in steps that no state has as a whole.
                    record.replace(request.role());
                }
            } catch (IllegalArgumentException | IllegalStateException e) {
                if (closed()) {
                    // The job's next driver applies it.
                    return;
                }
                String why = String.valueOf(e.getMessage());
                record.refuse(request, why);
                loop.emitEvent(JobEvent.Type.SCALE_FAILED, "request \"" + request.what() + "\" is refused: " + why);
            }
        }
    }

    /**
     * Changes the number of replicas of a role within a time limit, if the job's {@linkplain #scaling way of scaling}
     * waits for its changes. Returns at once.
     *
     * <p>A change that is not complete in time is rolled back, and event {@code SCALE_FAILED} reports it. A request
     * that comes before the job runs waits until it does.
     *
     * @param role {@code worker}
     * @param replicas within the role's elastic bounds
     * @param limit longest duration of the change until it is rolled back
     * @throws IllegalArgumentException when the number is outside the role's elastic bounds, or when the job has direct
     *     scaling, which has no time limit
     */
    public void scale(String role, int replicas, Duration limit) {
        scaling.scale(role, replicas, Optional.of(limit));
        substrate.record().replace(Optional.of(role));
    }

    /**
     * Returns the job's way of scaling as its provider's type.
     *
     * @return the job's way of scaling; empty when it is of another type
     */
    public <T extends WorkerScaling> Optional<T> scaling(Class<T> type) {
        return type.isInstance(scaling) ? Optional.of(type.cast(scaling)) : Optional.empty();
    }

    /**
     * Runs a command in a replica's container, by the exec API.
     *
     * <pre>{@code
     * PodResult disk = run.exec("worker-0", Duration.ofSeconds(10), "df", "-h");
     * }</pre>
     *
     * @param replica {@code worker-0}, {@code master}, or a pod's full name
     * @param limit longest duration of the command, including connecting
     * @param words the program and its arguments; no shell parses them
     * @return its exit code and output, also after a failure
     * @throws ExecException as soon as the pod or the container is gone, and when its node is lost, the limit has
     *     passed or the program cannot be started
     * @throws IllegalArgumentException when no replica has the name
     * @throws InterruptedException when the waiting thread is interrupted; the command may run on
     */
    public PodResult exec(String replica, Duration limit, String... words) throws InterruptedException {
        return exec(replica, PodCommand.of(words).limit(limit));
    }

    /**
     * Runs a command with input, or in another container; fails as {@link #exec(String, Duration, String...)} does.
     *
     * @param replica {@code worker-0}, {@code master}, or a pod's full name
     * @param command words, input, container and time limit of the command
     */
    public PodResult exec(String replica, PodCommand command) throws InterruptedException {
        return PodExec.in(
                substrate, client, ReplicaNameLookup.full(plan().name(), substrate.there(), replica), command);
    }

    /**
     * Opens a byte channel to a port of a replica's pod, by the API server's port-forward. It needs {@code create} and
     * {@code get} of {@code pods/portforward}: {@link dev.edl.k8s.preflight.SubmitterRole#portForward}. Closing this
     * run closes the channel.
     */
    @Override
    public ByteChannel connect(String replica, int port) throws IOException, InterruptedException {
        return ports.connect(substrate.there(), replica, port);
    }

    /**
     * Reads a file of the job's volumes, such as the model, also after the job has ended or was attached.
     *
     * <pre>{@code
     * byte[] model = run.read("/data/model.npz", Duration.ofMinutes(2));
     * }</pre>
     *
     * <p>The job must be one of {@code dev.edl.runtime.program.ProgramJobs.image}. A reader pod is created from the
     * master's template, with its image, volumes and requests, and deleted afterwards. Its program sends the file to
     * this caller alone, with a SHA-256. This needs the permission of
     * {@link dev.edl.k8s.preflight.SubmitterRole#portForward}, and capacity for that pod in the cluster.
     *
     * @param path absolute, below the mount of a volume of the master that outlives its pod
     * @param limit longest duration of the read, including the start of the pod
     * @throws IllegalArgumentException when no such volume has the path, or the job's program sends no files; no pod is
     *     created
     * @throws IllegalStateException when this run is closed, or another program drives the job
     * @throws io.fabric8.kubernetes.client.KubernetesClientException when the cluster refuses the pod
     * @throws IOException when the file is missing or longer than an array, the pod does not run or answer in time, or
     *     the API server does not connect to it
     */
    public byte[] read(String path, Duration limit) throws IOException, InterruptedException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        file(path, limit).to(bytes, LONGEST_ARRAY);
        return bytes.toByteArray();
    }

    /**
     * Reads a file of the job's volumes into a local file, as {@link #read(String, Duration)} does, without holding its
     * bytes in memory. Replaces a file at that path once the read is complete.
     *
     * @param to path of the local file; until the read is complete, a temporary file in the same directory has the
     *     bytes
     */
    public void read(String path, Duration limit, Path to) throws IOException, InterruptedException {
        PodFile file = file(path, limit);
        // Not a temporary file of the JDK, which only its owner could read.
        Path part = to.resolveSibling(".edl-" + UUID.randomUUID() + ".part");
        try {
            try (OutputStream out =
                    Files.newOutputStream(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                file.to(out, Long.MAX_VALUE);
            }
            Files.move(part, to, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private PodFile file(String path, Duration limit) {
        synchronized (this) {
            if (closed) {
                throw new IllegalStateException("job \"" + plan().name() + "\": " + path
                        + " cannot be read: this KubernetesRun is closed; attach to the job again");
            }
        }
        return new PodFile(pods, path, limit, new SecureRandom());
    }

    /**
     * Returns why a replica does not run yet, as {@link dev.edl.exec.JobHandle#whyPending} does. For a replica that
     * waits in a queue of Kueue it reads the {@link #queue}.
     */
    @Override
    public Optional<String> whyPending(String replica) {
        Optional<String> why = super.whyPending(replica);
        return why.flatMap(pending -> queue())
                .flatMap(queue -> queue.whyPending(shortName(replica)))
                .or(() -> why);
    }

    private String shortName(String replica) {
        return substrate.there().stream()
                .filter(one -> one.name().equals(replica))
                .map(one -> one.role().replica(one.id()))
                .findFirst()
                .orElse(replica);
    }

    /**
     * Reads the queue of Kueue that admits the job's pods, and their places in it. Needs permission to {@code get} its
     * LocalQueue and ClusterQueue and to {@code list} workloads; the result names what the cluster refuses.
     *
     * @return empty when the job has no queue
     */
    public Optional<JobQueue> queue() {
        return QueueReader.read(client, plan(), substrate.pods(), substrate.there());
    }

    @Override
    public void suspend() {
        loop.suspend();
    }

    @Override
    public void resume() {
        loop.resume();
    }

    /**
     * Follows a replica's log line by line.
     *
     * <p>It waits for the replica's pod to start. If the replica is relaunched, it reports that in a
     * {@linkplain LogLine#note note} and continues with the successor. It ends with the job and the replica, or when
     * the returned subscription or this run is closed. After a lost connection it resumes at the line where it was
     * lost.
     *
     * <pre>{@code
     * try (LogFollower lines = run.logs("worker-0", System.out::println)) {
     *   run.await(Duration.ofHours(2));
     *   lines.awaitEnd(Duration.ofMinutes(1));
     * }
     * }</pre>
     *
     * @param replica {@code worker-0}, {@code master}, or a full name; a replica of the job's start may be named before
     *     it exists
     * @param reader called on its own thread, named {@code edl-<job>-<role>-<index>-log}; while it is busy, at most one
     *     buffer is read ahead. If it throws, following ends and {@link LogFollower#awaitEnd} throws the same exception
     * @throws IllegalArgumentException when no replica has the name
     * @throws IllegalStateException when this run is closed
     */
    public LogFollower logs(String replica, Consumer<LogLine> reader) {
        return follow(ReplicaSlot.of(plan(), loop.state(), replica), reader);
    }

    /**
     * Follows the log of a role's slot, whose replica may be relaunched, as {@link #logs(String, Consumer)} does.
     *
     * @param role the role's name, {@code worker}
     * @param index of the slot, from 0; a replica and its relaunched successors share it
     * @throws IllegalArgumentException when the job has no such role, or the role no such slot
     * @throws IllegalStateException when this run is closed
     */
    public LogFollower logs(String role, int index, Consumer<LogLine> reader) {
        return follow(ReplicaSlot.of(plan(), role, index), reader);
    }

    private synchronized LogFollower follow(ReplicaSlot slot, Consumer<LogLine> reader) {
        if (closed) {
            throw new IllegalStateException("job \"" + plan().name() + "\" cannot be followed: its handle is closed");
        }
        LogFollower follower = new LogFollower(
                new DrivenJob(loop, substrate),
                logs,
                slot,
                OptionalInt.empty(),
                Objects.requireNonNull(reader, "reader"));
        followers.removeIf(LogFollower::over);
        followers.add(follower);
        follower.start();
        return follower;
    }

    /**
     * Returns the log of a replica so far, after the logs of its predecessors in the same slot whose pods still exist.
     *
     * @param replica {@code worker-0}, {@code master}, or a full name
     * @param lines maximum number of lines of each pod's log, the last ones; at least 1
     * @throws IllegalArgumentException when no replica has the name, or {@code lines} is less than 1
     * @throws UncheckedIOException when a log cannot be read
     */
    public List<LogLine> log(String replica, int lines) {
        ReplicaSlot slot = ReplicaSlot.of(plan(), loop.state(), replica);
        return new PodHistory(plan().name(), slot, substrate::pods, logs).last(loop.state(), lines);
    }

    /**
     * Returns the exception or error that made this run {@linkplain #lost lost}; empty when it is not lost, or lost to
     * another program.
     */
    public Optional<Throwable> failure() {
        return loop.failure();
    }

    /** Returns this run, marked as new: if the API server rejects its pods as invalid, the whole job is removed. */
    KubernetesRun unaccepted() {
        unaccepted = true;
        return this;
    }

    /**
     * Waits briefly for the first pod of each role of a new job. If the API server rejects one as invalid, closes this
     * run, deletes the job's record and throws the rejection.
     */
    void checkAccepted() {
        if (unaccepted) {
            substrate.answers().await(ACCEPTED, loop::lost).ifPresent(invalid -> {
                substrate.finish();
                close();
                throw substrate.record().collectAfter(invalid);
            });
        }
    }

    /** Returns whether another program drives the job now. The loop itself detects this only at its next write. */
    boolean taken() {
        return substrate.record().taken();
    }

    /** Returns whether the job has ended and nothing is left to do. */
    boolean over() {
        return loop.finished();
    }

    /** Stops driving the job. Its pods run on, and a program that attaches takes it over. */
    @Override
    public void close() {
        List<LogFollower> readers;
        synchronized (this) {
            closed = true;
            readers = List.copyOf(followers);
        }
        ports.close();
        List<RuntimeException> failures = new ArrayList<>();
        for (LogFollower reader : readers) {
            try {
                reader.close();
            } catch (RuntimeException e) {
                failures.add(e);
            }
        }
        try (substrate;
                loop;
                scaling) {
            // Closed in reverse order: scaling reports its end through the loop.
        }
        if (!failures.isEmpty()) {
            throw failures.get(0);
        }
    }
}
