package dev.edl.runtime.protocol;

import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.task.PushIds;
import dev.edl.runtime.task.TaskLedger;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a master knows of one parameter server. */
final class ServerSeat {
    final int index;
    /** The connection in use; null while there is none. */
    @Nullable
    Link link;
    /** By its hello: the term that it follows, and the life of its shard. */
    long followed;

    ShardLife told = ShardLife.UNORDERED;
    /** The life that it was ordered to have. */
    ShardLife expected = ShardLife.UNORDERED;
    /** The life that it has confirmed; workers know it by the view. */
    ShardLife life = ShardLife.UNORDERED;
    /** Whether it has confirmed its life by the connection in use. */
    boolean ordered;
    /** The life whose pushes the ledger was compared with. */
    ShardLife compared = ShardLife.UNORDERED;
    /** The pushes that it held at its last confirmation: those of an update, and all. */
    List<BitSet> applied = List.of();

    List<BitSet> held = List.of();

    ServerSeat(int index) {
        this.index = index;
    }

    String name() {
        return "ps-" + index;
    }

    /** Whether it is connected and has confirmed its life. */
    boolean isReady() {
        return link != null && ordered;
    }

    /** Takes a confirmation over; returns whether the shard has begun another life. */
    boolean orders(ShardToMaster.Ordered confirmed, PushIds ids) {
        boolean other = !life.equals(confirmed.life());
        life = confirmed.life();
        ordered = true;
        applied = confirmed.applied();
        held = new ArrayList<>();
        applied.forEach(epoch -> held.add((BitSet) epoch.clone()));
        for (long push : confirmed.pending()) {
            held.get(ids.epochOf(push)).set(ids.ordinalOf(push));
        }
        return other;
    }

    /** Puts back what the shard lacks in its present life. */
    void compare(TaskLedger ledger) {
        for (int epoch = 0; epoch < ledger.epochsBegun(); epoch++) {
            ledger.reopen(epoch, held.get(epoch)::get);
        }
        compared = life;
    }

    /** Whether a life is not the one of this seat: that of a server that was replaced, and still runs. */
    boolean isAnother(ShardLife other) {
        return !expected.equals(ShardLife.UNORDERED) && !other.equals(ShardLife.UNORDERED) && !other.equals(expected);
    }

    boolean is(Link other) {
        return other.equals(link);
    }

    /** Begins a connection, in the place of an earlier one. */
    void greets(Link next, ShardToMaster.Hello hello) {
        closed();
        link = next;
        followed = hello.followed();
        told = hello.life();
    }

    void closed() {
        link = null;
        ordered = false;
    }
}
