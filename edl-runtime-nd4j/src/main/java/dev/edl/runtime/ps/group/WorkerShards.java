package dev.edl.runtime.ps.group;

import dev.edl.runtime.model.EmbeddingRows;
import dev.edl.runtime.ps.PushResult;
import dev.edl.runtime.ps.WeightVersions;
import dev.edl.runtime.ps.ports.CheckedShards;
import dev.edl.runtime.ps.ports.ParameterSink;
import dev.edl.runtime.ps.ports.ShardPort;
import dev.edl.runtime.ps.shard.ParameterShard;
import dev.edl.runtime.ps.shard.RoundMember;
import dev.edl.runtime.ps.shard.RoundWait;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** One worker's access to the shards of its JVM. One thread at a time. */
final class WorkerShards extends CheckedShards {
    private final LocalShards group;
    private final ShardSlots<ShardPort> slots;
    private final String worker;
    /** Index of the shard at which each call begins, so that workers do not all queue for shard 0. */
    private final int turn;

    private final PushResult[] answers;

    WorkerShards(LocalShards group, String worker, int turn) {
        super(group.contents());
        this.group = group;
        this.slots = group.slots();
        this.worker = worker;
        this.turn = turn;
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

    /** Runs an action on all shards, after a wait for an absent one. */
    private <T> T run(ShardSlots.Action<ShardPort, T> action) throws InterruptedException {
        return slots.run(null, group.patience, action);
    }

    @Override
    protected void pullAll(ParameterSink into, List<EmbeddingRows> rows, WeightVersions base)
            throws InterruptedException {
        run(shards -> {
            for (int n = 0; n < shards.length; n++) {
                LocalShards.local(shards[(n + turn) % shards.length]).pull(into, rows, base);
            }
            return shards.length;
        });
    }

    @Override
    protected void pushAll(long number, long pushId, WeightVersions base, float[] gradient, List<EmbeddingRows> rows)
            throws InterruptedException {
        run(shards -> {
            for (int n = 0; n < shards.length; n++) {
                int i = (n + turn) % shards.length;
                answers[i] =
                        LocalShards.local(shards[i]).pushFinite(worker, number, pushId, base, gradient, rows, false);
            }
            return shards.length;
        });
        group.announce();
    }

    @Override
    protected PushResult answer(int shard) {
        return answers[shard];
    }

    @Override
    public boolean awaitRound(long pushId, Duration bound) throws InterruptedException {
        long left = bound.toNanos();
        while (true) {
            RoundMember member = group.member(worker);
            ShardPort[][] asked = new ShardPort[1][];
            try (RoundWait wait = run(shards -> {
                asked[0] = shards;
                ParameterShard[] all = new ParameterShard[shards.length];
                for (int i = 0; i < all.length; i++) {
                    all[i] = LocalShards.local(shards[i]);
                }
                return RoundWait.begin(member, pushId, all);
            })) {
                group.announce();
                wait.yieldToOthers();
                left = wait.sleep(left, bound);
                group.announce();
                if (slots.all() == asked[0]) {
                    return wait.applied();
                }
                // A successor may hold the push although its predecessor was lost, or lack it although it was applied.
            }
        }
    }

    @Override
    public long resumeAt(long firstPushId, int count) throws InterruptedException {
        return group.resumeAt(firstPushId, count);
    }

    /** Returns the text for people, for example {@code worker-3 of 2 shards, 4 members}. */
    @Override
    public String toString() {
        return worker + " of " + group;
    }
}
