package dev.edl.operators.et;

import dev.edl.operators.crd.et.ScalePhase;
import dev.edl.operators.crd.et.ScaleRequest;
import dev.edl.operators.crd.et.Scaler;
import dev.edl.operators.crd.et.ScalingRequestSource;
import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import dev.edl.reconcile.JobState;
import dev.edl.spec.RoleType;
import dev.edl.status.NodeNotice;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Source of scaling requests that move the workers of an elastic Horovod job off nodes that are about to be taken away,
 * in et-operator's order. It scales in the workers of one node, then scales out by the same number, so that new workers
 * start on other nodes. Then it continues with the next node. The number of workers never falls below the elastic
 * minimum: a job at its minimum is scaled out first, up to its maximum.
 *
 * <p>A started request ends before another begins. Otherwise, users' requests precede requests of this class. A request
 * that fails is retried after {@link #PAUSE}. Thread-safe.
 */
final class NodeDrainScalingRequests implements ScalingRequestSource {
    static final Duration LIMIT = Duration.ofSeconds(60);
    /** Delay before a failed request is retried. */
    static final Duration PAUSE = Duration.ofSeconds(30);

    private final JobPlan plan;
    private final RolePlan role;
    private final Supplier<JobState> state;
    private final Supplier<Map<String, NodeNotice>> noticed;
    private final KubernetesSerialization json;
    private final Supplier<Optional<String>> kept;
    private final Consumer<String> journal;
    private final Consumer<String> tell;
    private final Set<String> told = new HashSet<>();
    /** Messages that the next call of {@link #next} reports. */
    private final List<String> news = new ArrayList<>();

    private ScalingRequestSource others;
    private boolean resumed;
    private @Nullable Scaler current;
    /** Number of workers that the job should have after the moves; null while no worker has to leave a node. */
    private @Nullable Integer target;
    /** Whether the persisted state has a target. */
    private boolean noted;
    /** Whether a user has set the number of workers since this program took the job over. */
    private boolean forgotten;

    private Instant notBefore = Instant.MIN;

    /**
     * Creates the source of requests of a job.
     *
     * @param others source of the users' requests
     * @param state supplies the job's latest state
     * @param noticed supplies the notice of each worker whose node is about to be taken away, by the worker's name
     * @param kept supplies the JSON text that the previous driver persisted; empty when there is none
     * @param journal persists this class's state as such a text
     * @param tell receives a message for people about each step and its reason
     */
    NodeDrainScalingRequests(
            JobPlan plan,
            ScalingRequestSource others,
            Supplier<JobState> state,
            Supplier<Map<String, NodeNotice>> noticed,
            KubernetesSerialization json,
            Supplier<Optional<String>> kept,
            Consumer<String> journal,
            Consumer<String> tell) {
        this.plan = plan;
        this.role = plan.role(RoleType.WORKER.id());
        this.others = others;
        this.state = state;
        this.noticed = noticed;
        this.json = json;
        this.kept = kept;
        this.journal = journal;
        this.tell = tell;
    }

    /** Replaces the source of the users' requests. */
    synchronized void over(ScalingRequestSource source) {
        others = source;
    }

    /**
     * Drops the target, because a user has set the number of workers: workers that have left nodes are then not
     * replaced.
     */
    synchronized void forget() {
        target = null;
        forgotten = true;
    }

    /** Removes a dropped target from the persisted state, so that the job's next driver does not follow it. */
    synchronized void close() {
        if (forgotten) {
            resume();
        }
        takeBack();
    }

    private void takeBack() {
        if (noted && target == null) {
            Scaler own = current;
            journal.accept(own == null ? "{}" : json.asJson(ScalerJson.text(own)));
            noted = false;
        }
    }

    @Override
    public Optional<Scaler> next(Instant now) {
        List<String> said;
        Optional<Scaler> next;
        synchronized (this) {
            next = find(now);
            takeBack();
            said = List.copyOf(news);
            news.clear();
        }
        // Outside the lock: a listener may make a request, and may wait for another thread that does.
        said.forEach(tell);
        return next;
    }

    private Optional<Scaler> find(Instant now) {
        resume();
        if (current != null) {
            return Optional.of(current);
        }
        Optional<Scaler> asked = others.next(now);
        if (asked.isPresent()) {
            return asked;
        }
        current = own(now).map(request -> scaler(now, request)).orElse(null);
        return Optional.ofNullable(current);
    }

    private void resume() {
        if (!resumed) {
            kept.get().map(text -> json.unmarshal(text, Map.class)).ifPresent(this::resume);
            resumed = true;
        }
    }

    private void resume(Map<?, ?> was) {
        current = ScalerJson.read(was, this::request).orElse(null);
        noted = was.containsKey("target");
        target = noted && !forgotten ? (Integer) ScalerJson.number(was, "target") : null;
    }

    private static Scaler scaler(Instant now, ScaleRequest request) {
        return new Scaler("leave-" + now.toEpochMilli(), now, request);
    }

    private ScaleRequest request(int change) {
        return of(change > 0 ? ScaleRequest.out(plan.name(), change) : ScaleRequest.in(plan.name(), -change));
    }

    private ScaleRequest of(ScaleRequest request) {
        return request.namespace(plan.namespace()).timeout(LIMIT);
    }

    private Optional<ScaleRequest> own(Instant now) {
        SortedSet<Integer> members = DesiredWorkers.of(state.get(), RoleType.WORKER);
        Map<String, NodeNotice> going = new LinkedHashMap<>(noticed.get());
        going.keySet().removeIf(name -> !members.contains(DesiredWorkers.id(name)));
        told.retainAll(going.values().stream().map(NodeNotice::toString).toList());
        if (target == null && !going.isEmpty()) {
            target = members.size();
        }
        if (target == null) {
            return Optional.empty();
        }
        if (!role.elastic()) {
            tell(going.values(), "its workers stay for now, because the job is not elastic");
            return Optional.empty();
        }
        int owed = target - members.size();
        boolean again = !now.isBefore(notBefore);
        if (owed > 0 && again) {
            return Optional.of(request(owed));
        }
        if (going.isEmpty()) {
            if (owed == 0) {
                target = null;
            }
            // The node stays, so its workers need no replacements.
            return owed < 0 && again ? Optional.of(request(owed)) : Optional.empty();
        }
        return again || owed > 0 ? leave(going, members.size(), owed) : Optional.empty();
    }

    private Optional<ScaleRequest> leave(Map<String, NodeNotice> going, int members, int owed) {
        NodeNotice notice = going.values().iterator().next();
        List<String> names = going.entrySet().stream()
                .filter(worker -> worker.getValue().node().equals(notice.node()))
                .map(Map.Entry::getKey)
                .toList();
        int spare = members - role.bounds().min();
        if (spare > 0) {
            List<String> leavers = names.subList(0, Math.min(spare, names.size()));
            news.add(notice + ": " + String.join(", ", leavers) + " leave" + (leavers.size() == 1 ? "s" : "")
                    + " the launcher's hosts and then the job, and as many workers are added");
            return Optional.of(of(ScaleRequest.in(plan.name(), leavers)));
        }
        int room = Math.min(role.bounds().max() - members, names.size());
        if (room > 0 && owed == 0) {
            news.add(notice + ": " + room + (room == 1 ? " worker is" : " workers are")
                    + " added first, as the job has no more than its minimum of " + members);
            return Optional.of(request(room));
        }
        tell(List.of(notice), "its workers stay for now, as the job has no more than its minimum of " + members);
        return Optional.empty();
    }

    /** Adds a message for each notice that has no message yet. */
    private void tell(Iterable<NodeNotice> notices, String what) {
        for (NodeNotice notice : notices) {
            if (told.add(notice.toString())) {
                news.add(notice + ": " + what);
            }
        }
    }

    @Override
    public synchronized void keep(Scaler scaler) {
        ScalePhase phase = scaler.state().phase();
        Scaler own = current;
        if (own == null || !own.name().equals(scaler.name())) {
            others.keep(scaler);
            if (target != null && phase == ScalePhase.SUCCEEDED) {
                target += scaler.request().change();
                journal.accept(json.asJson(Map.of("target", target)));
                noted = true;
            }
            return;
        }
        Map<String, Object> text = phase.ended() ? new LinkedHashMap<>() : ScalerJson.text(scaler);
        if (target != null) {
            text.put("target", target);
        }
        journal.accept(json.asJson(text));
        noted = target != null;
        current = phase.ended() ? null : scaler;
        if (phase == ScalePhase.FAILED) {
            notBefore =
                    scaler.state().since().orElse(scaler.created()).plus(LIMIT).plus(PAUSE);
        }
    }

    @Override
    public synchronized void hostsWritten(Scaler scaler, String hosts) {
        Scaler own = current;
        if (own == null || !own.name().equals(scaler.name())) {
            others.hostsWritten(scaler, hosts);
        }
    }
}
