package dev.edl.operators.controller;

import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.InvalidResourceException;
import dev.edl.operators.crd.et.ScaleOrder;
import dev.edl.operators.crd.et.ScalePhase;
import dev.edl.operators.crd.et.ScaleRequests;
import dev.edl.operators.crd.et.ScaleState;
import dev.edl.operators.crd.et.Scaler;
import dev.edl.operators.crd.et.ScalerStatus;
import dev.edl.operators.crd.et.ScalingRequestSource;
import dev.edl.plan.JobPlan;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Source of a TrainingJob's scaling requests: its ScaleIns and ScaleOuts in the cluster, oldest first and one at a
 * time. Persists the progress of each in its status.
 */
final class TrainingJobScalingRequests implements ScalingRequestSource {
    private final ObjectDriverContext context;
    private final JobPlan plan;
    private final InstantSource clock;
    private final Consumer<Scaler> shown;
    /** State last written for each request, by the request's uid. The watch may not have returned it yet. */
    private final Map<String, ScaleState> written = new HashMap<>();

    private final Map<String, CustomObject> objects = new HashMap<>();
    private @Nullable Scaler current;

    /**
     * Creates the source of one job's requests.
     *
     * @param shown receives each request whose progress changed, to show it in the TrainingJob's status
     */
    TrainingJobScalingRequests(ObjectDriverContext context, JobPlan plan, InstantSource clock, Consumer<Scaler> shown) {
        this.context = context;
        this.plan = plan;
        this.clock = clock;
        this.shown = shown;
    }

    @Override
    public Optional<Scaler> next(Instant now) {
        List<Scaler> scalers = new ArrayList<>();
        objects.clear();
        for (ScalingRequestKind kind : ScalingRequestKind.values()) {
            for (CustomObject object : context.all(kind.word())) {
                scaler(object).ifPresent(scaler -> {
                    scalers.add(scaler);
                    objects.put(scaler.id(), object);
                });
            }
        }
        Scaler begun = current;
        if (begun != null && !objects.containsKey(begun.id())) {
            // Its object was deleted; the hosts are the running workers again.
            current = null;
            shown.accept(begun.with(new ScaleState(
                    ScalePhase.FAILED, begun.state().since(), begun.state().pods(), "it was deleted")));
        }
        written.keySet()
                .retainAll(
                        objects.values().stream().map(ObjectDriverContext::uid).toList());
        return ScaleOrder.OLDEST_FIRST.next(plan, scalers);
    }

    /**
     * Returns the request in a ScaleIn or ScaleOut, with its progress. Empty when {@link ScalerDriver} has not accepted
     * it yet, or the object is invalid.
     */
    private Optional<Scaler> scaler(CustomObject object) {
        if (!ScalerStatus.taken(object)) {
            return Optional.empty();
        }
        try {
            ScaleState state = written.getOrDefault(ObjectDriverContext.uid(object), ScalerStatus.read(object));
            return Optional.of(new Scaler(
                            object.name(),
                            ScalerStatus.created(object),
                            ScaleRequests.read(object).request())
                    .with(state));
        } catch (InvalidResourceException e) {
            // The request's own driver reports this in its status.
            return Optional.empty();
        }
    }

    @Override
    public void keep(Scaler scaler) {
        boolean ended = scaler.state().phase().ended();
        if (ended) {
            // Reported before the status is written. If a controller takes over in between, it ends the request again;
            // in the other order it would miss the end.
            shown.accept(scaler);
        }
        write(scaler, ScalerStatus.of(object(scaler), scaler, clock.instant()));
        written.put(ObjectDriverContext.uid(object(scaler)), scaler.state());
        current = ended ? null : scaler;
        if (!ended) {
            shown.accept(scaler);
        }
    }

    @Override
    public void hostsWritten(Scaler scaler, String hosts) {
        write(scaler, ScalerStatus.executed(object(scaler), hosts, clock.instant()));
    }

    private CustomObject object(Scaler scaler) {
        CustomObject object = objects.get(scaler.id());
        if (object == null) {
            throw new IllegalStateException(scaler.id() + " is not known");
        }
        return object;
    }

    private void write(Scaler scaler, Map<String, Object> status) {
        CustomObject before = object(scaler);
        context.of(before).status(before, status);
        Map<String, Object> after = new HashMap<>(before.fields());
        after.put("status", status);
        objects.put(scaler.id(), CustomObject.of(after));
    }
}
