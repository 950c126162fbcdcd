package dev.edl.runtime.protocol;

import dev.edl.runtime.ps.BaseVersions;
import dev.edl.runtime.ps.NonFiniteGradientException;
import dev.edl.runtime.ps.ParameterShard;
import dev.edl.runtime.ps.PushResult;
import dev.edl.runtime.ps.PushResult.Outcome;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ShardRange;
import dev.edl.runtime.ps.rounds.Member;
import dev.edl.runtime.ps.rounds.Round;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What workers ask of one life of a shard. */
final class WorkerRequests {
    private final ParameterShard shard;
    private final ShardLife life;
    private final boolean synchronous;
    private final Members members;
    private final PushHold hold;
    private final List<Effect> out;
    private final BaseVersions base;
    private final float[] full;
    /** Of each worker the push whose round is open. */
    private final Map<String, Unanswered> unanswered = new TreeMap<>();

    private record Unanswered(Link link, long request, Round round) {}

    WorkerRequests(
            ParameterShard shard,
            ShardLife life,
            boolean synchronous,
            Members members,
            PushHold hold,
            List<Effect> out) {
        this.shard = shard;
        this.life = life;
        this.synchronous = synchronous;
        this.members = members;
        this.hold = hold;
        this.out = out;
        this.base = new BaseVersions(shard.range().index() + 1);
        this.full = new float[shard.range().end()];
    }

    ParameterShard shard() {
        return shard;
    }

    ShardLife life() {
        return life;
    }

    void on(Link link, WorkerToShard request) {
        if (request instanceof WorkerToShard.Push push) {
            if (hold.admits(link, push)) {
                take(link, push);
            }
        } else if (!request.life().equals(life)) {
            if (!(request instanceof WorkerToShard.Idle)) {
                send(link, new ShardToWorker.Gone(life, request.request()));
            }
        } else if (request instanceof WorkerToShard.Pull) {
            pull(link, request.request());
        } else if (request instanceof WorkerToShard.Held held) {
            send(link, new ShardToWorker.Count(life, request.request(), shard.held(held.firstPushId(), held.count())));
        } else if (request instanceof WorkerToShard.Idle) {
            members.idles(shard, link, request.request());
            settle();
        }
    }

    private void pull(Link link, long request) {
        ShardRange range = shard.range();
        FloatBuffer values = FloatBuffer.allocate(range.length());
        shard.pull(
                (floats, from, offset, count) -> values.put(offset - range.offset(), floats, from, count),
                List.of(),
                base);
        send(link, new ShardToWorker.Values(life, request, base.version(range.index()), values));
    }

    /** Takes a push that a hold has kept. */
    void take(PushHold.Waiting waiting) {
        take(waiting.link(), waiting.push());
    }

    private void take(Link link, WorkerToShard.Push push) {
        String worker = link.peer();
        hold.took(worker, push.request());
        if (!push.life().equals(life)) {
            send(link, new ShardToWorker.Gone(life, push.request()));
            return;
        }
        Unanswered before = unanswered.get(worker);
        if (before != null && before.request() == push.request()) {
            // The worker has connected again; its answer goes there.
            unanswered.put(worker, new Unanswered(link, push.request(), before.round()));
            return;
        }
        members.pushes(shard, link, push.request());
        PushResult result;
        try {
            result = apply(worker, push);
        } catch (NonFiniteGradientException bad) {
            send(link, new ShardToWorker.NotFinite(life, push.request()));
            return;
        }
        if (synchronous && result.outcome() == Outcome.ACCUMULATED) {
            Round round = shard.waits().enter(new Member(worker), push.pushId());
            unanswered.put(worker, new Unanswered(link, push.request(), round));
        } else {
            send(link, new ShardToWorker.Result(life, push.request(), result.outcome(), result.version()));
        }
        settle();
    }

    private PushResult apply(String worker, WorkerToShard.Push push) {
        ShardRange range = shard.range();
        push.gradient().get(0, full, range.offset(), range.length());
        // The life is the present one, and the shard itself holds nothing back, so this waits for nothing.
        return shard.push(worker, push.pushId(), push.version(), full, List.of());
    }

    /** Answers the pushes whose round is over. */
    void settle() {
        unanswered.values().removeIf(each -> {
            Round.State state = each.round().state();
            if (state == Round.State.APPLIED) {
                send(each.link(), new ShardToWorker.Result(life, each.request(), Outcome.APPLIED, shard.version()));
            }
            return state != Round.State.OPEN;
        });
    }

    /** Ends the life: what waits for a round is done again. */
    void retire() {
        shard.retire();
        unanswered.values().forEach(each -> send(each.link(), new ShardToWorker.Gone(life, each.request())));
        unanswered.clear();
    }

    void closed(Link link) {
        unanswered.values().removeIf(each -> each.link().equals(link));
    }

    private void send(Link link, ShardToWorker answer) {
        out.add(new Effect.Send(link, answer));
    }
}
