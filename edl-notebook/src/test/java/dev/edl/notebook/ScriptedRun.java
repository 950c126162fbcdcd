package dev.edl.notebook;

import dev.edl.Job;
import dev.edl.exec.AwaitTimeoutException;
import dev.edl.exec.JobHandle;
import dev.edl.exec.JobStatus;
import dev.edl.exec.RoleStatus;
import dev.edl.exec.Subscription;
import dev.edl.plan.JobPlan;
import dev.edl.runtime.Progress;
import dev.edl.runtime.TrainingEvent;
import dev.edl.spec.RoleType;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Run with one scripted step in each wait, on its own clock; it succeeds after the last step. */
final class ScriptedRun implements JobHandle {
    private final JobPlan plan =
            Job.builder().name("mnist").ps(1).workers(2).elastic(1, 4).build().plan();
    private final Deque<Runnable> script = new ArrayDeque<>();
    private final List<Consumer<TrainingEvent>> listeners = new ArrayList<>();
    private final List<JobEvent> events = new ArrayList<>();
    private int workers = 2;
    private JobPhase phase = JobPhase.RUNNING;
    long nanos;

    /** Adds a step for the next wait without one. */
    ScriptedRun then(Runnable happens) {
        script.add(happens);
        return this;
    }

    void tell(TrainingEvent event) {
        listeners.forEach(listener -> listener.accept(event));
    }

    /** Reports progress on 1,000 records. */
    void progress(int records, double loss) {
        tell(progressed(records, loss));
    }

    static TrainingEvent progressed(int records, double loss) {
        return new TrainingEvent.Progressed(new Progress(
                0, 1, records / 10, 100, records, 1000, records / 5, loss, 400, Duration.ofMillis(records * 5L / 2)));
    }

    void workers(int running, JobEvent.Type type, String message) {
        workers = running;
        events.add(JobEvent.replica(Instant.EPOCH, type, "elasticdl-mnist-worker-1", message));
    }

    void end(JobPhase with) {
        phase = with;
    }

    Subscription onTraining(Consumer<TrainingEvent> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    int listeners() {
        return listeners.size();
    }

    @Override
    public JobPlan plan() {
        return plan;
    }

    @Override
    public JobStatus status() {
        return new JobStatus(
                "mnist",
                phase,
                "",
                Optional.empty(),
                Optional.empty(),
                List.of(new RoleStatus(RoleType.WORKER, 2, 0, phase.ended() ? 0 : workers, 0, 0)),
                List.of(),
                List.of(),
                Duration.ZERO);
    }

    @Override
    public JobStatus await(Duration limit) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        if (phase.ended()) {
            return status();
        }
        if (script.isEmpty()) {
            phase = JobPhase.SUCCEEDED;
            return status();
        }
        nanos += limit.toNanos();
        script.remove().run();
        throw new AwaitTimeoutException(plan, status(), limit);
    }

    @Override
    public void scale(String role, int replicas) {
        workers(replicas, JobEvent.Type.SCALED, role + " to " + replicas);
    }

    @Override
    public void delete(String replica) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void cancel() {
        phase = JobPhase.CANCELLED;
    }

    @Override
    public Subscription onEvent(Consumer<JobEvent> listener) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<JobEvent> events() {
        return List.copyOf(events);
    }

    @Override
    public void close() {}
}
