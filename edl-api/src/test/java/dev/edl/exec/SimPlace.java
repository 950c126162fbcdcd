package dev.edl.exec;

import dev.edl.plan.JobPlan;
import dev.edl.plan.ReplicaPlan;
import dev.edl.reconcile.Action;
import dev.edl.reconcile.Observed;
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
 * A place where replicas only exist on paper and the test is their fate: they start, end, vanish, lag and refuse as it says.
 *
 * <p>It keeps the contract of {@link Substrate}; what it does not have: room, priorities, real time, threads. It also watches what
 * it is asked: no id twice, no replica run again that has succeeded.
 */
class SimPlace implements Substrate {
    final Map<String, ObservedReplica> objects = new LinkedHashMap<>();
    final List<String> applied = new ArrayList<>();
    final List<String> broken = new ArrayList<>();
    /** The actions that it refused. */
    final List<String> tried = new ArrayList<>();

    private final Set<String> everMade = new LinkedHashSet<>();
    private final Set<String> succeeded = new LinkedHashSet<>();
    private final Map<String, ObservedPhase> shown = new LinkedHashMap<>();
    private final Set<String> told = new LinkedHashSet<>();
    private final List<Action> past = new ArrayList<>();
    private int uids;

    /** How many deletions came late, when another object had the name. */
    int missed;

    private final Deque<Observed> history = new ArrayDeque<>();
    private Runnable wake = () -> {};

    /** What is done with actions that are to come. */
    Consumer<List<Action>> preparing = actions -> {};

    boolean refuses;

    /** The replicas that it refuses to create or to delete. */
    Predicate<String> refusing = replica -> false;

    boolean blind;
    int lag;

    /** After how many actions the program dies; 0: it does not. */
    int crashIn;

    /** The end of the program that drives the job. */
    static final class Crash extends Error {
        private static final long serialVersionUID = 1L;
    }

    @Override
    public Observed observe(JobPlan plan) {
        if (blind) {
            throw new IllegalStateException("the place does not answer");
        }
        history.addLast(new Observed(List.copyOf(objects.values())));
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

    /** A request of long ago takes effect now, as that of a driver that was replaced meanwhile. */
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
        boolean worker = replica.role() == dev.edl.RoleType.WORKER;
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

    /** What was told to go is gone. */
    void sweep() {
        List.copyOf(objects.values()).stream()
                .filter(ObservedReplica::terminating)
                .forEach(o -> vanish(o.name()));
    }

    /** An object is gone; not before it was shown as it ended, which is the contract. */
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
