package dev.edl.runtime.program;

import dev.edl.exec.ForwardingJobHandle;
import dev.edl.exec.JobHandle;
import dev.edl.exec.JobStatus;
import dev.edl.exec.Subscription;
import dev.edl.exec.local.LocalRun;
import dev.edl.runtime.Progress;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.engine.EventHub;
import dev.edl.status.JobPhase;
import java.io.IOException;
import java.nio.channels.ByteChannel;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A training job that runs as processes of this machine: a {@link JobHandle} with the progress, events and result that
 * its master reports. Thread-safe.
 */
public final class ProcessRun extends ForwardingJobHandle {
    private static final Duration LOOK = Duration.ofMillis(20);
    private static final Duration DRAIN = Duration.ofSeconds(10);

    private static final System.Logger LOG = System.getLogger(ProcessRun.class.getName());

    /** Accuracy of the start of a process. */
    private static final Duration START = Duration.ofSeconds(1);

    private final LocalRun job;
    /** By name: the bound of the replicas that are overdue. */
    private final Map<String, Duration> overdue = new ConcurrentHashMap<>();

    private final EventHub hub;
    private final EventTail tail;
    private final MasterAbsenceWatch absence = new MasterAbsenceWatch();
    private final Future<?> following;
    private long looked = System.nanoTime();

    /**
     * Starts to follow a job.
     *
     * @param looks its thread reads the master's reports until this run is closed
     */
    ProcessRun(LocalRun job, EventHub hub, EventTail tail, ScheduledExecutorService looks) {
        super(job);
        this.job = job;
        this.hub = hub;
        this.tail = tail;
        this.following = looks.scheduleWithFixedDelay(this::poll, 0, LOOK.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void poll() {
        tail.poll();
        long now = System.nanoTime();
        if (now - looked >= MasterAbsenceWatch.SIGN.toNanos()) {
            looked = now;
            lookForMaster(now);
        }
    }

    /**
     * Kills the process of a replica and its child processes by signal 9; the replica fails with exit code 137.
     *
     * @param replica {@code worker-0}, {@code master}, or a full name
     * @throws IllegalArgumentException if no such replica runs
     */
    public void kill(String replica) {
        job.kill(replica);
    }

    /**
     * Returns the process id of a replica; empty if its process no longer runs.
     *
     * @param replica {@code worker-0}, {@code master}, or a full name
     * @throws IllegalArgumentException if no such replica runs
     */
    public OptionalLong pid(String replica) {
        return job.pid(replica);
    }

    /**
     * Kills the process of a replica that the master reports as overdue, so that the job replaces it. Does not kill a
     * process that is younger than the bound, because the replica may have been replaced already.
     */
    void replaceOverdue(TrainingEvent event) {
        if (event instanceof TrainingEvent.ReplicaReturned returned) {
            overdue.remove(returned.replica());
        } else if (event instanceof TrainingEvent.ReplicaAbsent absent && absent.overdue()) {
            Duration bound = overdue.computeIfAbsent(absent.replica(), key -> absent.since());
            try {
                OptionalLong process = job.pid(absent.replica());
                if (process.isPresent() && hasRunFor(process.getAsLong(), bound)) {
                    LOG.log(System.Logger.Level.WARNING, "killing " + absent.replica() + ", because " + absent);
                    job.kill(absent.replica());
                }
            } catch (IllegalArgumentException ended) {
                LOG.log(System.Logger.Level.DEBUG, absent.replica() + " has no process", ended);
            }
        }
    }

    /** Emits the events of the master's absence that are due. */
    private void lookForMaster(long now) {
        if (job.status().phase() == JobPhase.RUNNING) {
            OptionalLong process;
            try {
                process = job.pid(MasterAbsenceWatch.MASTER);
            } catch (IllegalArgumentException ended) {
                process = OptionalLong.empty();
            }
            absence.poll(process, tail.modified(), now).forEach(hub::emit);
        }
    }

    private static boolean hasRunFor(long pid, Duration time) {
        return ProcessHandle.of(pid)
                .flatMap(process -> process.info().startInstant())
                .filter(start ->
                        Duration.between(start, Instant.now()).plus(START).compareTo(time) >= 0)
                .isPresent();
    }

    @Override
    public ByteChannel connect(String replica, int port) throws IOException {
        return job.connect(replica, port);
    }

    @Override
    public void suspend() {
        job.suspend();
    }

    @Override
    public void resume() {
        job.resume();
    }

    /**
     * Waits for the end of the job and then, within the remaining limit, until every listener has received all events.
     *
     * @throws dev.edl.exec.AwaitTimeoutException if the job has not ended within the limit; it continues
     */
    @Override
    public JobStatus await(Duration limit) throws InterruptedException {
        long began = System.nanoTime();
        JobStatus end = job.await(limit);
        tail.poll();
        Duration left = limit.minusNanos(System.nanoTime() - began);
        hub.drain(left.compareTo(DRAIN) < 0 ? left : DRAIN);
        return end;
    }

    /**
     * Waits until the training has succeeded and returns its result.
     *
     * @param limit the longest wait, in real time
     * @throws dev.edl.exec.JobFailedException if the job failed or was cancelled; its message has the reason
     * @throws dev.edl.exec.AwaitTimeoutException if the job has not ended within the limit; it continues
     * @throws InterruptedException if the waiting thread is interrupted
     */
    public TrainingSummary awaitResult(Duration limit) throws InterruptedException {
        awaitSuccess(limit);
        return result().orElseThrow(() -> new IllegalStateException("job \"" + plan().name()
                + "\" succeeded, but its master has reported no result; EDL_EVENTS must name the executor's folder"));
    }

    /**
     * Subscribes a listener to the training events: first to recent events that it missed, then to each new one, in
     * order. Events come one at a time on a thread of the run. Progress events come at most fifty times a second.
     *
     * @return ends the notifications when closed
     */
    public Subscription onTraining(Consumer<TrainingEvent> listener) {
        return hub.add(listener);
    }

    /** Returns the progress of the training; empty before the master has reported any. */
    public Optional<Progress> progress() {
        return tail.progress();
    }

    /** Returns the result of the training; empty until the job has succeeded. */
    public Optional<TrainingSummary> result() {
        if (job.status().phase() != JobPhase.SUCCEEDED) {
            return Optional.empty();
        }
        tail.poll();
        return tail.summary();
    }

    /** Ends the remaining processes of the job and all threads of the run. */
    @Override
    public void close() {
        try {
            job.close();
        } finally {
            following.cancel(false);
            hub.close();
        }
    }

    /** Returns the job's status and the training's progress. */
    @Override
    public String toString() {
        return job + progress().map(progress -> "\n" + progress).orElse("");
    }
}
