package dev.edl.k8s;

import dev.edl.exec.ControlLoop;
import dev.edl.exec.JobHandle;
import dev.edl.exec.JobStatus;
import dev.edl.exec.LogLine;
import dev.edl.exec.Subscription;
import dev.edl.k8s.exec.ExecException;
import dev.edl.k8s.exec.PodCommand;
import dev.edl.k8s.exec.PodResult;
import dev.edl.k8s.internal.exec.PodExec;
import dev.edl.k8s.internal.exec.PodFile;
import dev.edl.k8s.internal.logs.LogSource;
import dev.edl.k8s.internal.logs.PodHistory;
import dev.edl.k8s.internal.pods.PodSubstrate;
import dev.edl.k8s.internal.pods.ReplicaNames;
import dev.edl.k8s.internal.pods.ReplicaSlot;
import dev.edl.k8s.spi.PodPorts;
import dev.edl.k8s.spi.WorkerScaling;
import dev.edl.plan.JobPlan;
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
import java.util.UUID;
import java.util.function.Consumer;

/** A job that runs as pods of a cluster and is driven from here. Thread-safe. */
public final class KubernetesRun implements JobHandle {
    /** How long {@code submit} waits for the answers to the first creations. */
    private static final Duration ACCEPTED = Duration.ofSeconds(5);

    /** What every JVM can make. */
    private static final long LONGEST_ARRAY = Integer.MAX_VALUE - 8;

    private final ControlLoop loop;
    private final SubstrateJobPods pods;
    private final PodSubstrate substrate;
    private final KubernetesClient client;
    private final LogSource logs;
    private final List<LogFollower> followers = new ArrayList<>();
    private final PodPorts ports;
    private final Optional<URI> tensorBoard;
    private boolean closed;

    /** Whether its pods are new, and the API server may call them invalid. */
    private boolean unaccepted;

    private final WorkerScaling scaling;

    KubernetesRun(ControlLoop loop, SubstrateJobPods pods, Optional<URI> tensorBoard, WorkerScaling scaling) {
        this.loop = loop;
        this.pods = pods;
        this.substrate = pods.substrate();
        this.client = pods.client();
        this.logs = new LogSource(client);
        this.ports = new PodPorts(
                client,
                loop.plan().name(),
                name -> Optional.ofNullable(substrate.pod(name)),
                wake -> substrate.onChange(loop.plan().name(), wake));
        this.tensorBoard = tensorBoard;
        this.scaling = scaling;
    }

