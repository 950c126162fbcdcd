package dev.edl.runtime.protocol;

import dev.edl.runtime.ps.ParameterShard;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ShardRange;
import dev.edl.runtime.ps.ShardSnapshot;
import dev.edl.runtime.ps.ports.Fence;
import dev.edl.runtime.ps.ports.StaleTermException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A parameter server: its master's orders and its workers' requests to one {@link ParameterShard}.
 *
 * <ul>
 *   <li>It has no shard before its first order, and answers GONE to a request to any other life than the present one.
 *   <li>It follows the master with the highest term, by a {@link Fence}, and refuses the orders of every other one.
 *   <li>A push is taken whole with its id, or not at all. The answer to a push whose round is open is sent when the round is over.
 *   <li>Rounds wait for the workers that the master lists, but for those that are idle.
 * </ul>
 */
public final class ShardProtocol implements Machine {
    private final int epochs;
    private final boolean synchronous;
    private final ShardRange range;
    private final Function<@Nullable ShardSnapshot, ParameterShard> shards;
    private final Dialer master;
    private final Heartbeat heartbeat = new Heartbeat();
    private final Fence fence;
    private final PushHold hold = new PushHold();
    private final Members members = new Members();
    private final Map<CutId, ShardToMaster.Saved> writing = new HashMap<>();
    private final List<Effect> out = new ArrayList<>();
    private @Nullable WorkerRequests requests;
    private MasterToShard.@Nullable Order loading;
    private long loads;
    private long epoch = -1;

    /**
     * Makes a server without a shard, which begins with the first tick.
     *
     * @param master the name of the master as a peer
     * @param epochs of the training
     * @param synchronous whether workers wait for rounds
     * @param shards makes a shard with a state, or with the initial values for null
     */
    public ShardProtocol(
            String master,
            ShardRange range,
            int epochs,
            boolean synchronous,
            Function<@Nullable ShardSnapshot, ParameterShard> shards) {
        this.master = new Dialer(master);
        this.range = range;
        this.fence = new Fence(range.name());
        this.epochs = epochs;
        this.synchronous = synchronous;
        this.shards = shards;
    }

    @Override
    public List<Effect> on(Event event, long now) {
        if (event instanceof Event.Received received) {
            if (received.message() instanceof MasterToShard order) {
                if (master.is(received.link())) {
                    master.answered();
                    order(order, now);
                }
            } else if (received.message() instanceof WorkerToShard request) {
                request(received.link(), request);
            }
        } else if (event instanceof Event.Closed closed) {
            closed(closed.link(), now);
        } else if (event instanceof Event.Loaded loaded) {
            loaded(loaded);
        } else if (event instanceof Event.Written written) {
            ShardToMaster.Saved saved = writing.remove(written.cut());
            if (saved != null) {
                answer(saved);
            }
        }
        due(now);
        List<Effect> effects = List.copyOf(out);
        out.clear();
        return effects;
    }

    private ShardLife life() {
        WorkerRequests present = requests;
        return present == null ? ShardLife.UNORDERED : present.life();
    }

    private void order(MasterToShard order, long now) {
        long followed = fence.term();
        if (order instanceof MasterToShard.Replaced && order.term().number() >= followed) {
            // Also when it follows another master of this term, which may have died with nobody left to say so.
            out.add(new Effect.End(75, "another server has the place of " + range.name()));
            return;
        }
        try {
            fence.require(order.term());
        } catch (StaleTermException stale) {
            answer(new ShardToMaster.Refused(followed));
            return;
        }
        if (fence.term() > followed) {
            epoch = -1;
        }
        WorkerRequests present = requests;
        if (order instanceof MasterToShard.Order one) {
            live(one);
        } else if (order instanceof MasterToShard.Leave) {
            out.add(new Effect.End(0, "the training is complete"));
        } else if (order instanceof MasterToShard.Go go) {
            hold.follow(go.follow());
            if (present != null && hold.holds(go.cut())) {
                hold.end(present::take);
            }
        } else if (present != null) {
            obey(present, order, now);
        }
    }

