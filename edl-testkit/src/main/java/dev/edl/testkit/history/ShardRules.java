package dev.edl.testkit.history;

import dev.edl.runtime.history.HistoryEvent;
import dev.edl.runtime.history.PushSet;
import dev.edl.runtime.ps.PushResult.Outcome;
import dev.edl.runtime.ps.ShardSnapshot;
import dev.edl.testkit.history.RecordedWorker.ShardAction;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks of the behaviour of shards. After a violation, later events are checked as if the event were right, so that
 * one fault is reported once.
 */
final class ShardRules {
    private final HistoryCheckContext context;
    private final ViolationCollector violations;

    ShardRules(HistoryCheckContext context) {
        this.context = context;
        this.violations = context.violations;
    }

    void started(HistoryEvent.Started e) {
        RecordedShardLives shard = context.shards.get(e.shard());
        violations.require(
                shard.life(e.life()) == null,
                HistoryRule.LIVES,
                () -> "ps-" + e.shard() + " began its life " + e.life() + " for a second time");
        Optional<RecordedShardLives.State> from = shard.state(e.version(), e.applied(), e.pending(), e.state());
        RecordedShardLife life = new RecordedShardLife(
                e, from.map(RecordedShardLives.State::life).orElse(null));
        if (!shard.all.isEmpty()) {
            violations.restores++;
            if (from.isEmpty()) {
                violations.violated(HistoryRule.RESTORED, life + " began " + strange(shard, e));
            }
            lose(shard, shard.all.get(shard.all.size() - 1), life);
        }
        shard.all.add(life);
        ShardSnapshot known = from.map(RecordedShardLives.State::replay).orElse(null);
        ShardSnapshot replayed = context.replay.start(life, e.values(), known);
        shard.states.add(new RecordedShardLives.State(
                violations.event, life, e.version(), e.applied(), e.pending(), e.state(), replayed));
    }

    /** Returns how a restored state differs from the snapshot that it names. */
    private static String strange(RecordedShardLives shard, HistoryEvent.Started e) {
        String name = "at version " + e.version();
        Optional<RecordedShardLives.State> same = shard.newest(s -> s.version() == e.version());
        if (same.isEmpty()) {
            return name + ", of which no snapshot was taken";
        }
        RecordedShardLives.State saved = same.get();
        PushSet less = saved.applied().minus(e.applied());
        PushSet more = e.applied().minus(saved.applied());
        String which = " than the state of event " + saved.event() + ": ";
        if (less.count() > 0) {
            return name + " with fewer pushes" + which + less + " missing";
        }
        if (more.count() > 0) {
            return name + " with more pushes" + which + more;
        }
        if (!saved.pending().equals(e.pending())) {
            return name + " with other pushes waiting" + which + e.pending() + ", not " + saved.pending();
        }
        return name + " with other weights or optimizer slots than the state of event " + saved.event();
    }

    private void lose(RecordedShardLives shard, RecordedShardLife before, RecordedShardLife after) {
        before.applied.toSet().ids().filter(id -> !after.holds(id)).forEach(id -> lose(shard, id));
        before.pending.keySet().stream().filter(id -> !after.holds(id)).forEach(id -> lose(shard, id));
    }

    private void lose(RecordedShardLives shard, long pushId) {
        violations.lost++;
        shard.lost.add(pushId);
    }

    void accepted(HistoryEvent.Accepted e) {
        violations.accepted++;
        RecordedShardLives shard = context.shards.get(e.shard());
        RecordedShardLife life = living(e.shard(), e.life());
        if (life == null) {
            return;
        }
        RecordedWorker worker = context.worker(e.worker());
        String push = "push " + e.pushId() + " of " + e.worker();
        arrived(e, worker, life, push);
        violations.require(
                e.version() == life.version,
                HistoryRule.VERSIONS,
                () -> life + " accepted " + push + " at version " + e.version() + ", but had made " + life.version
                        + " updates");
        fresh(e, worker, life, push);
        violations.require(
                !life.holds(e.pushId()),
                HistoryRule.ONCE,
                () -> life + " accepted " + push + ", which it "
                        + (life.applied.contains(e.pushId()) ? "has applied already" : "holds in this round already"));
        if (shard.lost.remove(e.pushId())) {
            violations.redone++;
        }
        life.pending.put(e.pushId(), e.worker());
        violations.require(
                life.pending.size() <= context.began.gradsToWait(),
                HistoryRule.ROUNDS,
                () -> life + " took " + push + " into a round that has " + life.pending.size()
                        + " gradients with it, and at" + " most " + context.began.gradsToWait() + " make an update");
        worker.done(e.shard(), new ShardAction(Outcome.ACCUMULATED, e.version(), e.version()));
        context.replay.accept(life, WorkerRules.gradient(worker, e.pushId()), e.pushId());
    }

    /** Checks that an accepted push equals the push that the worker sent. */
    private void arrived(HistoryEvent.Accepted e, RecordedWorker worker, RecordedShardLife life, String push) {
        HistoryEvent.Sent sent = worker.sent;
        if (sent == null || sent.pushId() != e.pushId()) {
            violations.violated(
                    HistoryRule.UNCHANGED,
                    life + " accepted " + push + ", but that worker sent "
                            + (sent == null
                                    ? "nothing"
                                    : "push " + sent.pushId() + " last, in event " + worker.sentAt));
            return;
        }
        violations.require(
                sent.basedOn().get(e.shard()) == e.basedOn(),
                HistoryRule.UNCHANGED,
                () -> life + " accepted " + push + " as based on version " + e.basedOn() + ", but it was sent in event "
                        + worker.sentAt + " as based on version "
                        + sent.basedOn().get(e.shard()));
        violations.require(
                sent.prints().get(e.shard()) == e.print(),
                HistoryRule.UNCHANGED,
                () -> life + " accepted " + push + " with another gradient than was sent in event " + worker.sentAt);
    }