    /**
     * Returns the address of the job's TensorBoard outside of the cluster. It is a proxy path of the API server to the Service,
     * {@code https://…/api/v1/namespaces/team/services/tensorboard-mnist:80/proxy/}. A client authenticates to the API server, as
     * {@code kubectl} does, and needs the right of {@link dev.edl.k8s.preflight.SubmitterRole#tensorBoard}. A browser reaches it
     * through {@code kubectl proxy}.
     *
     * @return empty when the executor's options have no TensorBoard
     */
    public Optional<URI> tensorBoard() {
        return tensorBoard;
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
    public Optional<String> whyPending(String replica) {
        return loop.whyPending(replica);
    }

    /**
     * Returns the job's state. The record in the cluster has it, too. Changes that the pods show anyway, for example that one runs,
     * are written up to five seconds later.
     */
    public JobState state() {
        return loop.state();
    }

    /**
     * Whether the job has ended and nothing is left to do for it: no clean-up, no time to live that runs, no pod that is still
     * on its way out. {@link #await} returns earlier, with the end.
     */
    public boolean finished() {
        return loop.finished();
    }

    /**
     * Whether another program drives the job now, or its record was deleted: nothing is done for it from here any more, and {@link
     * JobEvent.Type#JOB_LOST} said why. It is noticed when there is something to write, so of a quiet job it may be noticed late.
     * From then on, where the job was not seen to end, {@link #await} throws {@link dev.edl.exec.JobLostException}, and other
     * requests an {@link IllegalStateException}.
     */
    public boolean lost() {
        return loop.lost();
    }

    /**
     * Changes how many replicas a role has. Where the job's {@linkplain #scaling way of scaling} waits for what it does, it does so within
     * a limit of its own: see {@link #scale(String, int, Duration)}.
     */
    @Override
    public void scale(String role, int replicas) {
        scaling.scale(role, replicas, Optional.empty());
    }

    /**
     * Changes how many replicas a role has, within a limit, where the job's {@linkplain #scaling way of scaling} waits for what it does;
     * returns at once.
     *
     * <p>What is not done in time is taken back, and an event {@code SCALE_FAILED} says so. What is asked for before the job runs waits
     * until it does.
     *
     * @param role {@code worker}
     * @param replicas within the role's elastic bounds
     * @param limit how long each request may take
     * @throws IllegalArgumentException for another number, and for a limit where replicas come and go at once
     */
    public void scale(String role, int replicas, Duration limit) {
        scaling.scale(role, replicas, Optional.of(limit));
    }

    /**
     * Returns how the job is scaled, as the type that its provider has for it.
     *
     * @return empty when it is scaled in another way
     */
    public <T extends WorkerScaling> Optional<T> scaling(Class<T> type) {
        return type.isInstance(scaling) ? Optional.of(type.cast(scaling)) : Optional.empty();
    }

    @Override
    public void delete(String replica) {
        loop.delete(replica);
    }

    @Override
    public void cancel() {
        loop.cancel();
    }

    /**
     * Runs a command in a replica's container, by the exec API.
     *
     * <pre>{@code
     * PodResult disk = run.exec("worker-0", Duration.ofSeconds(10), "df", "-h");
     * }</pre>
     *
     * @param replica {@code worker-0}, {@code master}, or a pod's full name
     * @param limit how long it may take
     * @param words the program and its arguments, which no shell reads
     * @return its exit code and output, also when it failed
     * @throws ExecException at once when the pod or the container goes, and when its node is lost, the limit is over or the
     *     program cannot be started
     * @throws IllegalArgumentException when there is no such replica
     * @throws InterruptedException when the waiting thread is interrupted; the command may run on
     */
    public PodResult exec(String replica, Duration limit, String... words) throws InterruptedException {
        return exec(replica, PodCommand.of(words).limit(limit));
    }

    /**
     * Runs a command in a replica's container, with an input, or in another container; fails as {@link #exec(String, Duration,
     * String...)} does.
     *
     * @param replica {@code worker-0}, {@code master}, or a pod's full name
     * @param command with its limit, a minute unless said otherwise
     */
    public PodResult exec(String replica, PodCommand command) throws InterruptedException {
        return PodExec.in(substrate, client, ReplicaNames.full(plan().name(), substrate.there(), replica), command);
    }

    /**
     * Opens a byte channel by the API server's port-forward, which needs the right to {@code create} and {@code get} {@code
     * pods/portforward}: {@link dev.edl.k8s.preflight.SubmitterRole#portForward}. Closing this run closes it.
     */
    @Override
    public ByteChannel connect(String replica, int port) throws IOException, InterruptedException {
        return ports.connect(substrate.there(), replica, port);
    }

    /**
     * Reads a file of the job's volumes, such as the model, also when the job has ended or was attached.
     *
     * <pre>{@code
     * byte[] model = run.read("/data/model.npz", Duration.ofMinutes(2));
     * }</pre>
     *
     * <p>The job is one of {@code dev.edl.runtime.program.ProgramJobs.image}. A pod is made of the master's template, with its image,
     * volumes and requests, and deleted afterwards. Its program sends the file to this caller alone, and a SHA-256 with it. It needs the
     * right of {@link dev.edl.k8s.preflight.SubmitterRole#portForward}, and room for that pod in the cluster.
     *
     * @param path absolute, below the mount of a volume of the master that outlives its pod
     * @param limit how long it may take, the start of the pod included
     * @throws IllegalArgumentException when no such volume has the path, or the job's program sends no files; no pod is made
     * @throws IllegalStateException when this run is closed, or another program drives the job
     * @throws io.fabric8.kubernetes.client.KubernetesClientException when the cluster refuses the pod
     * @throws IOException when the file is missing or longer than an array, the pod does not run or not answer in time, or the API server
     *     does not connect to it
     */
    public byte[] read(String path, Duration limit) throws IOException, InterruptedException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        file(path, limit).to(bytes, LONGEST_ARRAY);
        return bytes.toByteArray();
    }

