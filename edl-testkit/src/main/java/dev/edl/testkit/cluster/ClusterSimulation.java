package dev.edl.testkit.cluster;

import dev.edl.exec.ControlLoop;
import dev.edl.exec.Subscription;
import dev.edl.exec.Substrate;
import dev.edl.plan.JobPlan;
import dev.edl.plan.ReplicaPlan;
import dev.edl.reconcile.Action;
import dev.edl.reconcile.JobObservation;
import dev.edl.spec.Resources;
import dev.edl.spec.RoleTemplate;
import dev.edl.status.NodeNotice;
import dev.edl.status.ObservedReplica;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** Nodes, pods and time of a simulated cluster, and the control loops of its jobs. Not thread-safe. */
final class ClusterSimulation implements Substrate, InstantSource {
    /** Maximum number of rounds without a passage of time; after as many, the cluster counts as never settling. */
    private static final int MANY = 10_000;

    private static final String DEPLOYMENT = "deployment/";

    private final SortedMap<String, Resources> nodes = new TreeMap<>();
    private final Set<String> cordoned = new TreeSet<>();
    private final Map<String, Integer> priorities;
    private final Duration starting;
    private final Duration leaving;
    private final Map<String, SimulatedPod> pods = new LinkedHashMap<>();
    /** All pods that ever got a node, in the order in which they got it. */
    private final List<SimulatedPod> placed = new ArrayList<>();

    private final Map<String, Deployment> deployments = new TreeMap<>();
    private final List<ScheduledLoop> jobs = new ArrayList<>();
    private Instant now;
    private long number;

    /** Control loop of a job with the time of its next reconcile pass. */
    private static final class ScheduledLoop {
        final ControlLoop loop;
        boolean woken = true;
        Optional<Instant> due = Optional.empty();

        ScheduledLoop(ControlLoop loop) {
            this.loop = loop;
        }
    }

    /** Settings of a simulated Deployment. */
    private record Deployment(int replicas, Resources requests, int priority) {}

    ClusterSimulation(SimulatedCluster.Builder builder) {
        nodes.putAll(builder.nodes);
        this.priorities = Map.copyOf(builder.priorities);
        this.starting = builder.starting;
        this.leaving = builder.leaving;
        this.now = builder.start;
    }

    @Override
    public Instant instant() {
        return now;
    }

    void checkPriorities(JobPlan plan) {
        plan.roles().forEach(role -> {
            for (int i = 0; i < role.replicas(); i++) {
                int index = i;
                role.template()
                        .priority()
                        .map(p -> p.classFor(index, role.replicas()))
                        .ifPresent(this::priority);
            }
        });
    }

    private int priority(String name) {
        Integer value = priorities.get(name);
        if (value == null) {
            throw new IllegalArgumentException("there is no PriorityClass \"" + name + "\" in the cluster, only "
                    + priorities.keySet().stream().sorted().toList() + "; for example .priorityClass(\"" + name
                    + "\", 1000)");
        }
        return value;
    }

    // --- The jobs ---------------------------------------------------------------------------------------------------

    void add(ControlLoop loop) {
        jobs.add(new ScheduledLoop(loop));
    }

    void remove(ControlLoop loop) {
        jobs.removeIf(job -> job.loop == loop);
    }

    /** Runs the control loop of a job after a request, until the cluster has settled. */
    void asked(ControlLoop loop) {
        jobs.stream().filter(job -> job.loop == loop).forEach(job -> job.woken = true);
        settle();
    }

    private void wake(String owner) {
        jobs.stream().filter(job -> job.loop.plan().name().equals(owner)).forEach(job -> job.woken = true);
    }

    /** Applies all changes that need no passage of time. */
    void settle() {
        for (int round = 0; round < MANY; round++) {
            boolean changed = keepUp();
            changed |= schedule();
            changed |= start();
            changed |= pass();
            changed |= sweep();
            if (!changed) {
                return;
            }
        }
        throw new IllegalStateException("the cluster does not settle: after " + MANY + " rounds at the same time"
                + " something still changes\n" + this);
    }

    private boolean pass() {
        boolean any = false;
        for (ScheduledLoop job : List.copyOf(jobs)) {
            boolean due = job.due.filter(time -> !time.isAfter(now)).isPresent();
            if (job.woken || due) {
                job.woken = false;
                Optional<Duration> wait = job.loop.step();
                job.due = wait.map(now::plus);
                any = true;
            }
        }
        return any;
    }

    // --- Time -------------------------------------------------------------------------------------------------------

    void advance(Duration time) {
        advanceUntil(now.plus(time), () -> false);
    }

    /** Advances the time until a condition holds, at most to {@code end}; returns whether it holds. */
    boolean advanceUntil(Instant end, BooleanSupplier reached) {
        settle();
        while (!reached.getAsBoolean()) {
            Optional<Instant> next = next().filter(time -> !time.isAfter(end));
            if (next.isEmpty()) {
                now = end;
                settle();
                return reached.getAsBoolean();
            }
            now = next.get();
            settle();
        }
        return true;
    }

