package dev.edl.operators.controller;

import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.InvalidResourceException;
import dev.edl.operators.crd.et.ScaleRequest;
import dev.edl.operators.crd.et.ScaleRequests;
import dev.edl.operators.crd.et.ScalerStatus;
import dev.edl.operators.crd.et.TrainingJobStatuses;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Driver of a ScaleIn or ScaleOut. It finds the TrainingJob, makes it the owner, and rejects invalid requests; the
 * driver of the TrainingJob carries accepted requests out.
 */
final class ScalerDriver implements ObjectDriver {
    private static final Duration SOON = Duration.ofMillis(200);

    private final ObjectDriverContext context;
    private final InstantSource clock;

    ScalerDriver(ObjectDriverContext context, InstantSource clock) {
        this.context = context;
        this.clock = clock;
    }

    @Override
    public Optional<Duration> reconcile(CustomObject now) {
        if (ScalerStatus.read(now).phase().ended()) {
            return Optional.empty();
        }
        Instant at = clock.instant();
        ScaleRequest request;
        try {
            request = ScaleRequests.read(now).request();
        } catch (InvalidResourceException e) {
            return refuse(now, text(now, e), at);
        }
        Optional<CustomObject> job = context.find(TrainingJobKind.KIND, request.job());
        if (job.isEmpty()) {
            // A controller that has just started may list the request before its job.
            return context.knows(TrainingJobKind.KIND) ? unmatched(now, request, at) : Optional.of(SOON);
        }
        if (TrainingJobStatuses.ended(job.get())) {
            return refuse(now, "TrainingJob " + request.job() + " has ended", at);
        }
        if (!ScalerStatus.taken(now)) {
            context.setOwner(job.get());
            context.status(now, ScalerStatus.created(now, "", at));
        }
        context.wake(TrainingJobKind.KIND, request.job());
        return Optional.empty();
    }

    /**
     * Handles a request whose job does not exist. Waits for the job, which may be created at the same time; after the
     * request's timeout, rejects the request.
     */
    private Optional<Duration> unmatched(CustomObject now, ScaleRequest request, Instant at) {
        Instant late = ScalerStatus.created(now).plus(request.timeout());
        String why = ".spec.selector.name must name a TrainingJob of namespace " + now.namespace() + ", \""
                + request.job() + "\" does not exist";
        if (!at.isBefore(late)) {
            return refuse(now, why, at);
        }
        context.status(now, ScalerStatus.waits(now, why + "; waiting for it until " + late, at));
        return Optional.of(
                Duration.between(at, late).compareTo(Duration.ofSeconds(1)) > 0
                        ? Duration.ofSeconds(1)
                        : Duration.between(at, late));
    }

    private Optional<Duration> refuse(CustomObject now, String why, Instant at) {
        context.status(now, ScalerStatus.refused(now, why, at));
        return Optional.empty();
    }

    private static String text(CustomObject object, InvalidResourceException why) {
        String name = object.kind() + " \"" + object.name() + "\": ";
        return String.valueOf(why.getMessage())
                .lines()
                .map(line -> line.startsWith(name) ? line.substring(name.length()) : line)
                .collect(Collectors.joining("; "));
    }

    @Override
    public void close() {}
}
