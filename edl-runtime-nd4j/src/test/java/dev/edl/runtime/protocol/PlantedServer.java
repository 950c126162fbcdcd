package dev.edl.runtime.protocol;

import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ports.Term;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Parameter servers with a defect each. */
final class PlantedServer extends Planted {
    /** Leaves room between two lists of the master for lists of the defect. */
    private static final long SPREAD = 1_000;

    private final Defect defect;
    private final Life life;
    private final int index;
    private final SortedSet<String> pushers = new TreeSet<>();
    private MasterToShard.@Nullable Members last;
    private @Nullable Link lastLink;
    private @Nullable Term followed;
    private ShardLife present = ShardLife.UNORDERED;

    PlantedServer(Defect defect, Machine machine, String name, Life life) {
        super(machine);
        this.defect = defect;
        this.life = life;
        this.index = Integer.parseInt(name.substring("ps-".length()));
    }

    @Override
    void hears(Event event, long now) {
        if (!(event instanceof Event.Received received)) {
            passes(event, now);
        } else if (received.message() instanceof MasterToShard order) {
            obeys(received.link(), order, now);
        } else if (received.message() instanceof WorkerToShard.Push push) {
            takes(received.link(), push, now);
        } else {
            passes(event, now);
        }
    }

    private void obeys(Link link, MasterToShard order, long now) {
        Term term = term(order.term());
        if (order instanceof MasterToShard.Members list && isAboutMembers()) {
            SortedSet<String> workers = new TreeSet<>(list.workers());
            MasterToShard.Members before = last;
            workers.addAll(defect == Defect.MEMBER_JOINS_ITSELF || before == null ? pushers : before.workers());
            MasterToShard.Members next = new MasterToShard.Members(term, list.epoch() * SPREAD, workers);
            last = next;
            lastLink = link;
            passes(link, next, now);
        } else if (defect == Defect.PART_WITHOUT_MANIFEST && order instanceof MasterToShard.Order one) {
            CutId newest = life.oracle.newestPart(index);
            passes(link, new MasterToShard.Order(term, one.life(), newest == null ? one.restore() : newest), now);
        } else {
            passes(link, of(order, term), now);
        }
        if (defect == Defect.NO_HOLD && order instanceof MasterToShard.Hold hold) {
            passes(link, new MasterToShard.Go(term, hold.cut(), Map.of()), now);
        } else if (defect == Defect.NO_HOLD && order instanceof MasterToShard.Flush flush) {
            does(new Effect.Send(link, new ShardToMaster.Flushed(present, flush.cut())));
        }
    }

    private boolean isAboutMembers() {
        return defect == Defect.MEMBER_JOINS_ITSELF || defect == Defect.NO_MEMBER_LEAVES;
    }

    /** The term that the machine sees in the place of one that it has to refuse. */
    private Term term(Term given) {
        Term before = followed;
        if (before == null || given.number() > before.number()) {
            followed = given;
            return given;
        }
        boolean lower = given.number() < before.number();
        boolean obeys = defect == (lower ? Defect.LOWER_TERM_OBEYED : Defect.OTHER_MASTER_OBEYED);
        return obeys ? before : given;
    }

    private static MasterToShard of(MasterToShard order, Term term) {
        if (order instanceof MasterToShard.Order one) {
            return new MasterToShard.Order(term, one.life(), one.restore());
        } else if (order instanceof MasterToShard.Members list) {
            return new MasterToShard.Members(term, list.epoch(), list.workers());
        } else if (order instanceof MasterToShard.Confirm asked) {
            return new MasterToShard.Confirm(term, asked.life(), asked.request(), asked.firstPushId(), asked.count());
        } else if (order instanceof MasterToShard.Hold hold) {
            return new MasterToShard.Hold(term, hold.cut());
        } else if (order instanceof MasterToShard.Flush flush) {
            return new MasterToShard.Flush(term, flush.cut(), flush.sequences());
        } else if (order instanceof MasterToShard.Save save) {
            return new MasterToShard.Save(term, save.cut());
        } else if (order instanceof MasterToShard.Go go) {
            return new MasterToShard.Go(term, go.cut(), go.follow());
        }
        return order instanceof MasterToShard.Replaced
                ? new MasterToShard.Replaced(term)
                : new MasterToShard.Leave(term);
    }

    private void takes(Link link, WorkerToShard.Push push, long now) {
        WorkerToShard.Push taken = push;
        if (defect == Defect.LIFE_NOT_CHECKED) {
            taken = new WorkerToShard.Push(present, push.request(), push.pushId(), push.version(), push.gradient());
        }
        MasterToShard.Members before = last;
        Link master = lastLink;
        if (pushers.add(link.peer()) && defect == Defect.MEMBER_JOINS_ITSELF && before != null && master != null) {
            SortedSet<String> workers = new TreeSet<>(before.workers());
            workers.addAll(pushers);
            MasterToShard.Members next = new MasterToShard.Members(before.term(), before.epoch() + 1, workers);
            last = next;
            passes(master, next, now);
        }
        passes(link, taken, now);
    }

    @Override
    void wants(Effect effect, long now) {
        if (effect instanceof Effect.Send send && send.message() instanceof ShardToMaster.Ordered ordered) {
            present = ordered.life();
        }
        if (defect == Defect.LOWER_TERM_OBEYED
                && effect instanceof Effect.Send send
                && send.message() instanceof ShardToMaster.Hello hello) {
            does(new Effect.Send(send.link(), new ShardToMaster.Hello(0, hello.life())));
        } else {
            does(effect);
        }
    }
}
