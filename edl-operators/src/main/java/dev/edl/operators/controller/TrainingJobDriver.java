package dev.edl.operators.controller;

import dev.edl.InvalidJobException;
import dev.edl.exec.Subscription;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.k8s.render.RenderException;
import dev.edl.operators.controller.internal.ApiRefusals;
import dev.edl.operators.controller.internal.FailureCategory;
import dev.edl.operators.controller.internal.LoopRestartBackoff;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.InvalidResourceException;
import dev.edl.operators.crd.et.Scaler;
import dev.edl.operators.crd.et.TrainingJobStatuses;
import dev.edl.operators.crd.internal.ConditionWriter;
import dev.edl.operators.et.HostfileScaling;
import dev.edl.plan.PlanException;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Driver of one TrainingJob: runs the job, scales it by its ScaleIns and ScaleOuts, and writes its status. */
final class TrainingJobDriver implements ObjectDriver {
    private static final Logger LOG = System.getLogger(Controller.class.getName());
    private static final Duration SOON = Duration.ofSeconds(1);

    private final TrainingJobKind kind;
    private final ObjectDriverContext context;
    private final InstantSource clock = InstantSource.system();
    private final LoopRestartBackoff retry = new LoopRestartBackoff(System.nanoTime());
    private @Nullable DrivenJob driven;
    private boolean over;
    /**
     * Whether the object's status had the job's end already when this driver resumed the job's cleanup; the status is
     * then not written again.
     */
    private boolean told;
    /** TrainingJob as the last reconcile pass observed it. */
    private @Nullable CustomObject seen;
    /** Status of the TrainingJob as last written; the watch may not have returned it yet. */
    private @Nullable Map<String, Object> status;

    /** Job that this controller drives, with the executor and event subscription to close with it. */
    private record DrivenJob(KubernetesExecutor executor, KubernetesRun run, Subscription events)
            implements AutoCloseable {
        @Override
        public void close() {
            events.close();
            executor.close();
        }
    }

    TrainingJobDriver(TrainingJobKind kind, ObjectDriverContext context) {
        this.kind = kind;
        this.context = context;
    }

    @Override
    public Optional<Duration> reconcile(CustomObject now) {
        synchronized (this) {
            seen = now;
        }
        if (over) {
            return Optional.empty();
        }
        DrivenJob driving = driven;
        if (driving != null && driving.run().lost()) {
            // The record was deleted, or another program took the job over and may have ended. The object exists, so
            // this controller must drive the job.
            Optional<Throwable> failure = driving.run().failure();
            close();
            driving = null;
            failure.ifPresent(why -> context.loopFailed(now, why, retry.recordFailure(System.nanoTime())));
        }
        Optional<Duration> pause = retry.left(System.nanoTime());
        if (driving == null && pause.isPresent()) {
            return pause;
        }
        if (driving == null) {
            if (TrainingJobStatuses.ended(now)) {
                // An ended job never runs again, whatever happened to its record and pods.
                Optional<DrivenJob> left = cleanUp(now);
                if (left.isEmpty()) {
                    endScalers();
                    over = true;
                    return Optional.empty();
                }
                driven = left.get();
                return follow(left.get().run());
            }
            if (TrainingJobStatuses.toBeSuspended(now)) {
                context.status(now, TrainingJobStatuses.suspended(now, clock.instant()));
                return Optional.empty();
            }
            Optional<DrivenJob> started = start(now);
            if (started.isEmpty()) {
                return Optional.empty();
            }
            driving = started.get();
            driven = driving;
        }
        HostfileScaling.of(driving.run()).wake();
        return follow(driving.run());
    }

    private Optional<Duration> follow(KubernetesRun run) {
        // Read before the status is written, so that the cleanup below never precedes the written status.
        boolean finished = run.finished();
        boolean ended = run.state().phase().ended();
        if (!told) {
            write(run, Optional.empty());
        }
        if (!ended) {
            // The run may be lost before its events had a listener. No event reports that a rejected replica is no
            // longer wanted.
            return run.lost()
                    ? Optional.of(Duration.ZERO)
                    : Optional.of(JobDriver.TROUBLED)
                            .filter(pause -> !run.status().requestFailures().isEmpty());
        }
        if (!finished) {
            return Optional.of(SOON);
        }
        endScalers();
        over = true;
        close();
        return Optional.empty();
    }

    /** Wakes the drivers of all ScaleIns and ScaleOuts in the namespace, so that those of this job end with it. */
    private void endScalers() {
        for (ScalingRequestKind kind : ScalingRequestKind.values()) {
            context.all(kind.word()).forEach(request -> context.wake(kind.word(), request.name()));
        }
    }