    private Optional<Instant> next() {
        List<Instant> times = new ArrayList<>();
        jobs.forEach(job -> job.due.ifPresent(times::add));
        pods.values().forEach(pod -> {
            Optional.ofNullable(pod.starts).ifPresent(times::add);
            Optional.ofNullable(pod.goes).ifPresent(times::add);
        });
        return times.stream().filter(time -> time.isAfter(now)).min(Comparator.naturalOrder());
    }

    // --- Pods -------------------------------------------------------------------------------------------------------

    private boolean schedule() {
        boolean any = false;
        for (SimulatedPod pod : SimulatedScheduler.queue(pods.values())) {
            SimulatedScheduler at = new SimulatedScheduler(nodes, cordoned, pods.values());
            Optional<String> node = at.node(pod);
            if (node.isPresent()) {
                pod.placed(node.get(), now, now.plus(starting));
                placed.add(pod);
                wake(pod.owner);
                any = true;
                continue;
            }
            if (pod.unschedulable(at.why(pod))) {
                wake(pod.owner);
                any = true;
            }
            Optional<SimulatedScheduler.Preemption> room = at.preemption(pod);
            if (room.isPresent()) {
                pod.nominated = room.get().node();
                room.get().victims().forEach(victim -> leave(victim, Optional.of("Preempted")));
                any = true;
            }
        }
        return any;
    }

    private boolean start() {
        boolean any = false;
        for (SimulatedPod pod : pods.values()) {
            Instant start = pod.starts;
            if (start != null && !start.isAfter(now) && !pod.leaving()) {
                pod.run();
                wake(pod.owner);
                any = true;
            }
        }
        return any;
    }

    private void leave(SimulatedPod pod, Optional<String> reason) {
        if (!pod.leaving()) {
            pod.leave(now.plus(leaving), reason);
            wake(pod.owner);
        }
    }

    /**
     * Removes terminating pods whose time is over, once their jobs have observed the termination; returns whether any
     * was removed.
     */
    private boolean sweep() {
        List<SimulatedPod> gone = pods.values().stream()
                .filter(pod -> {
                    Instant goes = pod.goes;
                    return goes != null && !goes.isAfter(now) && (pod.shownLeaving || !driven(pod.owner));
                })
                .toList();
        gone.forEach(this::drop);
        return !gone.isEmpty();
    }

    private boolean driven(String owner) {
        return jobs.stream().anyMatch(job -> job.loop.plan().name().equals(owner));
    }

    private void drop(SimulatedPod pod) {
        pods.remove(pod.name);
        pod.gone(now);
        wake(pod.owner);
    }

    SimulatedPod pod(ControlLoop loop, String replica) {
        Map<String, SimulatedPod> known = new TreeMap<>();
        pods.values().stream()
                .filter(pod -> pod.owner.equals(loop.plan().name()))
                .forEach(pod -> known.put(pod.seen().role().replica(pod.seen().id()), pod));
        SimulatedPod pod = known.getOrDefault(replica, pods.get(replica));
        if (pod == null || !known.containsValue(pod)) {
            throw new IllegalArgumentException("job \"" + loop.plan().name() + "\" has no replica \"" + replica
                    + "\" now; there are " + known.keySet());
        }
        return pod;
    }

    void exit(ControlLoop loop, String replica, int code, Optional<String> reason) {
        SimulatedPod pod = pod(loop, replica);
        if (!pod.runs()) {
            throw new IllegalArgumentException("replica \"" + replica + "\" of job \""
                    + loop.plan().name() + "\" does not run, so it cannot exit: it is "
                    + pod.seen().phase());
        }
        pod.end(code, reason, now);
        wake(pod.owner);
        settle();
    }

    // --- Deployments and nodes --------------------------------------------------------------------------------------

    void deployment(String name, int replicas, Resources requests, String priorityClass) {
        if (deployments.containsKey(name)) {
            throw new IllegalArgumentException(
                    "there is a deployment \"" + name + "\" already; scaleDeployment changes its number");
        }
        deployments.put(
                name,
                new Deployment(checked(replicas), requests, priorityClass.isEmpty() ? 0 : priority(priorityClass)));
    }

    void scaleDeployment(String name, int replicas) {
        Deployment of = deployments.get(name);
        if (of == null) {
            throw new IllegalArgumentException(
                    "there is no deployment \"" + name + "\"; there are " + deployments.keySet());
        }
        deployments.put(name, new Deployment(checked(replicas), of.requests(), of.priority()));
    }

    private static int checked(int replicas) {
        if (replicas < 0) {
            throw new IllegalArgumentException("replicas must be at least 0, was " + replicas + "; for example 5");
        }
        return replicas;
    }

    int running(String deployment) {
        return (int) pods.values().stream()
                .filter(pod -> pod.owner.equals(owner(deployment)) && pod.runs() && !pod.leaving())
                .count();
    }

