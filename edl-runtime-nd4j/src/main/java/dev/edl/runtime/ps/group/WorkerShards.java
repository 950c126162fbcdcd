package dev.edl.runtime.ps.group;

import dev.edl.runtime.EmbeddingRows;
import dev.edl.runtime.ps.BaseVersions;
import dev.edl.runtime.ps.ParameterShard;
import dev.edl.runtime.ps.PushResult;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ports.ParameterSink;
import dev.edl.runtime.ps.ports.ShardsPort;
import dev.edl.runtime.ps.rounds.RoundMember;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** One worker's access to the shards of its JVM. One thread at a time. */
final class WorkerShards implements ShardsPort {
    private static final long NO_PUSH = -1;

    private final ShardGroup group;
    private final LocalShardSlots slots;
    private final String worker;
    private final Duration patience;
    /** Index of the shard at which each call begins, so that workers do not all queue for shard 0. */
    private final int turn;

    private final PushResult[] answers;
    /** Sequence number of this worker's last push, the same at all shards. */
    private long sequence;

    /** Id of the push that was aborted while a shard was absent; {@link #NO_PUSH} if there is none. */
    private long unfinished = NO_PUSH;

    WorkerShards(ShardGroup group, LocalShardSlots slots, String worker, int turn, Duration patience) {
        this.group = group;
        this.slots = slots;
        this.worker = worker;
        this.turn = turn % slots.count();
        this.patience = patience;
        this.answers = new PushResult[slots.count()];
        Arrays.fill(answers, new PushResult(PushResult.Outcome.DUPLICATE, 0));
    }

    @Override
    public int count() {
        return slots.count();
    }

    @Override
    public int missing() {
        return slots.missing();
    }

    @Override
    public void pull(ParameterSink into, List<EmbeddingRows> rows, BaseVersions base) throws InterruptedException {
        group.contents().requireRows(rows);
        slots.requireVersions(base.shards());
        slots.run(patience, shards -> {
            for (int n = 0; n < shards.length; n++) {
                shards[(n + turn) % shards.length].pull(into, rows, base);
            }
            return shards.length;
        });
    }

    @Override
    public void pull(float[] into, List<EmbeddingRows> rows, BaseVersions base) throws InterruptedException {
        group.requireLength(into);
        pull(ParameterSink.into(into), rows, base);
    }

    @Override
    public PushResult push(long pushId, BaseVersions base, float[] gradient, List<EmbeddingRows> rows)
            throws InterruptedException {
        group.requirePush(base, gradient, rows);
        // Keep the number when resending to a replaced shard, so that the other shards recognize the push.
        long number = pushId == unfinished ? sequence : ++sequence;
        unfinished = pushId;
        PushResult result = slots.run(patience, shards -> pushAll(shards, number, pushId, base, gradient, rows));
        unfinished = NO_PUSH;
        group.announce();
        return result;
    }

    private PushResult pushAll(
            ParameterShard[] shards,
            long number,
            long pushId,
            BaseVersions base,
            float[] gradient,
            List<EmbeddingRows> rows)
            throws InterruptedException {
        PushResult.Outcome outcome = PushResult.Outcome.DUPLICATE;
        long version = 0;
        for (int n = 0; n < shards.length; n++) {
            int i = (n + turn) % shards.length;
            PushResult result = shards[i].pushFinite(worker, number, pushId, base, gradient, rows, false);
            outcome = outcome.and(result.outcome());
            version = Math.max(version, result.version());
            answers[i] = result;
        }
        return new PushResult(outcome, version);
    }

    @Override
    public List<PushResult> answers() {
        return sequence == 0 ? List.of() : List.of(answers);
    }

    @Override
    public boolean awaitRound(long pushId, Duration bound) throws InterruptedException {
        long left = bound.toNanos();
        while (true) {
            RoundMember member = group.member(worker);
            RoundWait wait = slots.run(patience, shards -> RoundWait.begin(member, pushId, shards));
            try {
                group.announce();
                if (wait.over()) {
                    return wait.applied();
                }
                left = wait.sleep(left, bound);
            } finally {
                wait.withdraw();
            }
        }
    }

    @Override
    public long resumeAt(long firstPushId, int count) throws InterruptedException {
        return group.resumeAt(firstPushId, count, ShardLife.UNKNOWN_LIVES);
    }

    /** Returns the text for people, for example {@code worker-3 of 2 shards of 650 floats, 4 members}. */
    @Override
    public String toString() {
        return worker + " of " + group;
    }
}