    private void obey(WorkerRequests present, MasterToShard order, long now) {
        if (order instanceof MasterToShard.Members list) {
            if (list.epoch() > epoch) {
                epoch = list.epoch();
                members.list(present.shard(), list.workers());
                hold.forget(worker -> !members.knows(worker));
                present.settle();
            }
        } else if (order instanceof MasterToShard.Confirm asked) {
            int held = asked.life().equals(life()) ? present.shard().held(asked.firstPushId(), asked.count()) : 0;
            answer(new ShardToMaster.Confirmed(life(), asked.request(), held));
        } else if (order instanceof MasterToShard.Hold begun) {
            answer(new ShardToMaster.Holding(life(), begun.cut(), hold.begin(begun.cut(), now)));
        } else if (order instanceof MasterToShard.Flush flush && hold.holds(flush.cut())) {
            hold.flush(flush.sequences(), present::take);
            flushed();
        } else if (order instanceof MasterToShard.Save save) {
            save(present, save.cut());
        }
    }

    /** Keeps the shard that has this life; makes another one in the place of every other. */
    private void live(MasterToShard.Order order) {
        WorkerRequests present = requests;
        if (present != null && present.life().equals(order.life())) {
            loading = null;
            ordered(present);
            return;
        }
        loading = order;
        loads++;
        out.add(new Effect.Load(loads, order.restore()));
    }

    private void loaded(Event.Loaded loaded) {
        MasterToShard.Order order = loading;
        if (order == null || loaded.number() != loads) {
            return;
        }
        loading = null;
        WorkerRequests last = requests;
        if (last != null) {
            last.retire();
        }
        ParameterShard shard = shards.apply(loaded.state());
        shard.begin(order.life());
        members.moveTo(shard);
        WorkerRequests next = new WorkerRequests(shard, order.life(), synchronous, members, hold, out);
        requests = next;
        if (last != null) {
            hold.end(next::take);
        }
        ordered(next);
    }

    private void ordered(WorkerRequests present) {
        List<BitSet> applied = new ArrayList<>();
        for (int each = 0; each < epochs; each++) {
            applied.add(present.shard().appliedInEpoch(each));
        }
        answer(new ShardToMaster.Ordered(
                present.life(), applied, present.shard().snapshot().pending()));
    }

    private void save(WorkerRequests present, CutId cut) {
        ShardSnapshot state = present.shard().snapshot();
        writing.put(
                cut,
                new ShardToMaster.Saved(
                        life(),
                        cut,
                        state.appliedPushes().reduce(0, ShardProtocol::print),
                        state.pending().stream().mapToLong(id -> id).reduce(0, ShardProtocol::print),
                        state.appliedCount()));
        out.add(new Effect.Write(cut, state));
    }

    /** Stands for a sequence of ids. */
    private static long print(long before, long id) {
        long mixed = (before ^ (id + 1)) * 0x9E3779B97F4A7C15L;
        return mixed ^ (mixed >>> 32);
    }

    private void request(Link link, WorkerToShard request) {
        WorkerRequests present = requests;
        if (present == null) {
            if (!(request instanceof WorkerToShard.Idle)) {
                out.add(new Effect.Send(link, new ShardToWorker.Gone(ShardLife.UNORDERED, request.request())));
            }
        } else {
            present.on(link, request);
            flushed();
        }
    }

    private void flushed() {
        CutId cut = hold.flushed();
        if (cut != null) {
            answer(new ShardToMaster.Flushed(life(), cut));
        }
    }

    private void closed(Link link, long now) {
        if (master.closed(link, now)) {
            return;
        }
        members.closed(link);
        hold.closed(link);
        WorkerRequests present = requests;
        if (present != null) {
            present.closed(link);
        }
    }

    private void answer(ShardToMaster answer) {
        if (master.isOpen()) {
            out.add(new Effect.Send(master.link(), answer));
        }
    }

    private void due(long now) {
        WorkerRequests present = requests;
        if (present != null) {
            hold.due(now, present::take);
        }
        if (!master.isOpen() && master.isReady(now)) {
            out.add(new Effect.Send(master.link(), new ShardToMaster.Hello(fence.term(), life())));
            heartbeat.beaten(now);
        } else if (master.isOpen() && heartbeat.isDue(now)) {
            answer(new ShardToMaster.Beat(life()));
            heartbeat.beaten(now);
        }
    }

    @Override
    public long wakeAt() {
        return Math.min(hold.dueAt(), master.isOpen() ? heartbeat.dueAt() : master.retryAt());
    }

    /** Returns the text for people, for example {@code ps-1[2..4), life 0 of term 1, ps-1 follows term 1 of m1}. */
    @Override
    public String toString() {
        return range + ", " + life() + ", " + fence;
    }
}
