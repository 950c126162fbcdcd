package dev.edl.runtime.protocol;

import dev.edl.runtime.ps.ParameterShard;
import dev.edl.runtime.ps.ShardCut;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ShardSnapshot;
import dev.edl.runtime.ps.ports.Term;
import dev.edl.runtime.task.LedgerEvent;
import dev.edl.runtime.task.LedgerProof;
import dev.edl.runtime.task.Task;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a life has to keep. It believes no machine: it sees messages, effects and updates, and keeps books of its own. */
final class Oracle {
    final List<String> broken = new ArrayList<>();
    private final Life life;
    /** The shard of each server process, and of each life. */
    private final Map<String, ShardWatch> shards = new HashMap<>();

    private final Map<ShardLife, List<ShardWatch>> lives = new HashMap<>();
    private final Map<CutId, Map<Integer, ShardSnapshot>> parts = new HashMap<>();
    private final Set<CutId> committed = new HashSet<>();
    /** The term that each server process follows. */
    private final Map<String, Term> followed = new HashMap<>();
    /** The lives that a master has heard of, by master and shard. */
    private final Map<String, ShardLife> known = new HashMap<>();
    /** The lives that the values of a worker's request came from, and those that a gradient is of. */
    private final Map<String, Set<ShardLife>> pulled = new HashMap<>();

    private final Map<String, Set<ShardLife>> computed = new HashMap<>();
    /** The tasks that each master has left with workers that are connected to it, by master and worker. */
    private final Map<String, Holder> holders = new HashMap<>();

    /** What each master has asked shards to confirm, by master and request; which shards have, by master and task. */
    private final Map<String, MasterToShard.Confirm> asked = new HashMap<>();

    private final Map<String, ShardLife> confirmed = new HashMap<>();
    private final Map<String, List<String>> membersBefore = new HashMap<>();

    private record Holder(Task task, Link link, long heardAt) {}

    Oracle(Life life) {
        this.life = life;
    }

    void breaks(String what) {
        broken.add(what);
        life.note("BROKEN: " + what);
    }

    /** Returns the life that a server has now; for planted defects. */
    ShardLife lifeOf(String server) {
        return shards.entrySet().stream()
                .filter(each -> each.getKey().startsWith(server + ".") && life.isAlive(each.getKey()))
                .map(each -> each.getValue().life)
                .findFirst()
                .orElse(ShardLife.UNORDERED);
    }

    /** Returns whether a shard has had this life; for planted defects. */
    boolean isKnown(ShardLife named) {
        return lives.containsKey(named);
    }

    /** Returns the newest cut of which a shard has written its part; for planted defects. */
    @Nullable
    CutId newestPart(int shard) {
        return parts.entrySet().stream()
                .filter(each -> each.getValue().containsKey(shard))
                .map(Map.Entry::getKey)
                .max(CutId::compareTo)
                .orElse(null);
    }

    long staleness() {
        return life.consistency.staleness();
    }

    /** Returns the gradient of a push at one place of the vector. */
    static float gradient(long push, int place) {
        return 1 + (push * 7 + place) % 13;
    }

    static FloatBuffer vector(long push, int size) {
        FloatBuffer gradient = FloatBuffer.allocate(size);
        for (int i = 0; i < size; i++) {
            gradient.put(i, gradient(push, i));
        }
        return gradient;
    }

    /** A server process has made a shard. */
    void watch(String server, ParameterShard shard) {
        ShardWatch watch = new ShardWatch(this, shard);
        shards.put(server, watch);
        shard.observe(watch);
    }

    void before(Node process, Event event) {
        if (event instanceof Event.Received received && received.message() instanceof WorkerToShard.Push push) {
            life.weather.arrives(process, received.link().peer(), push.request());
        }
        if (event instanceof Event.Received received && received.message() instanceof MasterToShard) {
            ShardWatch watch = shards.get(process.id);
            membersBefore.put(process.id, watch == null ? List.of() : watch.shard.members());
        }
        if (event instanceof Event.Received received) {
            heard(process, received.link(), received.message());
        } else if (event instanceof Event.Closed closed) {
            holders.values().removeIf(holder -> holder.link().equals(closed.link()));
        }
    }

