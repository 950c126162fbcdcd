package dev.edl.testkit.history;

import dev.edl.runtime.history.HistoryEvent;
import dev.edl.runtime.history.RecordedVector;
import dev.edl.runtime.ps.PushResult.Outcome;
import dev.edl.testkit.history.RecordedWorker.ShardAction;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks of the requests of workers and of the responses that the workers receive. */
final class WorkerRules {
    private final HistoryCheckContext context;
    private final ViolationCollector violations;

    WorkerRules(HistoryCheckContext context) {
        this.context = context;
        this.violations = context.violations;
    }

    void pulled(HistoryEvent.Pulled e) {
        context.worker(e.worker()).pulled = e;
        for (RecordedShardLives shard : context.shards) {
            long version = e.versions().get(shard.shard);
            Long print = e.weights().get(shard.shard);
            if (shard.any(life -> print.equals(life.weights.get(version)))) {
                continue;
            }
            boolean known = shard.any(life -> life.weights.containsKey(version));
            violations.violated(
                    HistoryRule.PULLED,
                    e.worker() + " pulled version " + version + " of ps-" + shard.shard
                            + (known ? ", but got weights other than that version's" : ", which does not exist yet"));
        }
    }

    void sent(HistoryEvent.Sent e) {
        violations.sent++;
        RecordedWorker worker = context.worker(e.worker());
        worker.send(e, violations.event);
        HistoryEvent.Pulled pulled = worker.pulled;
        if (pulled == null) {
            violations.violated(HistoryRule.BASED_ON, push(e) + " has no basis: the worker has pulled no weights");
            return;
        }
        for (RecordedShardLives shard : context.shards) {
            int i = shard.shard;
            long claimed = e.basedOn().get(i);
            long real = pulled.versions().get(i);
            violations.require(
                    claimed == real,
                    HistoryRule.BASED_ON,
                    () -> push(e) + " claims to be based on version " + claimed + " of ps-" + i
                            + ", but the worker pulled " + real);
        }
    }

    void answered(HistoryEvent.Answered e) {
        RecordedWorker worker = context.worker(e.worker());
        HistoryEvent.Sent sent = worker.sent;
        String push = "push " + e.pushId() + " of " + e.worker();
        if (sent == null || sent.pushId() != e.pushId()) {
            violations.violated(HistoryRule.ACKNOWLEDGED, push + " was answered, but it had not been sent");
            return;
        }
        for (RecordedShardLives shard : context.shards) {
            int i = shard.shard;
            Outcome told = e.outcomes().get(i);
            long version = e.versions().get(i);
            ShardAction action = worker.deed(i);
            violations.require(
                    action != null && action.fits(told, version),
                    HistoryRule.ACKNOWLEDGED,
                    () -> push + ": ps-" + i + " answered " + told + " at version " + version + ", but it "
                            + (action == null ? "did nothing with it" : "did " + action)
                            + " since it was sent in event "
                            + worker.sentAt);
        }
        Outcome all = worst(e.outcomes());
        violations.require(
                e.told() == all,
                HistoryRule.ACKNOWLEDGED,
                () -> push + ": the shards answered " + e.outcomes() + ", which is " + all
                        + ", but the worker received " + e.told());
    }

    /**
     * Returns the outcome, among those of all shards, that decides the worker's next step: retry, wait, or nothing.
     * Orders the outcomes independently of the enum's order.
     */
    private static Outcome worst(List<Outcome> outcomes) {
        for (Outcome outcome : List.of(Outcome.STALE, Outcome.ACCUMULATED, Outcome.APPLIED)) {
            if (outcomes.contains(outcome)) {
                return outcome;
            }
        }
        return Outcome.DUPLICATE;
    }

    void awaited(HistoryEvent.Awaited e) {
        if (!e.applied()) {
            return;
        }
        for (RecordedShardLives shard : context.shards) {
            violations.require(
                    shard.any(life -> life.applied.contains(e.pushId())),
                    HistoryRule.ACKNOWLEDGED,
                    () -> e.worker() + " received that the round of its push " + e.pushId() + " is over, but ps-"
                            + shard.shard + " has never applied it");
        }
    }

    private static String push(HistoryEvent.Sent e) {
        return "push " + e.pushId() + " of " + e.worker();
    }

    /** Returns the gradient that a worker sent last, if it belongs to this push; otherwise null. */
    static @Nullable RecordedVector gradient(RecordedWorker worker, long pushId) {
        HistoryEvent.Sent sent = worker.sent;
        return sent == null || sent.pushId() != pushId ? null : sent.gradient();
    }
}
