package dev.edl.runtime.protocol;

import java.util.Iterator;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/** All workers that a master knows: those that are connected or hold a task. */
final class WorkerSeats implements Iterable<WorkerSeat> {
    private final int shards;
    private final Map<String, WorkerSeat> seats = new TreeMap<>();

    WorkerSeats(int shards) {
        this.shards = shards;
    }

    @Override
    public Iterator<WorkerSeat> iterator() {
        return seats.values().iterator();
    }

    /** Returns the seat of a worker, a new one for a new worker. */
    WorkerSeat named(String worker) {
        return seats.computeIfAbsent(worker, name -> new WorkerSeat(name, shards));
    }

    boolean isConnected(String worker) {
        WorkerSeat seat = seats.get(worker);
        return seat != null && seat.link != null;
    }

    void closed(Link link) {
        for (WorkerSeat seat : this) {
            if (seat.is(link)) {
                seat.closed();
            }
        }
    }

    /** Forgets workers that are not connected and hold nothing. */
    void forget(Predicate<String> holds) {
        seats.values().removeIf(seat -> seat.link == null && !holds.test(seat.name));
    }

    /** Returns for whom rounds wait. */
    SortedSet<String> members() {
        SortedSet<String> members = new TreeSet<>();
        for (WorkerSeat seat : this) {
            if (seat.member) {
                members.add(seat.name);
            }
        }
        return members;
    }

    /** Takes workers out of the rounds that were not heard of since a moment. */
    void silent(long since) {
        for (WorkerSeat seat : this) {
            seat.member &= seat.heardAt >= since;
        }
    }

    /** Takes all workers out of the rounds. */
    void leave() {
        for (WorkerSeat seat : this) {
            seat.member = false;
        }
    }

    /** Returns when the member was heard of that has been silent for longest; {@link Machine#NEVER} without members. */
    long oldest() {
        long oldest = Machine.NEVER;
        for (WorkerSeat seat : this) {
            if (seat.member) {
                oldest = Math.min(oldest, seat.heardAt);
            }
        }
        return oldest;
    }
}
