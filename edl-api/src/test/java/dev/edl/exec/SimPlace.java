package dev.edl.exec;

import dev.edl.plan.JobPlan;
import dev.edl.plan.ReplicaPlan;
import dev.edl.reconcile.Action;
import dev.edl.reconcile.JobObservation;
import dev.edl.status.ObservedPhase;
import dev.edl.status.ObservedReplica;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * Simulated substrate whose replicas start, end, vanish, lag and refuse as the test sets.
 *
 * <p>It keeps the contract of {@link Substrate}, but has no capacity, priorities, real time or threads. It also checks
 * its requests: no id is used twice, and no succeeded replica runs again.
 */
class SimPlace implements Substrate {
    final Map<String, ObservedReplica> objects = new LinkedHashMap<>();
    final List<String> applied = new ArrayList<>();
    final List<String> broken = new ArrayList<>();
    /** The refused actions. */
    final List<String> tried = new ArrayList<>();

    private final Set<String> everMade = new LinkedHashSet<>();
    private final Set<String> succeeded = new LinkedHashSet<>();
    private final Map<String, ObservedPhase> shown = new LinkedHashMap<>();
    private final Set<String> told = new LinkedHashSet<>();
    private final List<Action> past = new ArrayList<>();
    private int uids;

    /** Number of deletions that arrived when another object had the name. */
    int missed;

    private final Deque<JobObservation> history = new ArrayDeque<>();
    private Runnable wake = () -> {};

    /** Called with prepared actions. */
    Consumer<List<Action>> preparing = actions -> {};

    boolean refuses;

    /** Matches the replicas whose creation or deletion is refused. */
    Predicate<String> refusing = replica -> false;

    boolean blind;
    int lag;

    /** Number of actions after which the program dies; 0 for never. */
    int crashIn;

    /** Simulates the death of the program that drives the job. */
    static final class Crash extends Error {
        private static final long serialVersionUID = 1L;
    }

    @Override
    public JobObservation observe(JobPlan plan) {
        if (blind) {
            throw new IllegalStateException("the place does not answer");
        }
        history.addLast(new JobObservation(List.copyOf(objects.values())));
        while (history.size() > lag + 1) {
            history.removeFirst();
        }
        history.getFirst().replicas().forEach(o -> shown.put(o.name(), o.phase()));
        return history.getFirst();
    }

    @Override
    public void prepare(JobPlan plan, List<Action> actions) {
        preparing.accept(actions);
    }

    @Override
    public void apply(JobPlan plan, Action action) {
        if (crashIn > 0 && --crashIn == 0) {
            throw new Crash();
        }
        if (refusing.test(action.subject())) {
            tried.add(action.toString().replace("elasticdl-" + plan.name() + "-", ""));
            throw new IllegalStateException(action.subject() + " is forbidden: exceeded quota");
        }
        if (refuses) {
            throw new IllegalStateException("the place is full");
        }
        applied.add(action.toString().replace("elasticdl-" + plan.name() + "-", ""));
        if (action instanceof Action.CreateReplica create) {
            create(create.replica());
            past.add(create);
        } else if (action instanceof Action.DeleteReplica delete) {
            delete(delete);
            past.add(delete);
        } else {
            objects.clear();
        }
    }

    private void delete(Action.DeleteReplica delete) {
        objects.computeIfPresent(delete.replica(), (name, o) -> {
            if (!delete.concerns(o.uid().orElse(""))) {
                return o;
            }
            told.add(name);
            return o.beingDeleted();
        });
    }

    /** Applies an old request now, like that of a driver that was replaced since. */
    void late(RandomGenerator random) {
        if (past.isEmpty()) {
            return;
        }
        Action action = past.get(random.nextInt(past.size()));
        if (action instanceof Action.CreateReplica create) {
            objects.computeIfAbsent(create.replica().name(), name -> made(create.replica()));
        } else if (action instanceof Action.DeleteReplica delete) {
            ObservedReplica there = objects.get(delete.replica());
            if (there != null && delete.uid().isPresent() && !delete.uid().equals(there.uid())) {
                missed++;
            }
            delete(delete);
        }
    }

    private ObservedReplica made(ReplicaPlan replica) {
        return ObservedReplica.of(replica.name(), replica.role(), replica.id(), ObservedPhase.PENDING)
                .withUid("uid-" + ++uids);
    }

    private void create(ReplicaPlan replica) {
        if (objects.containsKey(replica.name())) {
            return;
        }
        boolean worker = replica.role() == dev.edl.spec.RoleType.WORKER;
        if (succeeded.contains(replica.name())) {
            broken.add(replica.name() + " has succeeded and was run again");
        }
        if (!everMade.add(replica.name()) && worker) {
            broken.add(replica.name() + " was made twice");
        }
        objects.put(replica.name(), made(replica));
    }

    @Override
    public Subscription onChange(String job, Runnable told) {
        wake = told;
        return () -> wake = () -> {};
    }

    void change() {
        wake.run();
    }

    @Override
    public void close() {
        objects.clear();
    }

    void start(String name) {
        objects.computeIfPresent(
                name,
                (n, o) -> o.phase() == ObservedPhase.PENDING && !o.terminating()
                        ? o.withPhase(ObservedPhase.RUNNING)
                        : o);
    }

    void startAll() {
        List.copyOf(objects.keySet()).forEach(this::start);
    }

    void exit(String name, int code, String reason) {
        objects.computeIfPresent(name, (n, o) -> {
            if (o.phase().ended()) {
                return o;
            }
            if (code == 0 && !o.terminating()) {
                succeeded.add(n);
            }
            return reason.isEmpty()
                    ? o.withExitCode(code)
                    : o.withExitCode(code).withReason(reason);
        });
    }

    /** Removes the terminating objects. */
    void sweep() {
        List.copyOf(objects.values()).stream()
                .filter(ObservedReplica::terminating)
                .forEach(o -> vanish(o.name()));
    }

    /** Removes an object, but not before an observation has shown its end, as the contract requires. */
    void vanish(String name) {
        ObservedReplica object = objects.get(name);
        if (object != null && (told.contains(name) || object.phase() == shown.get(name))) {
            objects.remove(name);
            shown.remove(name);
            told.remove(name);
        }
    }

    void leave(String name) {
        objects.computeIfPresent(name, (n, o) -> o.beingDeleted());
    }

    String any(RandomGenerator random) {
        List<String> names = List.copyOf(objects.keySet());
        return names.isEmpty() ? "" : names.get(random.nextInt(names.size()));
    }
}