    List<PodPlacementPeriod> timeline() {
        return placed.stream()
                .flatMap(pod ->
                        pod.span(pod.owner.startsWith(DEPLOYMENT) ? Optional.empty() : Optional.of(pod.owner)).stream())
                .toList();
    }

    /** Returns the owner of a deployment's pods; it cannot be the name of a job. */
    private static String owner(String deployment) {
        return DEPLOYMENT + deployment;
    }

    private boolean keepUp() {
        boolean any = false;
        for (Map.Entry<String, Deployment> one : deployments.entrySet()) {
            String owner = owner(one.getKey());
            List<SimulatedPod> there = pods.values().stream()
                    .filter(pod -> pod.owner.equals(owner) && !pod.leaving())
                    .sorted(Comparator.comparing((SimulatedPod pod) -> pod.waitsForRoom())
                            .thenComparingLong(pod -> pod.number))
                    .toList();
            Deployment wanted = one.getValue();
            for (int i = there.size(); i < wanted.replicas(); i++) {
                String name = one.getKey() + "-" + number;
                pods.put(name, new SimulatedPod(owner, name, wanted.requests(), wanted.priority(), number++));
                any = true;
            }
            for (int i = wanted.replicas(); i < there.size(); i++) {
                leave(there.get(i), Optional.empty());
                any = true;
            }
        }
        return any;
    }

    void addNode(String name, Resources resources) {
        if (nodes.putIfAbsent(name, resources) != null) {
            throw new IllegalArgumentException("there is a node \"" + name + "\" already; nodes are " + nodes.keySet());
        }
    }

    void removeNode(String name) {
        checkNode(name);
        nodes.remove(name);
        cordoned.remove(name);
        pods.values().stream().filter(pod -> name.equals(pod.node)).forEach(pod -> leave(pod, Optional.of("NodeLost")));
    }

    void cordon(String name, boolean on) {
        checkNode(name);
        if (on ? cordoned.add(name) : cordoned.remove(name)) {
            pods.values().stream().filter(pod -> name.equals(pod.node)).forEach(pod -> wake(pod.owner));
        }
    }

    private void checkNode(String name) {
        if (!nodes.containsKey(name)) {
            throw new IllegalArgumentException("there is no node \"" + name + "\"; nodes are " + nodes.keySet());
        }
    }

    /** Removes all pods of a job. */
    void collect(String job) {
        pods.values().stream().filter(pod -> pod.owner.equals(job)).toList().forEach(pod -> {
            pods.remove(pod.name);
            pod.gone(now);
        });
    }

    // --- Substrate of the control loops ------------------------------------------------------------------------------

    @Override
    public JobObservation observe(JobPlan plan) {
        List<ObservedReplica> seen = new ArrayList<>();
        for (SimulatedPod pod : pods.values()) {
            if (pod.owner.equals(plan.name())) {
                String node = pod.node;
                seen.add(
                        node != null && cordoned.contains(node)
                                ? pod.seen().withNotice(new NodeNotice(node, "cordoned"))
                                : pod.seen());
                pod.shownLeaving |= pod.leaving();
            }
        }
        return new JobObservation(seen);
    }

    @Override
    public void apply(JobPlan plan, Action action) {
        if (action instanceof Action.CreateReplica create) {
            create(plan, create.replica());
        } else if (action instanceof Action.DeleteReplica delete) {
            SimulatedPod pod = pods.get(delete.replica());
            if (pod == null || !delete.concerns(pod.uid())) {
                return;
            }
            if (delete.graceful()) {
                leave(pod, Optional.empty());
            } else {
                drop(pod);
            }
        } else if (action instanceof Action.CollectJob) {
            collect(plan.name());
        }
    }

    private void create(JobPlan plan, ReplicaPlan replica) {
        if (pods.containsKey(replica.name())) {
            return;
        }
        RoleTemplate template = plan.role(replica.role()).orElseThrow().template();
        // A resource with a limit and no request requests its limit, as Kubernetes' defaulting does.
        Resources requests = template.requests()
                .orElse(Resources.of())
                .over(template.limits().orElse(Resources.of()));
        int priority = replica.priorityClass().map(this::priority).orElse(0);
        pods.put(replica.name(), new SimulatedPod(plan.name(), replica, requests, priority, number++));
        wake(plan.name());
    }

    /** Returns an empty subscription, because this class runs the control loops itself. */
    @Override
    public Subscription onChange(String job, Runnable wake) {
        return () -> {};
    }

    @Override
    public void close() {
        pods.clear();
    }

    @Override
    public String toString() {
        return now + ", nodes " + nodes + "\n"
                + pods.values().stream()
                        .map(pod -> pod.name + " " + pod.seen().phase() + (pod.leaving() ? " leaving" : "") + " on "
                                + (pod.node == null ? "-" : pod.node))
                        .collect(Collectors.joining("\n"));
    }
}
