package dev.edl.runtime.ps.group;

import dev.edl.runtime.EmbeddingRows;
import dev.edl.runtime.ps.BaseVersions;
import dev.edl.runtime.ps.ParameterShard;
import dev.edl.runtime.ps.PushResult;
import dev.edl.runtime.ps.internal.ShardSlots;
import dev.edl.runtime.ps.ports.CheckedShards;
import dev.edl.runtime.ps.ports.ParameterSink;
import dev.edl.runtime.ps.ports.ShardPort;
import dev.edl.runtime.ps.rounds.RoundMember;
import dev.edl.runtime.ps.rounds.RoundWait;
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
    /** Ports of the last call; the group returns the same array until a shard is replaced. */
    private ShardPort[] ports = {};

    private ParameterShard[] present = {};

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
    private <T> T run(ShardSlots.Action<ParameterShard, T> action) throws InterruptedException {
        return slots.run(null, group.patience, all -> {
            if (all != ports) {
                present = Arrays.stream(all).map(LocalShards::local).toArray(ParameterShard[]::new);
                ports = all;
            }
            return action.on(present);
        });
    }

    @Override
    protected void pullAll(ParameterSink into, List<EmbeddingRows> rows, BaseVersions base)
            throws InterruptedException {
        run(shards -> {
            for (int n = 0; n < shards.length; n++) {
                shards[(n + turn) % shards.length].pull(into, rows, base);
            }
            return shards.length;
        });
    }

    @Override
    protected void pushAll(long number, long pushId, BaseVersions base, float[] gradient, List<EmbeddingRows> rows)
            throws InterruptedException {
        run(shards -> {
            for (int n = 0; n < shards.length; n++) {
                int i = (n + turn) % shards.length;
                answers[i] = shards[i].pushFinite(worker, number, pushId, base, gradient, rows, false);
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
            try (RoundWait wait = run(shards -> RoundWait.begin(member, pushId, shards))) {
                group.announce();
                if (wait.over()) {
                    return wait.applied();
                }
                wait.yieldToOthers();
                left = wait.sleep(left, bound);
                group.announce();
                if (wait.applied()) {
                    return true;
                }
                // The successor of a lost shard may hold the push.
            }
        }
    }

    @Override
    public long resumeAt(long firstPushId, int count) throws InterruptedException {
        return group.resumeAt(firstPushId, count);
    }

    /** Returns the text for people, for example {@code worker-3 of 2 shards of 650 floats, 4 members}. */
    @Override
    public String toString() {
        return worker + " of " + group;
    }
}