    private void heard(Node process, Link link, Message message) {
        if (message instanceof ShardToWorker.Values values) {
            pulled.computeIfAbsent(pull(process, link.peer(), values.request()), each -> new HashSet<>())
                    .add(values.life());
        } else if (message instanceof ShardToMaster.Confirmed answer) {
            MasterToShard.Confirm question = asked.get(process.id + " " + link.peer() + " " + answer.request());
            if (question != null && question.count() == answer.held()) {
                confirmed.put(key(process.id + link.peer(), question.firstPushId(), question.count()), answer.life());
            }
        } else if ((message instanceof WorkerToMaster.Beat beat && beat.held() != null)
                || message instanceof WorkerToMaster.Report) {
            holders.computeIfPresent(
                    process.id + " " + link.peer(),
                    (who, last) -> new Holder(last.task(), last.link(), process.clock()));
        } else if (message instanceof WorkerToMaster.Hello || message instanceof WorkerToMaster.Next) {
            holders.remove(process.id + " " + link.peer());
        }
        if (message instanceof WorkerToMaster.Hello hello && hello.held() != null) {
            hellos.put(process.id + " " + link, hello.held());
        }
    }

    private final Map<String, Task> hellos = new HashMap<>();

    void after(Node process, Event event, List<Effect> effects) {
        if (event instanceof Event.Received received && received.message() instanceof MasterToShard order) {
            obeyed(process, order, effects);
        } else if (event instanceof Event.Received received
                && received.message() instanceof ShardToMaster.Ordered ordered
                && !effects.contains(new Effect.Close(received.link()))) {
            known.put(process.id + " " + received.link().peer(), ordered.life());
        }
        for (Effect effect : effects) {
            if (effect instanceof Effect.Send send) {
                sent(process, send.link(), send.message());
            } else if (effect instanceof Effect.Compute compute) {
                for (var range : life.ranges) {
                    Set<ShardLife> of =
                            pulled.getOrDefault(pull(process, range.name(), compute.number() - 1), Set.of());
                    computed.computeIfAbsent(
                                    key(process.id, compute.task().pushId(compute.minibatch()), range.index()),
                                    each -> new HashSet<>())
                            .addAll(of);
                }
            } else if (effect instanceof Effect.Write write) {
                int shard = write.state().range().index();
                parts.computeIfAbsent(write.cut(), cut -> new TreeMap<>()).put(shard, write.state());
            } else if (effect instanceof Effect.Load load && load.cut() != null && !committed.contains(load.cut())) {
                breaks(process.id + " restores " + load.cut() + ", which has no manifest");
            }
        }
    }

    private static String pull(Node worker, String shard, long request) {
        return worker.id + " " + shard + " " + request;
    }

    private static String key(String worker, long push, int shard) {
        return worker + " " + push + " " + shard;
    }

    private void sent(Node process, Link link, Message message) {
        String who = process.id + " " + link.peer();
        if (message instanceof ShardToMaster.Ordered ordered) {
            lives(process, ordered.life());
        } else if (message instanceof MasterToShard.Confirm question) {
            asked.put(who + " " + question.request(), question);
        } else if (message instanceof MasterToWorker.Given given) {
            given(process, link, given.task());
            holders.put(who, new Holder(given.task(), link, process.clock()));
        } else if (message instanceof MasterToWorker.Welcome welcome && welcome.kept()) {
            Task held = hellos.get(process.id + " " + link);
            if (held != null) {
                holders.put(who, new Holder(held, link, process.clock()));
            }
        } else if (message instanceof MasterToWorker.Reported || message instanceof MasterToWorker.Taken) {
            holders.remove(who);
        }
    }

    private void lives(Node server, ShardLife named) {
        ShardWatch watch = shards.get(server.id);
        if (watch == null) {
            return;
        }
        watch.life = named;
        List<ShardWatch> all = lives.computeIfAbsent(named, each -> new ArrayList<>());
        if (!all.contains(watch)) {
            all.add(watch);
            if (all.stream()
                            .filter(each -> each.shard.range().equals(watch.shard.range()))
                            .count()
                    > 1) {
                breaks(named + " names two lives of " + watch.shard.range());
            }
        }
    }

    /** No connected worker of this master that was heard of in time may hold what is handed out. */
    private void given(Node master, Link link, Task task) {
        String prefix = master.id + " ";
        holders.forEach((who, holder) -> {
            boolean same =
                    holder.task().epoch() == task.epoch() && holder.task().firstMinibatch() == task.firstMinibatch();
            boolean heard =
                    master.clock() - holder.heardAt() < life.spec.leaseTimeout().toNanos();
            if (who.startsWith(prefix) && !who.equals(prefix + link.peer()) && same && heard) {
                breaks(master.id + " hands " + task + " to " + link.peer() + ", which " + who + " holds");
            }
        });
    }

