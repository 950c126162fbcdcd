package dev.edl.operators.et;

import dev.edl.operators.crd.et.ScalePhase;
import dev.edl.operators.crd.et.ScaleRequest;
import dev.edl.operators.crd.et.Scaler;
import dev.edl.operators.crd.et.ScalingRequestSource;
import dev.edl.plan.JobPlan;
import dev.edl.reconcile.JobState;
import dev.edl.spec.RoleType;
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
 * Source of scaling requests that bring a job to a user's target number of workers. It makes one request after the
 * other, until the job has that number or a request has failed. Thread-safe.
 */
final class TargetSizeScalingRequests implements ScalingRequestSource {
    /**
     * JSON key of the latest target's timeout; only present if the request in the same JSON was made for an earlier
     * target.
     */
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
    /** How many targets users have set so far; also the sequence number of the latest target. */
    private int wishes;
    /** Sequence number of the target for which the current request was made. */
    private int followed;
    /** Whether the latest target needs no write at close, because it is persisted or reached. */
    private boolean safe = true;
    /** Whether the persisted state is a target without a request. */
    private boolean alone;

    private Duration timeout = Duration.ofSeconds(60);

    /**
     * Creates the source of requests of a job.
     *
     * @param state supplies the job's latest state
     * @param kept supplies the JSON text that the previous driver persisted; empty when there is none
     * @param journal persists this class's state as such a text
     */
    TargetSizeScalingRequests(
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

    /** Resumes the request and the target that the previous driver persisted. */
    private void resume(String was) {
        Map<?, ?> text = json.unmarshal(was, Map.class);
        if (!text.containsKey("timeout")) {
            return;
        }
        Duration within = timeout;
        timeout = Duration.parse(ScalerJson.text(text, "timeout"));
        current = ScalerJson.read(text, this::request).orElse(null);
        followed = text.containsKey(NEWER) ? -1 : 0;
        alone = current == null;
        if (wanted == null) {
            wanted = ScalerJson.number(text, "wanted");
            if (text.containsKey(NEWER)) {
                timeout = Duration.parse(ScalerJson.text(text, NEWER));
            }
        } else {
            // A newer target, which follows the started request.
            timeout = within;
        }
    }

    /**
     * Sets the target number of workers and the timeout of its requests; returns false, and changes nothing, once
     * closed.
     */
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

    /**
     * Rejects further targets from now on. Persists the latest target for the job's next driver, unless it is already
     * persisted.
     */
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
            int change =
                    wanted - DesiredWorkers.of(state.get(), RoleType.WORKER).size();
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
        // The next request follows a target that was set after this request was made.
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
        Map<String, Object> text = ScalerJson.text(scaler);
        text.put("wanted", wanted == null ? 0 : wanted);
        if (followed != wishes) {
            text.put(NEWER, timeout.toString());
        }
        return text;
    }
}
