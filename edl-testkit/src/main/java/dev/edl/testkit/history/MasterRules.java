package dev.edl.testkit.history;

import dev.edl.runtime.history.HistoryEvent;
import dev.edl.runtime.history.PushSet;

/** Checks of the tasks and results that the master counts as complete. */
final class MasterRules {
    private final HistoryCheckContext context;
    private final ViolationCollector violations;
    private final PushBitSet confirmed = new PushBitSet();

    MasterRules(HistoryCheckContext context) {
        this.context = context;
        this.violations = context.violations;
    }

    void confirmed(HistoryEvent.Confirmed e) {
        for (long next = e.first(); next < e.resumeAt(); next++) {
            long id = next;
            confirmed.add(id);
            for (RecordedShardLives shard : context.shards) {
                violations.require(
                        shard.holds(id),
                        HistoryRule.HELD,
                        () -> "pushes " + e.first() + " to " + (e.resumeAt() - 1)
                                + " were reported as held by every shard, but" + " ps-" + shard.shard
                                + " does not hold push " + id);
            }
        }
    }

    void completed(HistoryEvent.TaskCompleted e) {
        for (long next = e.first(); next < e.first() + e.count(); next++) {
            long id = next;
            violations.require(
                    confirmed.contains(id),
                    HistoryRule.TASKS,
                    () -> "the task of pushes " + e.first() + " to " + (e.first() + e.count() - 1)
                            + " was counted as done, but push " + id + " was not confirmed");
        }
    }

    void ended(HistoryEvent.Ended e) {
        violations.ended = true;
        for (RecordedShardLives shard : context.shards) {
            long version = e.versions().get(shard.shard);
            shard.newest(s -> s.version() == version)
                    .ifPresentOrElse(
                            last -> compare(e.expected(), shard, last),
                            () -> violations.violated(
                                    HistoryRule.COMPLETE,
                                    "the training ended with version " + version + " of ps-" + shard.shard
                                            + ", of which no snapshot was taken"));
        }
    }

    private void compare(PushSet expected, RecordedShardLives shard, RecordedShardLives.State last) {
        String name = "the training ended with version " + last.version() + " of ps-" + shard.shard;
        PushSet missing = expected.minus(last.applied());
        PushSet extra = last.applied().minus(expected);
        violations.require(
                missing.count() == 0,
                HistoryRule.COMPLETE,
                () -> name + ", which has not applied " + missing.count() + " of " + expected.count() + " pushes: "
                        + missing);
        violations.require(
                extra.count() == 0,
                HistoryRule.COMPLETE,
                () -> name + ", which has applied " + extra.count() + " pushes that are not of the training: " + extra);
        violations.require(
                last.pending().count() == 0,
                HistoryRule.COMPLETE,
                () -> name + ", where pushes still wait for their round: " + last.pending());
    }
}
