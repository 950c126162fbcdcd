package dev.edl.operators.et;

import dev.edl.env.HorovodHosts;
import dev.edl.exec.ControlLoop;
import dev.edl.exec.JobLostException;
import dev.edl.exec.Subscription;
import dev.edl.k8s.exec.ExecException;
import dev.edl.k8s.spi.JobPods;
import dev.edl.operators.crd.et.ObservedScaling;
import dev.edl.operators.crd.et.ObservedWorker;
import dev.edl.operators.crd.et.ScaleDecider;
import dev.edl.operators.crd.et.ScaleDecision;
import dev.edl.operators.crd.et.ScalePhase;
import dev.edl.operators.crd.et.Scaler;
import dev.edl.operators.crd.et.ScalingRequestSource;
import dev.edl.plan.JobPlan;
import dev.edl.reconcile.Action;
import dev.edl.reconcile.JobState;
import dev.edl.spec.RoleType;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Maintains the hosts of a running elastic Horovod job, and scales it in et-operator's order. Scaling in removes
 * workers from the hosts first, and the loop deletes their pods once the launcher has no process on them. Scaling out
 * adds workers to the hosts once all of them are ready. {@link ScaleDecider} decides; this class applies. Not
 * thread-safe: one thread makes the passes.
 */
final class HostfileReconciler {
    /**
     * Longest delay to the next pass while a request is in progress, since no watch reports the end of the launcher's
     * processes.
     */
    private static final Duration LOOK = Duration.ofSeconds(1);
    /**
     * Delay to the next pass when no request is in progress; changes wake the thread earlier, so this only covers
     * missed changes.
     */
    private static final Duration RESYNC = Duration.ofSeconds(30);

    private final JobPlan plan;
    private final ControlLoop loop;
    private final JobPods pods;
    private final HostfileWriter files;
    private final NodeDrainScalingRequests scalers;
    private final InstantSource clock;
    /**
     * Hosts last written into the launcher's pod; null before the first write by this program. The next field has that
     * pod's uid.
     */
    private @Nullable HorovodHosts written;

    private String launcher = "";

    HostfileReconciler(
            ControlLoop loop,
            JobPods pods,
            HostfileWriter files,
            NodeDrainScalingRequests scalers,
            InstantSource clock) {
        this.plan = loop.plan();
        this.loop = loop;
        this.pods = pods;
        this.files = files;
        this.scalers = scalers;
        this.clock = clock;
    }

    /** Replaces the source of the users' scaling requests from the next pass on. */
    void from(ScalingRequestSource source) {
        scalers.over(source);
    }

    Subscription onChange(Runnable wake) {
        return pods.onChange(wake);
    }

    /** Returns whether the job has ended, so that no further pass is needed. */
    boolean over() {
        return loop.state().phase().ended();
    }

    /**
     * Runs one pass: updates the launcher's hosts and takes the next step of the current scaling request.
     *
     * @return delay until the next pass if nothing changes before
     * @throws JobLostException when another program drives the job now
     */
    Duration pass() throws InterruptedException {
        JobState state = loop.state();
        String name = plan.replicaName(RoleType.LAUNCHER, 0);
        Pod pod = pods.pod(name).orElse(null);
        if (state.phase() != JobPhase.RUNNING || pod == null || !pods.runs(pod)) {
            return RESYNC;
        }
        HorovodHosts hosts = hosts(pod);
        Optional<Scaler> scaler = scalers.next(clock.instant());
        List<ObservedWorker> workers = workers(state, Set.of());
        if (scaler.isEmpty()) {
            write(name, DesiredWorkers.settled(plan, workers, hosts));
            return RESYNC;
        }
        HorovodHosts alive = DesiredWorkers.alive(workers, hosts);
        if (!alive.equals(hosts)) {
            write(name, alive);
        }
        return scale(name, state, scalers, scaler.get(), alive.hosts().isEmpty() ? hosts : alive);
    }

    /**
     * Returns the hosts in the launcher's pod. If this program has not written to this pod yet, writes the persisted
     * hosts first, because a new launcher may have others.
     */
    private HorovodHosts hosts(Pod pod) throws InterruptedException {
        String uid = pod.getMetadata().getUid();
        HorovodHosts known = written;
        if (known == null || !uid.equals(launcher)) {
            known = files.kept();
            files.write(pod.getMetadata().getName(), known);
            launcher = uid;
            written = known;
        }
        return known;
    }

    /**
     * Writes the hosts if they changed. Does nothing for an empty list, because Horovod cannot continue without any
     * host; the previous hosts stay until a worker is back.
     */
    private void write(String name, HorovodHosts hosts) throws InterruptedException {
        if (!hosts.hosts().isEmpty() && !hosts.equals(written)) {
            files.write(name, hosts);
            written = hosts;
        }
    }

    private List<ObservedWorker> workers(JobState state, Set<String> attached) {
        return DesiredWorkers.seen(plan, state, pods.ofRole(RoleType.WORKER), attached);
    }

    private Duration scale(String name, JobState state, ScalingRequestSource source, Scaler scaler, HorovodHosts hosts)
            throws InterruptedException {
        boolean waits = scaler.request().change() < 0 && scaler.state().phase() == ScalePhase.SCALING;
        List<ObservedWorker> workers =
                workers(state, waits ? attached(name, scaler.state().pods()) : Set.of());
        ScaleDecision decision =
                ScaleDecider.decide(plan, scaler, new ObservedScaling(workers, hosts), clock.instant());
        if (!decision.next().equals(scaler.state())) {
            source.keep(scaler.with(decision.next()));
        }
        if (decision.hosts().isPresent()) {
            write(name, decision.hosts().get());
            source.hostsWritten(
                    scaler.with(decision.next()), decision.hosts().get().toString());
        }
        apply(decision.actions());
        if (decision.next().phase() == ScalePhase.FAILED) {
            loop.emitEvent(
                    JobEvent.Type.SCALE_FAILED,
                    scaler.id() + " failed: " + decision.next().message());
        }
        if (decision.next().phase().ended() || decision.hosts().isPresent()) {
            return Duration.ZERO;
        }
        Duration next = decision.wakeAfter().orElse(RESYNC);
        return next.compareTo(LOOK) > 0 ? LOOK : next;
    }

    /**
     * Returns the workers on which the launcher has a process. If the processes cannot be read, returns all leaving
     * workers, so that none is deleted while the request's timeout continues.
     */
    private Set<String> attached(String name, List<String> leaving) throws InterruptedException {
        try {
            return files.attached(name);
        } catch (ExecException e) {
            return Set.copyOf(leaving);
        }
    }

    private void apply(List<Action> actions) {
        Set<Integer> come = actions.stream()
                .filter(Action.CreateReplica.class::isInstance)
                .map(action -> DesiredWorkers.id(action.subject()))
                .collect(Collectors.toSet());
        Set<Integer> go = actions.stream()
                .filter(Action.DeleteReplica.class::isInstance)
                .map(action -> DesiredWorkers.id(action.subject()))
                .collect(Collectors.toSet());
        if (come.isEmpty() && go.isEmpty()) {
            return;
        }
        UnaryOperator<SortedSet<Integer>> change = ids -> {
            SortedSet<Integer> next = new TreeSet<>(ids);
            next.addAll(come);
            next.removeAll(go);
            return next;
        };
        if (!change.apply(DesiredWorkers.of(loop.state(), RoleType.WORKER))
                .equals(DesiredWorkers.of(loop.state(), RoleType.WORKER))) {
            loop.pinReplicas(RoleType.WORKER.id(), change);
        }
    }
}
