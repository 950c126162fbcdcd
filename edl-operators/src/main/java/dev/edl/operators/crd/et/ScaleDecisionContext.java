package dev.edl.operators.crd.et;

import dev.edl.env.HorovodHosts;
import dev.edl.env.HorovodHosts.Host;
import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import dev.edl.reconcile.Action;
import dev.edl.spec.RoleType;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Context of one decision: the request and the observed job. Not thread-safe. */
final class ScaleDecisionContext {
    /** Delay between two decisions, which is et-operator's poll interval. */
    private static final Duration POLL = Duration.ofSeconds(5);
    /** Largest number of replicas of a role. */
    private static final int MOST = 99_999;

    final JobPlan job;
    final Scaler scaler;
    final Instant now;
    private final RolePlan role;
    private final HorovodHosts hosts;
    private final Map<Integer, ObservedWorker> workers = new TreeMap<>();

    ScaleDecisionContext(JobPlan job, Scaler scaler, ObservedScaling observed, Instant now) {
        this.job = job;
        this.scaler = scaler;
        this.now = now;
        this.role = job.role(RoleType.WORKER.id());
        this.hosts = observed.hosts();
        for (ObservedWorker worker : observed.workers()) {
            if (worker.namespace().equals(job.namespace())) {
                index(worker.name()).ifPresent(index -> workers.put(index, worker));
            }
        }
    }

    /** Returns the index in the name of one of the job's workers; empty for another name. */
    private OptionalInt index(String name) {
        String prefix = job.name() + "-worker-";
        String index = name.startsWith(prefix) ? name.substring(prefix.length()) : "";
        return index.matches("0|[1-9][0-9]{0,8}") ? OptionalInt.of(Integer.parseInt(index)) : OptionalInt.empty();
    }

    ScaleState state() {
        return scaler.state();
    }

    /** Returns the job's observed workers, in order of their index. */
    List<ObservedWorker> workers() {
        return List.copyOf(workers.values());
    }

    /** Returns those workers that the request adds or removes and that exist. */
    List<ObservedWorker> there(ScaleState state) {
        return workers.values().stream()
                .filter(worker -> state.pods().contains(worker.name()))
                .toList();
    }

    /** Returns the number of the job's workers that have not ended. */
    long alive() {
        return workers.values().stream()
                .filter(worker -> !worker.phase().ended())
                .count();
    }

    /**
     * Returns the index for the next new worker, which is one more than the highest index of a worker or host; 0
     * without any.
     */
    int free() {
        int[] highest = {-1};
        workers.keySet().forEach(index -> highest[0] = Math.max(highest[0], index));
        hosts.hosts().forEach(host -> index(host.name()).ifPresent(index -> highest[0] = Math.max(highest[0], index)));
        return highest[0] + 1;
    }

    /** Returns the reason why the job cannot have this number of workers; empty when it can. */
    Optional<String> refusal(long replicas) {
        String would = "would make the workers " + replicas + ", which must be ";
        if (replicas > MOST) {
            return Optional.of(would + "at most " + MOST);
        }
        return !role.elastic() || role.bounds().contains((int) replicas)
                ? Optional.empty()
                : Optional.of(would + "within elastic " + role.bounds());
    }

    boolean isHost(String name) {
        return hosts.hosts().stream().anyMatch(host -> host.name().equals(name));
    }

    /**
     * Returns the current hosts after removing some workers and adding others, in order of their index. New hosts get
     * the number of slots of the current ones. Omits ended workers, on which nothing can run.
     *
     * @param without names of the workers to remove
     * @param with names of the workers to add
     */
    HorovodHosts hosts(List<String> without, List<String> with) {
        int slots = hosts.hosts().stream()
                .findFirst()
                .or(() -> HorovodHosts.of(job).hosts().stream().findFirst())
                .map(Host::slots)
                .orElse(1);
        List<String> ended = workers.values().stream()
                .filter(worker -> worker.phase().ended())
                .map(ObservedWorker::name)
                .toList();
        return new HorovodHosts(Stream.concat(
                        hosts.hosts().stream(),
                        with.stream().filter(name -> !isHost(name)).map(name -> new Host(name, slots)))
                .filter(host -> !without.contains(host.name()) && !ended.contains(host.name()))
                .sorted(Comparator.comparingInt(host -> index(host.name()).orElse(-1)))
                .toList());
    }

    List<Action> deletions(List<ObservedWorker> gone, String why) {
        return gone.stream()
                .map(worker -> (Action) new Action.DeleteReplica(worker.name(), why, true))
                .toList();
    }

    /** Returns whether the request has exceeded its timeout. */
    boolean late() {
        return elapsed().compareTo(scaler.request().timeout()) >= 0;
    }

    /**
     * Returns whether the rollback has exceeded a second timeout; the request then ends as FAILED, although its
     * rollback is incomplete.
     */
    boolean undoingIsLate() {
        return elapsed().dividedBy(2).compareTo(scaler.request().timeout()) >= 0;
    }

    private Duration elapsed() {
        return Duration.between(state().since().orElse(now), now);
    }

    /** Returns et-operator's message for a ScaleOut that exceeded its timeout. */
    String timeoutMessage() {
        String kind = scaler.isScaleIn() ? ScaleRequests.IN : ScaleRequests.OUT;
        return kind.toLowerCase(Locale.ROOT) + " job " + scaler.id() + " execution timeout";
    }

    ScaleDecision stay() {
        return new ScaleDecision(
                Optional.empty(),
                List.of(),
                state(),
                state().phase().ended() ? Optional.empty() : Optional.of(wait(state())));
    }

    ScaleDecision refuse(String why) {
        return end(ScalePhase.FAILED, why);
    }

    ScaleDecision end(ScalePhase phase, String message) {
        return new ScaleDecision(Optional.empty(), List.of(), state().to(phase, message), Optional.empty());
    }

    ScaleDecision write(HorovodHosts file, ScaleState next) {
        return new ScaleDecision(Optional.of(file), List.of(), next, Optional.of(wait(next)));
    }

    ScaleDecision act(List<Action> actions, ScaleState next) {
        return new ScaleDecision(Optional.empty(), actions, next, Optional.of(wait(next)));
    }

    /** Returns the delay until the next decision: the poll interval, but not beyond the request's timeout. */
    private Duration wait(ScaleState next) {
        Duration left = scaler.request().timeout().minus(next.since().isPresent() ? elapsed() : Duration.ZERO);
        boolean soon =
                next.phase() == ScalePhase.SCALING && left.compareTo(POLL) < 0 && left.compareTo(Duration.ZERO) > 0;
        return soon ? left : POLL;
    }
}