    /**
     * Reads a file of the job's volumes into a file of this machine, as {@link #read(String, Duration)} does, without its bytes in
     * memory. What was at that path is replaced once the whole file is here.
     *
     * @param to where it is written; a file beside it has the bytes meanwhile
     */
    public void read(String path, Duration limit, Path to) throws IOException, InterruptedException {
        PodFile file = file(path, limit);
        // No temporary file of the JDK, which its owner alone could read.
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
                throw new IllegalStateException(
                        "job \"" + plan().name() + "\": " + path + " cannot be read: its handle is closed");
            }
        }
        return new PodFile(pods, path, limit, new SecureRandom());
    }

    @Override
    public void suspend() {
        loop.suspend();
    }

    @Override
    public void resume() {
        loop.resume();
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

    /**
     * Follows a replica's log line by line. It waits for the replica's pod to start. If the replica is relaunched, it reports
     * that in a {@linkplain LogLine#note note} and continues with the successor. It ends with the job and the replica, or when the
     * returned subscription or this run is closed. After a lost connection it resumes at the line where it was lost.
     *
     * <pre>{@code
     * try (LogFollower lines = run.logs("worker-0", System.out::println)) {
     *   run.await(Duration.ofHours(2));
     *   lines.awaitEnd(Duration.ofMinutes(1));
     * }
     * }</pre>
     *
     * @param replica {@code worker-0}, {@code master}, or a full name; one of the start also before it is there
     * @param reader called on one thread of its own, named {@code edl-<job>-<role>-<index>-log}; while it is busy, no more is
     *     read than a buffer. What it throws ends the following, and {@link LogFollower#awaitEnd} throws it
     * @throws IllegalArgumentException when no replica has the name
     * @throws IllegalStateException when this run is closed
     */
    public LogFollower logs(String replica, Consumer<LogLine> reader) {
        return follow(ReplicaSlot.of(plan(), loop.state(), replica), reader);
    }

    /**
     * Follows what the replica at a place of a role writes, whichever it is, as {@link #logs(String, Consumer)} does.
     *
     * @param role the role's word, {@code worker}
     * @param index its place, from 0; the replicas that are relaunched for each other have the same
     * @throws IllegalArgumentException when the job has no such role, or the role no such place
     * @throws IllegalStateException when this run is closed
     */
    public LogFollower logs(String role, int index, Consumer<LogLine> reader) {
        return follow(ReplicaSlot.of(plan(), role, index), reader);
    }

    private synchronized LogFollower follow(ReplicaSlot slot, Consumer<LogLine> reader) {
        if (closed) {
            throw new IllegalStateException("job \"" + plan().name() + "\" cannot be followed: its handle is closed");
        }
        LogFollower follower = new LogFollower(loop, substrate, logs, slot, Objects.requireNonNull(reader, "reader"));
        followers.removeIf(LogFollower::over);
        followers.add(follower);
        follower.start();
        return follower;
    }

    /**
     * What a replica has written until now, and before it those whose place it took, as far as their pods are there.
     *
     * @param replica {@code worker-0}, {@code master}, or a full name
     * @param lines how many of each pod at most, its last ones
     * @throws IllegalArgumentException when no replica has the name, or for no lines
     * @throws UncheckedIOException when a log cannot be read
     */
    public List<LogLine> log(String replica, int lines) {
        if (lines < 1) {
            throw new IllegalArgumentException("a log is read by 1 line at least, for example 1000; was " + lines);
        }
        ReplicaSlot slot = ReplicaSlot.of(plan(), loop.state(), replica);
        return new PodHistory(plan().name(), slot, substrate, logs).last(loop.state(), lines);
    }

    /** Returns the exception or error that this run is {@linkplain #lost lost} to; empty when it is not, or to another program. */
    public Optional<Throwable> failure() {
        return loop.failure();
    }

    /** Returns this run, marked as new: when the API server refuses its pods as invalid, all of the job is removed. */
    KubernetesRun unaccepted() {
        unaccepted = true;
        return this;
    }

    /**
     * Waits a moment for the first pod of each role of a new job. When the API server calls one invalid, closes this run, deletes the
     * job's record and throws the refusal.
     */
    void checkAccepted() {
        if (unaccepted) {
            substrate.answers().await(ACCEPTED, loop::lost).ifPresent(invalid -> {
                close();
                throw substrate.record().collectAfter(invalid);
            });
        }
    }

    /** Whether another program drives the job now, which the loop itself notices when it has something to write. */
    boolean taken() {
        return substrate.record().taken();
    }

    /** Whether the job has ended and nothing is left to do for it. */
    boolean over() {
        return loop.finished();
    }

    /** Stops driving the job; its pods run on, and a program that attaches takes it over. */
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
            // Closed in the opposite order: the scaling tells of its end by the loop.
        }
        if (!failures.isEmpty()) {
            throw failures.get(0);
        }
    }

    /** The job's status. */
    @Override
    public String toString() {
        return loop.toString();
    }
}