    /** Checks that the weights behind a push were new enough, and from this life or a state from which it descends. */
    private void fresh(HistoryEvent.Accepted e, RecordedWorker worker, RecordedShardLife life, String push) {
        long staleness = life.version - e.basedOn();
        violations.largestStaleness = Math.max(violations.largestStaleness, staleness);
        violations.require(
                staleness >= 0 && staleness <= context.began.staleness(),
                HistoryRule.STALENESS,
                () -> life + " accepted " + push + ", based on version " + e.basedOn() + ", at version " + life.version
                        + ": "
                        + (staleness < 0
                                ? "it had not made that version"
                                : staleness + " updates lie between, and the bound is " + context.began.staleness()));
        HistoryEvent.Pulled pulled = worker.pulled;
        if (pulled != null && pulled.versions().get(e.shard()) == e.basedOn()) {
            violations.require(
                    pulled.weights().get(e.shard()).equals(life.weightsAt(e.basedOn())),
                    HistoryRule.LINEAGE,
                    () -> life + " accepted " + push + ", which was computed from a version " + e.basedOn()
                            + " that was lost: this life's has other weights");
        }
    }

    void refused(HistoryEvent.Refused e) {
        RecordedShardLife life = living(e.shard(), e.life());
        if (life == null) {
            return;
        }
        String push = "push " + e.pushId() + " of " + e.worker();
        if (e.outcome() == Outcome.DUPLICATE) {
            violations.require(
                    life.holds(e.pushId()),
                    HistoryRule.ACKNOWLEDGED,
                    () -> life + " refused " + push + " as a duplicate, but does not hold it");
        } else {
            long staleness = life.version - e.basedOn();
            violations.require(
                    staleness < 0 || staleness > context.began.staleness() || e.basedOn() < life.base,
                    HistoryRule.STALENESS,
                    () -> life + " refused " + push + ", based on version " + e.basedOn() + ", as stale at version "
                            + life.version + ", but the bound is " + context.began.staleness());
        }
        context.worker(e.worker()).done(e.shard(), new ShardAction(e.outcome(), e.version(), e.version()));
    }

    void updated(HistoryEvent.Updated e) {
        violations.updates++;
        RecordedShardLife life = living(e.shard(), e.life());
        if (life == null) {
            return;
        }
        violations.require(
                e.version() == life.version + 1,
                HistoryRule.VERSIONS,
                () -> life + " made version " + e.version() + " after version " + life.version);
        round(e, life);
        e.pushes().forEach(id -> {
            life.applied.add(id);
            String worker = life.pending.remove(id);
            if (worker != null) {
                context.worker(worker).updated(e.shard(), id, e.version());
            }
        });
        life.pending.clear();
        life.version = e.version();
        life.weights.put(e.version(), e.weights());
        context.replay.update(life, e.rate(), e.weights());
    }

    private void round(HistoryEvent.Updated e, RecordedShardLife life) {
        String update = life + " made version " + e.version();
        violations.require(!e.pushes().isEmpty(), HistoryRule.ROUNDS, () -> update + " of no push");
        Set<Long> round = new HashSet<>();
        for (long id : e.pushes()) {
            violations.require(round.add(id), HistoryRule.ONCE, () -> update + " of push " + id + " twice");
            violations.require(
                    !life.applied.contains(id),
                    HistoryRule.ONCE,
                    () -> update + " of push " + id + ", which it has applied already");
            violations.require(
                    life.pending.containsKey(id),
                    HistoryRule.ROUNDS,
                    () -> update + " of push " + id + ", which it had not accepted for it");
        }
        List<Long> left =
                life.pending.keySet().stream().filter(id -> !round.contains(id)).toList();
        violations.require(
                left.isEmpty(), HistoryRule.ROUNDS, () -> update + " without " + left + ", which it had accepted");
    }

    void saved(HistoryEvent.Saved e) {
        RecordedShardLife life = living(e.shard(), e.life());
        if (life == null) {
            return;
        }
        String snapshot = "a snapshot of " + life;
        violations.require(
                e.version() == life.version,
                HistoryRule.SAVED,
                () -> snapshot + " has version " + e.version() + ", but it had made " + life.version + " updates");
        PushSet applied = life.applied.toSet();
        violations.require(
                e.applied().equals(applied),
                HistoryRule.SAVED,
                () -> snapshot + " lacks the pushes " + applied.minus(e.applied()) + " that were applied, and has "
                        + e.applied().minus(applied) + " that were not");
        violations.require(
                e.pending().equals(life.waiting()),
                HistoryRule.SAVED,
                () -> snapshot + " has pending pushes " + e.pending() + ", but the shard has " + life.waiting());
        context.shards
                .get(e.shard())
                .states
                .add(new RecordedShardLives.State(
                        violations.event,
                        life,
                        e.version(),
                        e.applied(),
                        e.pending(),
                        e.state(),
                        context.replay.snapshot(life)));
    }

    void stopped(HistoryEvent.Stopped e) {
        RecordedShardLife life = living(e.shard(), e.life());
        if (life != null) {
            life.stopped = true;
        }
    }

    private @Nullable RecordedShardLife living(int shard, int number) {
        RecordedShardLife life = context.shards.get(shard).life(number);
        if (life == null) {
            violations.violated(HistoryRule.LIVES, "ps-" + shard + " acts in a life " + number + " that has not begun");
        } else {
            violations.require(!life.stopped, HistoryRule.LIVES, () -> life + " acts after its end");
        }
        return life;
    }
}
