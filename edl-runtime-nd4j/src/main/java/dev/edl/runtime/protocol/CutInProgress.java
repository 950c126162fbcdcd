package dev.edl.runtime.protocol;

import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ports.Term;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One cut through all shards: hold, flush, save and go, each when every shard has done the step before.
 *
 * <p>A shard copies its state at the save and lets pushes in right behind it: no other shard can have taken one of those before its own
 * copy. A push that does not come within {@link #FLUSH} leaves the cut inexact.
 */
final class CutInProgress {
    static final long FLUSH = Duration.ofSeconds(5).toNanos();
    static final long SAVE = Duration.ofSeconds(30).toNanos();

    private enum Step {
        HOLD,
        FLUSH,
        SAVE,
        OVER
    }

    private final CutId id;
    private final ServerSeats servers;
    private final List<ShardLife> lives = new ArrayList<>();
    private final List<Effect> out;
    private final Map<Integer, ShardToMaster> answers = new HashMap<>();
    private Step step = Step.HOLD;
    private Map<String, Long> last = new HashMap<>();
    private long deadline;

    /** Begins a cut; every server must be ready. */
    CutInProgress(CutId id, ServerSeats servers, List<Effect> out, long now) {
        this.id = id;
        this.servers = servers;
        this.out = out;
        lives.addAll(servers.lives());
        deadline = now + FLUSH;
        toAll(new MasterToShard.Hold(id.term(), id));
    }

    /** Whether shards still stop pushes for it. */
    boolean holds() {
        return step == Step.HOLD || step == Step.FLUSH;
    }

    private Term term() {
        return id.term();
    }

    /**
     * Takes an answer of a shard.
     *
     * @param open whether a worker is connected; the push of another one may never come
     * @return the parts, once all are written; else null
     */
    @Nullable
    List<ShardToMaster.Saved> answered(ServerSeat server, ShardToMaster answer, Predicate<String> open, long now) {
        if (!isOf(server, answer)) {
            return null;
        }
        answers.put(server.index, answer);
        if (answers.size() < servers.count()) {
            return null;
        }
        if (step == Step.HOLD) {
            flush(open, now);
        } else if (step == Step.FLUSH) {
            save(Map.of(), now);
        } else {
            step = Step.OVER;
            return answers.values().stream()
                    .map(ShardToMaster.Saved.class::cast)
                    .toList();
        }
        return null;
    }

    private boolean isOf(ServerSeat server, ShardToMaster answer) {
        if (answer instanceof ShardToMaster.Holding holding) {
            return step == Step.HOLD && holding.cut().equals(id) && isSameLife(server, holding.life());
        } else if (answer instanceof ShardToMaster.Flushed flushed) {
            return step == Step.FLUSH && flushed.cut().equals(id) && isSameLife(server, flushed.life());
        } else if (answer instanceof ShardToMaster.Saved saved) {
            return step == Step.SAVE && saved.cut().equals(id) && isSameLife(server, saved.life());
        }
        return false;
    }

    /** Whether a server is still connected in the life that this cut began with. */
    boolean isOf(ServerSeat server) {
        return server.isReady() && isSameLife(server, server.life);
    }

    private boolean isSameLife(ServerSeat server, ShardLife life) {
        return lives.get(server.index).equals(life);
    }

    private void flush(Predicate<String> open, long now) {
        last = new HashMap<>();
        for (ShardToMaster answer : answers.values()) {
            ((ShardToMaster.Holding) answer)
                    .taken()
                    .forEach((worker, sequence) -> last.merge(worker, sequence, Math::max));
        }
        last.keySet().removeIf(open.negate());
        step(Step.FLUSH, now + FLUSH);
        toAll(new MasterToShard.Flush(term(), id, last));
    }

    private void save(Map<String, Long> follow, long now) {
        step(Step.SAVE, now + SAVE);
        toAll(new MasterToShard.Save(term(), id));
        toAll(new MasterToShard.Go(term(), id, follow));
    }

    private void step(Step next, long until) {
        step = next;
        answers.clear();
        deadline = until;
    }

    /** Does what the time asks for; returns whether the cut is given up. */
    boolean due(long now) {
        if (now < deadline || step == Step.OVER) {
            return false;
        }
        if (step == Step.FLUSH) {
            // Its worker is gone or waits for a server: later cuts do not wait for it again.
            save(last, now);
            return false;
        }
        return true;
    }

    long dueAt() {
        return step == Step.OVER ? Machine.NEVER : deadline;
    }

    /** Lets everything in, as far as servers are connected. */
    void giveUp() {
        step = Step.OVER;
        toAll(new MasterToShard.Go(term(), id, Map.of()));
    }

    private void toAll(MasterToShard order) {
        for (ServerSeat server : servers) {
            Link link = server.link;
            if (link != null) {
                out.add(new Effect.Send(link, order));
            }
        }
    }
}