    /**
     * Resumes a job's cleanup that the previous leader did not complete. Cancels the run if the job's record lacks the
     * end. Empty when nothing is left to clean up.
     */
    private Optional<DrivenJob> cleanUp(CustomObject object) {
        if (!context.hasRecord(object.name())) {
            return Optional.empty();
        }
        KubernetesExecutor executor = null;
        boolean started = false;
        try {
            ConvertedTrainingJob setup = ConvertedTrainingJob.of(object, kind.initImage());
            executor = context.executor(setup.options(), CreationDigest.of(object));
            KubernetesRun run = executor.attach(setup.plan());
            told = true;
            if (!run.state().phase().ended()) {
                // The status has the end, but its record does not.
                run.cancel();
            }
            DrivenJob left = new DrivenJob(executor, run, run.onEvent(event -> context.wake()));
            started = true;
            return Optional.of(left);
        } catch (IllegalArgumentException | PlanException | RenderException e) {
            // The record is unreadable or of another job, or the resource has changed since it was read.
            LOG.log(
                    Level.WARNING,
                    object.kind() + " " + object.namespace() + "/" + object.name() + " has ended; left unchanged: "
                            + e.getMessage());
            return Optional.empty();
        } finally {
            if (!started && executor != null) {
                executor.close();
            }
        }
    }

    /** Writes the job's status. Also called from the run's scaling thread when a scaling request makes progress. */
    private synchronized void write(KubernetesRun run, Optional<Scaler> scaler) {
        CustomObject object = seen;
        if (object == null) {
            return;
        }
        Map<String, Object> before = status;
        CustomObject known = before == null ? object : with(object, before);
        Map<String, Object> next = TrainingJobStatuses.troubled(
                TrainingJobStatuses.of(known, run.plan(), run.state(), scaler, clock.instant()),
                ApiRefusals.describe(run.status().requestFailures()),
                clock.instant());
        context.status(object, next);
        status = next;
    }

    private static CustomObject with(CustomObject object, Map<String, Object> status) {
        Map<String, Object> fields = new HashMap<>(object.fields());
        fields.put("status", status);
        return CustomObject.of(fields);
    }

    /**
     * Starts the job, or attaches to it if it was started before. If the object cannot be a job, writes the reason into
     * its status and returns empty.
     */
    private Optional<DrivenJob> start(CustomObject object) {
        ConvertedTrainingJob setup;
        try {
            setup = ConvertedTrainingJob.of(object, kind.initImage());
        } catch (InvalidResourceException | InvalidJobException | PlanException | RenderException e) {
            return refuse(object, e);
        }
        KubernetesExecutor executor = null;
        boolean started = false;
        try {
            String words = setup.losses().isEmpty()
                    ? ""
                    : "TrainingJob " + object.name() + " is created; ignored: " + setup.losses();
            if (TrainingJobStatuses.fresh(object)) {
                status = TrainingJobStatuses.accepted(object, words, clock.instant());
                context.status(object, status);
            }
            context.admit(setup.plan());
            executor = context.executor(setup.options(), CreationDigest.noted(context, object, setup.plan()));
            KubernetesRun run = executor.ensure(setup.plan());
            started = true;
            String made = words.isEmpty() ? "TrainingJob " + object.name() + " is created." : words;
            // Until then the message gave the reason why it was not created.
            if (!TrainingJobStatuses.fresh(object)
                    && !TrainingJobStatuses.begun(object)
                    && !ConditionWriter.message(object, "Created").equals(made)) {
                status = TrainingJobStatuses.accepted(object, made, clock.instant());
            }
            HostfileScaling.of(run)
                    .from(new TrainingJobScalingRequests(
                            context, setup.plan(), clock, scaler -> write(run, Optional.of(scaler))));
            return Optional.of(new DrivenJob(executor, run, run.onEvent(event -> context.wake())));
        } catch (RenderException e) {
            return refuse(object, e);
        } catch (IllegalArgumentException e) {
            // Another job has the name; its deletion may be in progress.
            context.status(
                    object, TrainingJobStatuses.accepted(object, String.valueOf(e.getMessage()), clock.instant()));
            throw e;
        } catch (KubernetesClientException e) {
            if (ApiRefusals.lasts(e) && !TrainingJobStatuses.begun(object)) {
                context.status(object, TrainingJobStatuses.accepted(object, ApiRefusals.describe(e), clock.instant()));
            }
            throw e;
        } finally {
            if (!started && executor != null) {
                executor.close();
            }
        }
    }

    private Optional<DrivenJob> refuse(CustomObject object, RuntimeException why) {
        String name = object.kind() + " \"" + object.name() + "\": ";
        String text = String.valueOf(why.getMessage())
                .lines()
                .map(line -> line.startsWith(name) ? line.substring(name.length()) : line)
                .collect(Collectors.joining("; "));
        context.countFailure(FailureCategory.INVALID);
        context.status(object, TrainingJobStatuses.refused(object, "invalid job spec: " + text, clock.instant()));
        over = true;
        return Optional.empty();
    }

    @Override
    public void close() {
        context.release();
        DrivenJob driving = driven;
        if (driving != null) {
            driving.close();
            driven = null;
        }
    }
}
