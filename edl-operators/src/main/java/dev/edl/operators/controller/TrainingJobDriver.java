package dev.edl.operators.controller;

import dev.edl.InvalidJobException;
import dev.edl.exec.Subscription;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.k8s.render.RenderException;
import dev.edl.operators.controller.internal.ApiRefusals;
import dev.edl.operators.controller.internal.FailureCategory;
import dev.edl.operators.controller.internal.LoopRetry;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.InvalidResourceException;
import dev.edl.operators.crd.et.Scaler;
import dev.edl.operators.crd.et.TrainingJobStatus;
import dev.edl.operators.crd.internal.Conditions;
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

/** Looks after one TrainingJob: drives the job, scales it as its ScaleIns and ScaleOuts ask, and writes how it stands. */
final class TrainingJobDriver implements ObjectDriver {
    private static final Logger LOG = System.getLogger(Controller.class.getName());
    private static final Duration SOON = Duration.ofSeconds(1);

    private final TrainingJobKind kind;
    private final ObjectContext context;
    private final InstantSource clock = InstantSource.system();
    private final LoopRetry retry = new LoopRetry(System.nanoTime());
    private @Nullable Driven driven;
    private boolean over;
    /** Whether the status said how the job ended before it was gone on with here. */
    private boolean told;
    /** As it was seen last. */
    private @Nullable CustomObject seen;
    /** As it was written last, which a watch may not have told yet. */
    private @Nullable Map<String, Object> status;

    /** A job that is driven from here. */
    private record Driven(KubernetesExecutor executor, KubernetesRun run, Subscription events)
            implements AutoCloseable {
        @Override
        public void close() {
            events.close();
            executor.close();
        }
    }