    /** A shard takes a push of a worker: its gradient has to be of weights of this life. */
    void accepted(ShardWatch watch, String worker, long push) {
        int shard = watch.shard.range().index();
        Set<ShardLife> base = computed.getOrDefault(key(worker, push, shard), Set.of());
        if (!watch.life.equals(ShardLife.UNORDERED) && !base.contains(watch.life)) {
            breaks(watch.shard.range() + " in " + watch.life + " took push " + push + " of " + worker
                    + ", computed from " + base);
        }
    }

    /** An order of a lower term, or of another master of the same one, may do nothing. */
    private void obeyed(Node server, MasterToShard order, List<Effect> effects) {
        Term last = followed.get(server.id);
        Term given = order.term();
        boolean mayObey = last == null || given.number() > last.number() || given.equals(last);
        boolean refused = effects.stream()
                .anyMatch(effect ->
                        effect instanceof Effect.Send send && send.message() instanceof ShardToMaster.Refused);
        if (mayObey) {
            if (!refused && (last == null || !given.equals(last)) && !effects.isEmpty()) {
                followed.put(server.id, given);
            }
            return;
        }
        if (order instanceof MasterToShard.Replaced && last != null && given.number() == last.number()) {
            return;
        }
        boolean did = effects.stream().anyMatch(Oracle::isObedience);
        ShardWatch watch = shards.get(server.id);
        boolean moved = watch != null && !watch.shard.members().equals(membersBefore.get(server.id));
        if (did || moved) {
            breaks(server.id + " follows " + last + " and obeyed " + order);
        }
    }

    private static boolean isObedience(Effect effect) {
        if (effect instanceof Effect.Send send) {
            Message message = send.message();
            boolean isOwn = message instanceof ShardToMaster.Refused
                    || message instanceof ShardToMaster.Hello
                    || message instanceof ShardToMaster.Beat;
            return message instanceof ShardToMaster && !isOwn;
        }
        return effect instanceof Effect.Load || effect instanceof Effect.Write || effect instanceof Effect.End;
    }

    /** An event is in the journal of a master. */
    void journaled(String master, LedgerEvent event) {
        if (!(event instanceof LedgerEvent.Completed completed)) {
            return;
        }
        Task task = completed.task();
        for (var range : life.ranges) {
            ShardLife named = known.get(master + " " + range.name());
            ShardLife by = confirmed.get(key(master + range.name(), task.pushId(0), task.minibatches()));
            if (named == null || !named.equals(by)) {
                breaks(master + " completed " + task + ", and " + range + " in " + named + " has not confirmed it");
            }
        }
    }

    /** A cut has its manifest; the journal is that of its master. */
    void committed(Node master, Effect.Commit commit, List<LedgerEvent> journal) {
        committed.add(commit.cut());
        Map<Integer, ShardSnapshot> saved = parts.getOrDefault(commit.cut(), Map.of());
        if (saved.size() < life.ranges.size()) {
            breaks(commit.cut() + " has only the parts of shards " + saved.keySet());
            return;
        }
        ShardCut cut = new ShardCut(List.copyOf(saved.values()));
        life.note(cut, commit.exact() ? ", exact" : ", not exact");
        if (commit.exact() != cut.consistent()) {
            breaks(commit + " has parts that are " + (cut.consistent() ? "alike" : "not alike"));
        }
        // With a bound on the staleness a push can be stale at one shard alone, until it is done again.
        if (!life.weather.hasStruck() && !cut.consistent() && life.consistency.isAsynchronous()) {
            breaks(commit.cut() + " is not exact, though nothing has failed");
        }
        if (commit.last()) {
            last(cut);
            LedgerProof proof = LedgerProof.of(life.spec, journal);
            if (!proof.holds()) {
                breaks("the journal of " + master.id + " proves " + proof);
            }
        }
    }

    /** The result: every shard has applied every push once. */
    private void last(ShardCut cut) {
        long all = (long) life.spec.epochs() * life.spec.pushIds().minibatchesPerEpoch();
        for (ShardSnapshot part : cut.shards()) {
            if (part.appliedCount() != all || part.appliedPushes().distinct().count() != all) {
                breaks("the result has " + part.appliedCount() + " of " + all + " pushes of " + part.range());
            }
        }
    }
}
