package dev.edl.operators.controller;

import dev.edl.InvalidJobException;
import dev.edl.Job;
import dev.edl.exec.Subscription;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.render.RenderException;
import dev.edl.operators.controller.internal.ApiRefusals;
import dev.edl.operators.controller.internal.FailureCategory;
import dev.edl.operators.controller.internal.JobAnnotations;
import dev.edl.operators.controller.internal.LegacyRunIds;
import dev.edl.operators.controller.internal.LoopRestartBackoff;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.InvalidResourceException;
import dev.edl.operators.crd.JobReadResult;
import dev.edl.plan.JobPlan;
import dev.edl.plan.PlanException;
import dev.edl.reconcile.JobState;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Driver of a custom object that is a job: runs the job and writes its status. */
final class JobDriver implements ObjectDriver {
    private static final Logger LOG = System.getLogger(Controller.class.getName());
    private static final Duration SOON = Duration.ofSeconds(1);
    /** Delay to the next reconcile pass of a job whose requests the API server rejects. */
    static final Duration TROUBLED = Duration.ofSeconds(10);

    private final JobKind kind;
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
    /**
     * Delay until the time to live of an ended job is over, if only its object is left; empty if the object is not
     * checked again.
     */
    private Optional<Duration> expires = Optional.empty();

    /** Job that this controller drives, with the executor and event subscription to close with it. */
    private record DrivenJob(KubernetesExecutor executor, KubernetesRun run, Subscription events)
            implements AutoCloseable {
        @Override
        public void close() {
            events.close();
            executor.close();
        }
    }

    /** Job that an object specifies: the object's spec with defaults, and the job's plan and pod options. */
    private record DesiredJob(Map<String, Object> spec, JobPlan plan, PodOptions options) {}

    JobDriver(JobKind kind, ObjectDriverContext context) {
        this.kind = kind;
        this.context = context;
    }