    TrainingJobDriver(TrainingJobKind kind, ObjectContext context) {
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
        Driven driving = driven;
        if (driving != null && driving.run().lost()) {
            // Its record was deleted, or another program took the job over and may have ended: by the object, this
            // controller has to drive the job.
            Optional<Throwable> failure = driving.run().failure();
            close();
            driving = null;
            failure.ifPresent(why -> context.loopFailed(now, why, retry.broke(System.nanoTime())));
        }
        Optional<Duration> pause = retry.left(System.nanoTime());
        if (driving == null && pause.isPresent()) {
            return pause;
        }
        if (driving == null) {
            if (TrainingJobStatus.ended(now)) {
                // Whatever happened to its record and its pods since: what has ended is not run again.
                Optional<Driven> left = cleanUp(now);
                if (left.isEmpty()) {
                    endScalers();
                    over = true;
                    return Optional.empty();
                }
                driven = left.get();
                return follow(left.get().run());
            }
            if (TrainingJobStatus.toBeSuspended(now)) {
                context.status(now, TrainingJobStatus.suspended(now, clock.instant()));
                return Optional.empty();
            }
            Optional<Driven> started = start(now);
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
        // Read before the status is written: what is done here must not follow from more than the status says.
        boolean finished = run.finished();
        boolean ended = run.state().phase().ended();
        if (!told) {
            write(run, Optional.empty());
        }
        if (!ended) {
            // Perhaps lost before its events were listened to. No event tells that a refused replica is not wanted any
            // more.
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

    /** What was asked of it and not done is not done any more. */
    private void endScalers() {
        for (ScalerKind kind : ScalerKind.values()) {
            context.all(kind.word()).forEach(request -> context.wake(kind.word(), request.name()));
        }
    }

    /** Who led before may have ended before it had cleaned up; empty when there is nothing to go on with. */
    private Optional<Driven> cleanUp(CustomObject object) {
        if (!context.hasRecord(object.name())) {
            return Optional.empty();
        }
        KubernetesExecutor executor = null;
        boolean started = false;
        try {
            TrainingJobSetup setup = TrainingJobSetup.of(object, kind.initImage());
            executor = context.executor(setup.options(), CreationDigest.of(object));
            KubernetesRun run = executor.attach(setup.plan());
            told = true;
            if (!run.state().phase().ended()) {
                // That it ended is said, and could not be kept.
                run.cancel();
            }
            Driven left = new Driven(executor, run, run.onEvent(event -> context.wake()));
            started = true;
            return Optional.of(left);
        } catch (IllegalArgumentException | PlanException | RenderException e) {
            // Its record cannot be read, or is another job's, or the resource that it was read from has changed since.
            LOG.log(
                    Level.WARNING,
                    object.kind() + " " + object.namespace() + "/" + object.name() + " has ended and is left as it is: "
                            + e.getMessage());
            return Optional.empty();
        } finally {
            if (!started && executor != null) {
                executor.close();
            }
        }
    }

    /** Also called by the run, when a request of scaling is further on. */
    private synchronized void write(KubernetesRun run, Optional<Scaler> scaler) {
        CustomObject object = seen;
        if (object == null) {
            return;
        }
        Map<String, Object> before = status;
        CustomObject known = before == null ? object : with(object, before);
        Map<String, Object> next = TrainingJobStatus.troubled(
                TrainingJobStatus.of(known, run.plan(), run.state(), scaler, clock.instant()),
                ApiRefusals.words(run.status().requestFailures()),
                clock.instant());
        context.status(object, next);
        status = next;
    }

    private static CustomObject with(CustomObject object, Map<String, Object> status) {
        Map<String, Object> fields = new HashMap<>(object.fields());
        fields.put("status", status);
        return CustomObject.of(fields);
    }

    /** Empty when the object can be no job, which its status says then. */
    private Optional<Driven> start(CustomObject object) {
        TrainingJobSetup setup;
        try {
            setup = TrainingJobSetup.of(object, kind.initImage());
        } catch (InvalidResourceException | InvalidJobException | PlanException | RenderException e) {
            return refuse(object, e);
        }
        KubernetesExecutor executor = null;
        boolean started = false;
        try {
            String words = setup.losses().isEmpty()
                    ? ""
                    : "TrainingJob " + object.name() + " is created; not followed: " + setup.losses();
            if (TrainingJobStatus.fresh(object)) {
                status = TrainingJobStatus.accepted(object, words, clock.instant());
                context.status(object, status);
            }
            context.admit(setup.plan());
            executor = context.executor(setup.options(), CreationDigest.noted(context, object, setup.plan()));
            KubernetesRun run = executor.ensure(setup.plan());
            started = true;
            String made = words.isEmpty() ? "TrainingJob " + object.name() + " is created." : words;
            // Until then it said why it was not made.
            if (!TrainingJobStatus.fresh(object)
                    && !TrainingJobStatus.begun(object)
                    && !Conditions.message(object, "Created").equals(made)) {
                status = TrainingJobStatus.accepted(object, made, clock.instant());
            }
            HostfileScaling.of(run)
                    .from(new JobScalers(context, setup.plan(), clock, scaler -> write(run, Optional.of(scaler))));
            return Optional.of(new Driven(executor, run, run.onEvent(event -> context.wake())));
        } catch (RenderException e) {
            return refuse(object, e);
        } catch (IllegalArgumentException e) {
            // The name is another job's, perhaps one that is on its way out.
            context.status(object, TrainingJobStatus.accepted(object, String.valueOf(e.getMessage()), clock.instant()));
            throw e;
        } catch (KubernetesClientException e) {
            if (ApiRefusals.lasts(e) && !TrainingJobStatus.begun(object)) {
                context.status(object, TrainingJobStatus.accepted(object, ApiRefusals.words(e), clock.instant()));
            }
            throw e;
        } finally {
            if (!started && executor != null) {
                executor.close();
            }
        }
    }

    private Optional<Driven> refuse(CustomObject object, RuntimeException why) {
        String name = object.kind() + " \"" + object.name() + "\": ";
        String text = String.valueOf(why.getMessage())
                .lines()
                .map(line -> line.startsWith(name) ? line.substring(name.length()) : line)
                .collect(Collectors.joining("; "));
        context.countFailure(FailureCategory.INVALID);
        context.status(object, TrainingJobStatus.refused(object, "invalid job spec: " + text, clock.instant()));
        over = true;
        return Optional.empty();
    }

    @Override
    public void close() {
        context.release();
        Driven driving = driven;
        if (driving != null) {
            driving.close();
            driven = null;
        }
    }
}
