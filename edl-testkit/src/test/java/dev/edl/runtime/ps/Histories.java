package dev.edl.runtime.ps;

import dev.edl.runtime.HistoryDetail;
import dev.edl.runtime.history.HistoryEvent;
import dev.edl.runtime.history.PushSet;
import dev.edl.runtime.history.RunRecorder;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.ps.group.TestShards;
import java.util.List;

/** Records histories of groups that a test drives itself. */
final class Histories {
    private Histories() {}

    /** Appends all events to a list from now on, gradients included. */
    static RunRecorder of(
            TestShards group, Optimizer optimizer, Consistency consistency, int pushes, List<HistoryEvent> into) {
        RunRecorder recorder = RunRecorder.to(
                into::add,
                new HistoryEvent.Began(
                        Sharding.split(group.size(), group.count()),
                        group.size(),
                        pushes,
                        optimizer.toString(),
                        consistency.staleness(),
                        consistency.gradsToWait(),
                        HistoryDetail.GRADIENTS));
        group.observe(recorder);
        return recorder;
    }

    /** Records the end of the training. */
    static void end(TestShards group, RunRecorder recorder, int pushes) throws InterruptedException {
        List<Long> versions =
                group.cut().shards().stream().map(ShardSnapshot::version).toList();
        recorder.ended(PushSet.range(0, pushes), versions);
    }
}
