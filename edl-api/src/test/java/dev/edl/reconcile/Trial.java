package dev.edl.reconcile;

import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import dev.edl.status.JobEvent;
import dev.edl.status.ObservedPhase;
import dev.edl.status.ObservedReplica;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** A job on a substrate where every action takes effect at once and the test changes the objects. */
final class Trial {
    static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private Reconciler policies = new BothWays();
    final JobPlan plan;
    final Map<String, ObservedReplica> objects = new LinkedHashMap<>();
    JobState state;
    Instant now = START;
    private List<JobEvent> events = List.of();
    private Decision last;
    private int created;

    Trial(JobPlan plan) {
        this.plan = plan;
        this.state = JobState.initial(plan);
        this.last = new Decision(List.of(), state, List.of(), java.util.Optional.empty());
    }

    /** Turns force deletion off. */
    Trial withoutForce() {
        policies = new BothWays(false);
        return this;
    }

    /** Returns a job whose replicas all run. */
    static Trial running(JobPlan plan) {
        Trial trial = new Trial(plan);
        trial.decide();
        trial.runAll();
        trial.decide();
        return trial;
    }

    /** Decides once and applies the actions; a deleted object is gone at once. */
    Trial decide() {
        last = policies.reconcile(plan, state, new JobObservation(objects.values()), now);
        state = last.next();
        events = last.events();
        for (Action action : last.actions()) {
            if (action instanceof Action.CreateReplica create) {
                String name = create.replica().name();
                ObservedReplica object = ObservedReplica.of(
                        name, create.replica().role(), create.replica().id(), ObservedPhase.PENDING);
                objects.computeIfAbsent(name, n -> object.withUid(uid()));
            } else if (action instanceof Action.DeleteReplica delete) {
                objects.values()
                        .removeIf(o -> o.name().equals(delete.replica())
                                && delete.concerns(o.uid().orElse("")));
            } else {
                objects.clear();
            }
        }
        return this;
    }

    /** Returns an unused uid. */
    String uid() {
        return "uid-" + ++created;
    }

    Trial after(Duration time) {
        now = now.plus(time);
        return this;
    }

    void runAll() {
        objects.replaceAll((name, o) -> o.phase() == ObservedPhase.PENDING ? o.withPhase(ObservedPhase.RUNNING) : o);
    }

    /** Changes a replica's object, given as {@code worker-0}. */
    Trial change(String replica, UnaryOperator<ObservedReplica> how) {
        objects.computeIfPresent(name(replica), (name, o) -> how.apply(o));
        return this;
    }

    Trial exits(String replica, int code) {
        return change(replica, o -> o.withExitCode(code));
    }

    /** Deletes objects from outside, at once. */
    Trial vanish(String... replicas) {
        for (String replica : replicas) {
            objects.remove(name(replica));
        }
        return this;
    }

    String name(String replica) {
        return (plan.profile() == Profile.ET_V1ALPHA1 ? "" : "elasticdl-") + plan.name() + "-" + replica;
    }

    ReplicaState replica(String replica) {
        ReplicaState known = state.replicas().get(name(replica));
        if (known == null) {
            throw new AssertionError(replica + " is not known in " + state);
        }
        return known;
    }

    /** Returns the last decision's actions in short form: {@code create worker-4}. */
    List<String> actions() {
        return last.actions().stream()
                .map(Object::toString)
                .map(text -> text.replace("elasticdl-" + plan.name() + "-", ""))
                .toList();
    }

    Decision decision() {
        return last;
    }

    /** Returns the messages of the last decision's events of a type. */
    List<String> messages(JobEvent.Type type) {
        return events.stream()
                .filter(e -> e.type() == type)
                .map(JobEvent::message)
                .toList();
    }

    /** Returns the short names and phases of the existing objects. */
    List<String> there() {
        List<String> there = new ArrayList<>();
        objects.forEach((name, o) -> there.add(name.replace("elasticdl-" + plan.name() + "-", "")
                + (o.phase() == ObservedPhase.PENDING ? " pending" : "")));
        return there;
    }
}
