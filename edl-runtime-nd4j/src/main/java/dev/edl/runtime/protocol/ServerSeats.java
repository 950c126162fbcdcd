package dev.edl.runtime.protocol;

import dev.edl.runtime.ps.ShardLife;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;

/** All parameter servers, as a master knows them. */
final class ServerSeats implements Iterable<ServerSeat> {
    private final List<ServerSeat> seats = new ArrayList<>();

    ServerSeats(int count) {
        for (int i = 0; i < count; i++) {
            seats.add(new ServerSeat(i));
        }
    }

    int count() {
        return seats.size();
    }

    @Override
    public Iterator<ServerSeat> iterator() {
        return seats.iterator();
    }

    /**
     * Returns the server of a name.
     *
     * @throws IllegalArgumentException when there is none
     */
    ServerSeat named(String name) {
        for (ServerSeat seat : seats) {
            if (seat.name().equals(name)) {
                return seat;
            }
        }
        throw new IllegalArgumentException(
                "\"" + name + "\" is no parameter server of this run; there are ps-0 to ps-" + (seats.size() - 1));
    }

    boolean all(Predicate<ServerSeat> what) {
        return seats.stream().allMatch(what);
    }

    /** Returns the lives that the servers have confirmed, in order. */
    List<ShardLife> lives() {
        return seats.stream().map(seat -> seat.life).toList();
    }

    /** Returns the highest term that a server follows; 0 for none. */
    long highestTerm() {
        return seats.stream().mapToLong(seat -> seat.followed).max().orElse(0);
    }

    /** Returns the minibatches of an epoch that every server has applied. */
    BitSet appliedByAll(int epoch) {
        BitSet all = (BitSet) seats.get(0).applied.get(epoch).clone();
        seats.forEach(seat -> all.and(seat.applied.get(epoch)));
        return all;
    }

    /** Returns the minibatches of an epoch that any server has applied or is about to. */
    BitSet heldByAny(int epoch) {
        BitSet any = new BitSet();
        seats.forEach(seat -> any.or(seat.held.get(epoch)));
        return any;
    }
}
