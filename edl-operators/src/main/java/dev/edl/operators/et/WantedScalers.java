package dev.edl.operators.et;

import dev.edl.RoleType;
import dev.edl.operators.crd.et.ScalePhase;
import dev.edl.operators.crd.et.ScaleRequest;
import dev.edl.operators.crd.et.Scaler;
import dev.edl.operators.crd.et.ScalerSource;
import dev.edl.plan.JobPlan;
import dev.edl.reconcile.JobState;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Requests made of the number of workers that somebody wants: one after the other, until there are as many, or until one has
 * failed. Thread-safe.
 */
final class WantedScalers implements ScalerSource {
    /** The limit of what is wanted, where that is not what the request that is kept beside it was made for. */
    private static final String NEWER = "newer";

    private final JobPlan plan;
    private final Supplier<JobState> state;
    private final KubernetesSerialization json;
    private final Supplier<Optional<String>> kept;
    private final Consumer<String> journal;
    private boolean resumed;
    private boolean closed;
    private @Nullable Scaler current;
    private @Nullable Integer wanted;
    /** How often somebody has said how many there are to be. */
    private int wishes;
    /** Of these, the one that the current request follows. */
    private int followed;
    /** Whether the last wish is kept. */
    private boolean safe = true;
    /** Whether a wish is kept alone, without a request. */
    private boolean alone;

    private Duration timeout = Duration.ofSeconds(60);

    /**
     * The requests of a job.
     *
     * @param state what is known of the job
     * @param kept what another program kept of them
     * @param journal keeps it
     */
    WantedScalers(
            JobPlan plan,
            Supplier<JobState> state,
            KubernetesSerialization json,
            Supplier<Optional<String>> kept,
            Consumer<String> journal) {
        this.plan = plan;
        this.state = state;
        this.json = json;
        this.kept = kept;
        this.journal = journal;
    }

    private void resume() {
        if (!resumed) {
            kept.get().ifPresent(this::resume);
            resumed = true;
        }
    }

    /** Goes on with what another program began. */
    private void resume(String was) {
        Map<?, ?> text = json.unmarshal(was, Map.class);
        if (!text.containsKey("timeout")) {
            return;
        }
        Duration within = timeout;
        timeout = Duration.parse(KeptScaler.text(text, "timeout"));
        current = KeptScaler.read(text, this::request).orElse(null);
        followed = text.containsKey(NEWER) ? -1 : 0;
        alone = current == null;
        if (wanted == null) {
            wanted = KeptScaler.number(text, "wanted");
            if (text.containsKey(NEWER)) {
                timeout = Duration.parse(KeptScaler.text(text, NEWER));
            }
        } else {
            // Asked for since; it comes after what was begun.
            timeout = within;
        }
    }

    /** From now on there are to be so many workers; whether that was taken, and not too late. */
    synchronized boolean want(int workers, Duration within) {
        if (closed) {
            return false;
        }
        wanted = workers;
        timeout = within;
        wishes++;
        safe = false;
        return true;
    }

    /** Takes no wish any more, and keeps one that no request follows yet, for whoever goes on with the job. */
    synchronized void close() {
        closed = true;
        if (!safe) {
            resume();
            Scaler begun = current;
            journal.accept(json.asJson(begun == null ? wish() : text(begun)));
            safe = true;
        }
    }

    @Override
    public synchronized Optional<Scaler> next(Instant now) {
        resume();
        if (current == null && wanted != null) {
            int change = wanted - EtMembers.of(state.get(), RoleType.WORKER).size();
            if (change == 0) {
                if (alone) {
                    journal.accept("{}");
                    alone = false;
                }
                wanted = null;
                safe = true;
            } else {
                followed = wishes;
                current = new Scaler("scale-" + now.toEpochMilli(), now, request(change));
            }
        }
        return Optional.ofNullable(current);
    }

    private ScaleRequest request(int change) {
        ScaleRequest request =
                change > 0 ? ScaleRequest.out(plan.name(), change) : ScaleRequest.in(plan.name(), -change);
        return request.namespace(plan.namespace()).timeout(timeout);
    }

    @Override
    public synchronized void keep(Scaler scaler) {
        boolean ended = scaler.state().phase().ended();
        boolean newer = followed != wishes;
        journal.accept(json.asJson(!ended ? text(scaler) : newer ? wish() : Map.of()));
        alone = ended && newer;
        safe = true;
        current = ended ? null : scaler;
        // A wish that came after the request was made is followed by the next one.
        if (scaler.state().phase() == ScalePhase.FAILED && !newer) {
            wanted = null;
        }
    }

    private Map<String, Object> wish() {
        Map<String, Object> text = new LinkedHashMap<>();
        Integer workers = wanted;
        if (workers != null) {
            text.put("wanted", workers);
            text.put("timeout", timeout.toString());
        }
        return text;
    }

    private Map<String, Object> text(Scaler scaler) {
        Map<String, Object> text = KeptScaler.text(scaler);
        text.put("wanted", wanted == null ? 0 : wanted);
        if (followed != wishes) {
            text.put(NEWER, timeout.toString());
        }
        return text;
    }
}
