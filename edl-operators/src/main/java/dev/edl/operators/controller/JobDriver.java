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
import dev.edl.operators.controller.internal.LoopRetry;
import dev.edl.operators.controller.internal.RuntimeIds;
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

/** Looks after one object that is a job: drives the job, and writes how it stands. */
final class JobDriver implements ObjectDriver {
    private static final Logger LOG = System.getLogger(Controller.class.getName());
    private static final Duration SOON = Duration.ofSeconds(1);
    /** When to look again at a job of which requests are refused. */
    static final Duration TROUBLED = Duration.ofSeconds(10);

    private final JobKind kind;
    private final ObjectContext context;
    private final InstantSource clock = InstantSource.system();
    private final LoopRetry retry = new LoopRetry(System.nanoTime());
    private @Nullable Driven driven;
    private boolean over;
    /** Whether the status said how the job ended before it was gone on with here. */
    private boolean told;
    /** When to look again at one that has ended, and of which nothing is left but itself. */
    private Optional<Duration> expires = Optional.empty();

    /** A job that is driven from here. */
    private record Driven(KubernetesExecutor executor, KubernetesRun run, Subscription events)
            implements AutoCloseable {
        @Override
        public void close() {
            events.close();
            executor.close();
        }
    }

    /** What an object asks for. */
    private record DesiredJob(Map<String, Object> spec, JobPlan plan, PodOptions options) {}

    JobDriver(JobKind kind, ObjectContext context) {
        this.kind = kind;
        this.context = context;
    }

    @Override
    public Optional<Duration> reconcile(CustomObject now) {
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
            Optional<Driven> started = kind.ended(now) ? cleanUp(now) : start(now);
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
        // Read once, and after whether it is the last one: what is done here follows from what the status says.
        boolean finished = run.finished();
        JobState state = run.state();
        String trouble =
                state.phase().ended() ? "" : ApiRefusals.words(run.status().requestFailures());
        if (!told) {
            Map<String, Object> status = new HashMap<>(kind.status(run.plan(), state));
            if (!trouble.isEmpty()) {
                status.put("reason", trouble);
            }
            context.status(now, status);
        }
        if (!state.phase().ended()) {
            // Perhaps lost before its events were listened to. No event tells that a refused replica is not wanted any
            // more.
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
     * What has ended is not run again, whatever became of its record and its pods. Something may be left to do for it, all the same;
     * empty when there is not.
     */
    private Optional<Driven> cleanUp(CustomObject object) {
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
                    // That it ended is said, and could not be kept.
                    run.cancel();
                }
                return run;
            }));
        } catch (InvalidResourceException | InvalidJobException | PlanException | RenderException e) {
            // The resource that the job was read from has changed since.
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            if (context.hasRecord(object.name())) {
                // The record cannot be read, or is another job's. The ended pods stay, with their logs, for a person.
                LOG.log(
                        Level.WARNING,
                        object.kind() + " " + object.namespace() + "/" + object.name()
                                + " has ended and is left as it is: " + e.getMessage());
            } else {
                // There is no record. Either the job has expired, and the controller before this one deleted the record
                // but not the object. Or another program deleted the record before the ttl was over.
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

    /** Empty when the object can be no job, which its status says then. */
    private Optional<Driven> start(CustomObject object) {
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
            // The name is another job's, perhaps one that is on its way out.
            context.status(object, kind.accepted(String.valueOf(e.getMessage())));
            throw e;
        } catch (KubernetesClientException e) {
            // Of one that was begun, its status says more.
            if (ApiRefusals.lasts(e) && unbegun(object)) {
                context.status(object, kind.accepted(ApiRefusals.words(e)));
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
                given, RuntimeIds.of(String.valueOf(map(given, "metadata").get("uid"))));
        JobReadResult result = kind.read(object);
        Job job = JobAnnotations.of(object).onto(kind.ruled(result.job()));
        PodOptions options = kind.options(result.options().toBuilder())
                .owner(object.toKubernetes())
                .build();
        return new DesiredJob(map(object, "spec"), job.plan(kind.profile()), options);
    }

    private Driven drive(DesiredJob desired, String digest, Function<KubernetesExecutor, KubernetesRun> how) {
        KubernetesExecutor executor = context.executor(desired.options(), digest);
        boolean started = false;
        try {
            KubernetesRun run = how.apply(executor);
            Driven now = new Driven(executor, run, run.onEvent(event -> context.wake()));
            started = true;
            return now;
        } finally {
            if (!started) {
                executor.close();
            }
        }
    }

    /** Without the object's name, which its reader knows. */
    private static String text(CustomObject object, RuntimeException why) {
        String name = object.kind() + " \"" + object.name() + "\": ";
        return String.valueOf(why.getMessage())
                .lines()
                .map(line -> line.startsWith(name) ? line.substring(name.length()) : line)
                .collect(Collectors.joining("; "));
    }

    @SuppressWarnings("unchecked") // plain data has texts as keys
    private static Map<String, Object> map(CustomObject object, String key) {
        return object.fields().get(key) instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
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
