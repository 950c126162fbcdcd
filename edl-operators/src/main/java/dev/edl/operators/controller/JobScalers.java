package dev.edl.operators.controller;

import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.InvalidResourceException;
import dev.edl.operators.crd.et.ScaleOrder;
import dev.edl.operators.crd.et.ScalePhase;
import dev.edl.operators.crd.et.ScaleRequests;
import dev.edl.operators.crd.et.ScaleState;
import dev.edl.operators.crd.et.Scaler;
import dev.edl.operators.crd.et.ScalerSource;
import dev.edl.operators.crd.et.ScalerStatus;
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

/** The ScaleIns and ScaleOuts of a TrainingJob: the oldest first, one at a time; their status keeps how far they are. */
final class JobScalers implements ScalerSource {
    private final ObjectContext context;
    private final JobPlan plan;
    private final InstantSource clock;
    private final Consumer<Scaler> shown;
    /** What was written a moment ago, and may not have come back yet; by uid. */
    private final Map<String, ScaleState> written = new HashMap<>();

    private final Map<String, CustomObject> objects = new HashMap<>();
    private @Nullable Scaler current;

    /**
     * The requests of a job.
     *
     * @param shown is told how far a request is
     */
    JobScalers(ObjectContext context, JobPlan plan, InstantSource clock, Consumer<Scaler> shown) {
        this.context = context;
        this.plan = plan;
        this.clock = clock;
        this.shown = shown;
    }

    @Override
    public Optional<Scaler> next(Instant now) {
        List<Scaler> scalers = new ArrayList<>();
        objects.clear();
        for (ScalerKind kind : ScalerKind.values()) {
            for (CustomObject object : context.all(kind.word())) {
                scaler(object).ifPresent(scaler -> {
                    scalers.add(scaler);
                    objects.put(scaler.id(), object);
                });
            }
        }
        Scaler begun = current;
        if (begun != null && !objects.containsKey(begun.id())) {
            // Its object was deleted; the hosts are those that run again.
            current = null;
            shown.accept(begun.with(new ScaleState(
                    ScalePhase.FAILED, begun.state().since(), begun.state().pods(), "it was deleted")));
        }
        written.keySet()
                .retainAll(objects.values().stream().map(ObjectContext::uid).toList());
        return ScaleOrder.OLDEST_FIRST.next(plan, scalers);
    }

    /** Empty for what its own driver has not taken on, or has refused. */
    private Optional<Scaler> scaler(CustomObject object) {
        if (!ScalerStatus.taken(object)) {
            return Optional.empty();
        }
        try {
            ScaleState state = written.getOrDefault(ObjectContext.uid(object), ScalerStatus.read(object));
            return Optional.of(new Scaler(
                            object.name(),
                            ScalerStatus.created(object),
                            ScaleRequests.read(object).request())
                    .with(state));
        } catch (InvalidResourceException e) {
            // Its own driver says so in its status.
            return Optional.empty();
        }
    }

    @Override
    public void keep(Scaler scaler) {
        boolean ended = scaler.state().phase().ended();
        if (ended) {
            // Shown before the status is written. A controller that takes over in between ends the request again; one
            // that takes over later would not show a request that has ended.
            shown.accept(scaler);
        }
        write(scaler, ScalerStatus.of(object(scaler), scaler, clock.instant()));
        written.put(ObjectContext.uid(object(scaler)), scaler.state());
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
