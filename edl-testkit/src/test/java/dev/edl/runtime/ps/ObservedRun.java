package dev.edl.runtime.ps;

import dev.edl.runtime.HistoryDetail;
import dev.edl.runtime.history.HistoryEvent;
import dev.edl.runtime.history.PushSet;
import dev.edl.runtime.history.RunRecorder;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.optimizers.UpdateRule;
import dev.edl.runtime.ps.group.TestShards;
import dev.edl.runtime.ps.group.Workers;
import dev.edl.runtime.ps.shard.ParameterShard;
import dev.edl.testkit.history.History;
import dev.edl.testkit.history.HistoryChecker;
import dev.edl.testkit.history.HistoryReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A small, deterministic run on one thread. 4 workers push 24 gradients to 2 shards, two per update, at staleness 0 to
 * 1 of 1. ps-1 is lost after push 15 and restored from the cut after push 8. The recording claims the {@link #CLAIMED}
 * rule; each part can be replaced by one with a bug.
 *
 * <p>Limits: workers never meet inside a shard, and no worker waits for a round.
 */
final class ObservedRun {
    static final int PUSHES = 24;
    static final Optimizer OPTIMIZER = Optimizer.sgd(0.125f, 0.5f, false);
    static final Consistency CLAIMED = Consistency.staleness(1).withGradsToWait(2);
    private static final int FLOATS = 7;
    private static final int WORKERS = 4;
    private static final List<ShardRange> RANGES = Sharding.split(FLOATS, 2);

    PlantedBug bug = new PlantedBug();
    UpdateRule rule = UpdateRule.of(OPTIMIZER, CLAIMED);
    BinaryOperator<ShardSnapshot> disk = (older, newest) -> newest;
    UnaryOperator<long[]> claims = versions -> versions;
    int end = PUSHES;
    int completes = PUSHES;

    private final List<HistoryEvent> events = new ArrayList<>();
    private final RunRecorder recorder = RunRecorder.to(
            events::add,
            new HistoryEvent.Began(
                    RANGES,
                    FLOATS,
                    PUSHES,
                    OPTIMIZER.toString(),
                    CLAIMED.staleness(),
                    CLAIMED.gradsToWait(),
                    HistoryDetail.GRADIENTS));

    /** Runs to the end. */
    List<HistoryEvent> events() throws InterruptedException {
        TestShards group = new TestShards(RANGES.stream().map(this::shard).toList(), Duration.ofMillis(1));
        group.observe(recorder);
        Workers.of(group).between((worker, port) -> bug.in(group, worker, port));
        group.initialize(new float[] {1, 2, 3, 4, 5, 6, 7});
        for (int w = 0; w < WORKERS; w++) {
            group.join("w" + w);
        }
        List<ShardSnapshot> saved = new ArrayList<>();
        for (int first = 0; first < end; first += WORKERS) {
            if (first == 4 || first == 8) {
                saved.add(group.cut().shards().get(1));
            }
            turn(group, first, first == 16 ? disk.apply(saved.get(0), saved.get(1)) : null);
        }
        // Pushes that the lost shard had taken since the cut are repeated, as a reassigned task does.
        for (int tries = 0; tries < 2 * PUSHES; tries++) {
            long next = Workers.of(group).resumeAt("w0", 0, end);
            if (next == end) {
                break;
            }
            float[] weights = new float[FLOATS];
            push(group, "w0", next, pull(group, "w0", weights));
            group.flush();
        }
        recorder.taskCompleted(0, completes);
        group.flush();
        ShardCut cut = group.cut();
        recorder.ended(
                PushSet.range(0, PUSHES),
                cut.shards().stream().map(ShardSnapshot::version).toList());
        return events;
    }

    HistoryReport check() throws InterruptedException {
        return HistoryChecker.check(History.of(events()));
    }

    private ParameterShard shard(ShardRange range) {
        return new ParameterShard(range, 2, ShardContents.floats(FLOATS), rule, PUSHES);
    }

    /** All workers pull, ps-1 may be replaced, all workers push; a worker with a stale push repeats it. */
    private void turn(TestShards group, int first, @Nullable ShardSnapshot back) throws InterruptedException {
        long[][] versions = new long[WORKERS][];
        for (int w = 0; w < WORKERS; w++) {
            versions[w] = pull(group, "w" + w, new float[FLOATS]);
        }
        if (back != null) {
            group.detach(1);
            ParameterShard fresh = shard(RANGES.get(1));
            fresh.restore(back);
            group.attach(1, fresh);
        }
        for (int w = 0; w < WORKERS; w++) {
            push(group, "w" + w, first + w, versions[w]);
        }
    }

    private static long[] pull(TestShards group, String worker, float[] weights) throws InterruptedException {
        long[] versions = new long[2];
        Workers.of(group).pull(worker, weights, List.of(), versions);
        return versions;
    }

    private void push(TestShards group, String worker, long id, long[] pulled) throws InterruptedException {
        long[] versions = pulled;
        for (int tries = 0; tries < 3; tries++) {
            PushResult result = Workers.of(group).push(worker, id, claims.apply(versions), gradient(id));
            if (result.outcome() != PushResult.Outcome.STALE) {
                return;
            }
            versions = pull(group, worker, new float[FLOATS]);
        }
    }

    static float[] gradient(long id) {
        float[] gradient = new float[FLOATS];
        for (int i = 0; i < FLOATS; i++) {
            gradient[i] = (id + 1) / (i + 3f);
        }
        return gradient;
    }

    /** Returns a state of the same shard with some of it replaced. */
    static ShardSnapshot altered(ShardSnapshot saved, long version, AppliedPushes applied, float[] weights) {
        float[][] slots = {saved.slot(0)};
        return new ShardSnapshot(
                saved.range(),
                saved.optimizer(),
                version,
                new ShardSnapshot.State(
                        weights, slots, saved.pendingSum(), saved.step(), saved.rows(), saved.rowSums()),
                applied,
                saved.pending(),
                saved.pendingStaleness());
    }

    static float[] zeros(float[] like) {
        float[] zeros = like.clone();
        Arrays.fill(zeros, 0);
        return zeros;
    }
}