    @Override
    public Optional<Duration> reconcile(CustomObject now) {
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
            Optional<DrivenJob> started = kind.ended(now) ? cleanUp(now) : start(now);
            if (started.isEmpty()) {
                over = expires.isEmpty();
                return expires;
            }
            driving = started.get();
            driven = driving;
        }
        return follow(now, driving.run());
    }

    private Optional<Duration> follow(CustomObject now, KubernetesRun run) {
        // Read before the state: the state of a finished run is its last one, so the cleanup matches the status.
        boolean finished = run.finished();
        JobState state = run.state();
        String trouble =
                state.phase().ended() ? "" : ApiRefusals.describe(run.status().requestFailures());
        if (!told) {
            Map<String, Object> status = new HashMap<>(kind.status(run.plan(), state));
            if (!trouble.isEmpty()) {
                status.put("reason", trouble);
            }
            context.status(now, status);
        }
        if (!state.phase().ended()) {
            // The run may be lost before its events had a listener. No event reports that a rejected replica is no
            // longer wanted.
            return run.lost()
                    ? Optional.of(Duration.ZERO)
                    : Optional.of(TROUBLED).filter(pause -> !trouble.isEmpty());
        }
        if (!finished) {
            return Optional.of(SOON);
        }
        boolean expired = state.collected();
        close();
        if (expired) {
            context.delete();
        }
        over = true;
        return Optional.empty();
    }

    /**
     * Resumes the cleanup of a job whose status has an end. Cancels the run if the job's record lacks the end, and
     * deletes the object if its time to live is over. Returns empty when there is no run to follow; {@link #expires} is
     * then the delay to the next check.
     */
    private Optional<DrivenJob> cleanUp(CustomObject object) {
        expires = Optional.empty();
        if (!"Done".equals(map(object, "status").get("phase"))) {
            return Optional.empty();
        }
        try {
            if (!JobAnnotations.of(object).outliveTheEnd()) {
                return Optional.empty();
            }
            DesiredJob desired = asked(object);
            told = true;
            return Optional.of(drive(desired, CreationDigest.of(object), executor -> {
                KubernetesRun run = executor.attach(desired.plan());
                if (!run.state().phase().ended()) {
                    // The status has the end, but its record does not.
                    run.cancel();
                }
                return run;
            }));
        } catch (InvalidResourceException | InvalidJobException | PlanException | RenderException e) {
            // The resource that the job was read from has changed since.
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            if (context.hasRecord(object.name())) {
                // The record is unreadable or of another job. The ended pods and their logs stay for inspection.
                LOG.log(
                        Level.WARNING,
                        object.kind() + " " + object.namespace() + "/" + object.name() + " has ended; left unchanged: "
                                + e.getMessage());
            } else {
                // There is no record. Either the job has expired, and the previous controller deleted the record but
                // not the object. Or another program deleted the record before the ttl had passed.
                expires = JobAnnotations.of(object)
                        .ttl()
                        .map(ttl -> Duration.between(
                                clock.instant(), created(object).plus(ttl)))
                        .filter(left -> !left.isNegative());
                if (expires.isEmpty() && JobAnnotations.of(object).ttl().isPresent()) {
                    context.delete();
                }
            }
            return Optional.empty();
        }
    }

    /**
     * Starts the job, or attaches to it if it was started before. If the object cannot be a job, writes the reason into
     * its status and returns empty.
     */
    private Optional<DrivenJob> start(CustomObject object) {
        try {
            DesiredJob desired = asked(object);
            context.admit(desired.plan());
            context.spec(object, desired.spec());
            if (map(object, "status").getOrDefault("phase", "").equals("")) {
                context.status(object, kind.accepted(""));
            }
            String digest = CreationDigest.noted(context, object, desired.plan());
            return Optional.of(drive(desired, digest, executor -> executor.ensure(desired.plan())));
        } catch (InvalidResourceException | InvalidJobException | PlanException | RenderException e) {
            context.countFailure(FailureCategory.INVALID);
            context.status(object, kind.refused("invalid job spec: " + text(object, e)));
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            // Another job has the name; its deletion may be in progress.
            context.status(object, kind.accepted(String.valueOf(e.getMessage())));
            throw e;
        } catch (KubernetesClientException e) {
            // A job that has begun has a more informative status.
            if (ApiRefusals.lasts(e) && unbegun(object)) {
                context.status(object, kind.accepted(ApiRefusals.describe(e)));
            }
            throw e;
        }
    }

    private boolean unbegun(CustomObject object) {
        Object phase = map(object, "status").getOrDefault("phase", "");
        return phase.equals("") || phase.equals(kind.accepted("").get("phase"));
    }

    private static Instant created(CustomObject object) {
        return Instant.parse(String.valueOf(map(object, "metadata").get("creationTimestamp")));
    }

    private DesiredJob asked(CustomObject given) {
        CustomObject object = kind.completed(
                given, LegacyRunIds.of(String.valueOf(map(given, "metadata").get("uid"))));
        JobReadResult result = kind.read(object);
        Job job = JobAnnotations.of(object).onto(kind.ruled(result.job()));
        PodOptions options = kind.options(result.options().toBuilder())
                .owner(object.toKubernetes())
                .build();
        return new DesiredJob(map(object, "spec"), job.plan(kind.profile()), options);
    }

    private DrivenJob drive(DesiredJob desired, String digest, Function<KubernetesExecutor, KubernetesRun> how) {
        KubernetesExecutor executor = context.executor(desired.options(), digest);
        boolean started = false;
        try {
            KubernetesRun run = how.apply(executor);
            DrivenJob now = new DrivenJob(executor, run, run.onEvent(event -> context.wake()));
            started = true;
            return now;
        } finally {
            if (!started) {
                executor.close();
            }
        }
    }

    /**
     * Returns an exception's message on one line without the object's kind and name, which a reader of the object's
     * status knows.
     */
    private static String text(CustomObject object, RuntimeException why) {
        String name = object.kind() + " \"" + object.name() + "\": ";
        return String.valueOf(why.getMessage())
                .lines()
                .map(line -> line.startsWith(name) ? line.substring(name.length()) : line)
                .collect(Collectors.joining("; "));
    }

    @SuppressWarnings("unchecked") // Keys of plain data are strings.
    private static Map<String, Object> map(CustomObject object, String key) {
        return object.fields().get(key) instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
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
