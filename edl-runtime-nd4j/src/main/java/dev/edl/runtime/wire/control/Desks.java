package dev.edl.runtime.wire.control;

import dev.edl.runtime.engine.ports.MasterGone;
import dev.edl.runtime.engine.ports.MasterPort;
import dev.edl.runtime.engine.ports.RegistrationPort;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.wire.control.internal.ChangeWaits;
import dev.edl.runtime.wire.control.internal.Json;
import dev.edl.runtime.wire.control.internal.Lane;
import dev.edl.runtime.wire.control.internal.ReplacedException;
import dev.edl.runtime.wire.control.internal.Threads;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The desks of a master's process: for callers that wait for a master, that work with it, and that may come back. A thread that
 * holds the lock never waits, and calls neither the master nor a watch.
 */
final class Desks implements ServerDesk.Shards {
    /** Connections at most that have not proved that they know the token; each has a thread. */
    static final int STRANGERS = 64;

    private final MasterSide side;
    private final ExecutorService calls;
    private final ExecutorService reports;
    private final ChangeWaits changes;
    private final Map<String, Desk> sessions = new ConcurrentHashMap<>();
    /** In the order in which they came, with what takes back the alarm of each. */
    private final Map<Visitor, Runnable> greeting = new LinkedHashMap<>();
    /** In the order in which they came: of two streams of one worker the later one is its. */
    private final Map<Visitor, Hello> waiting = new LinkedHashMap<>();

    private final Map<String, Seat> seats = new HashMap<>();
    private final Map<Integer, Lane> lanes = new HashMap<>();
    private final Map<Integer, ServerDesk> servers = new HashMap<>();
    private final Set<ServerDesk> unready = new LinkedHashSet<>();
    private final Map<Integer, ShardLife> newest = new HashMap<>();
    private @Nullable Leadership lead;
    private @Nullable RegistrationPort registration;
    private @Nullable Function<String, MasterPort> masters;
    private boolean finished;
    private boolean closed;

    /** The place of one worker, over all of its streams. */
    private static final class Seat {
        /** The requests of its worker's thread and the notifications of its watch, in order. */
        private final Lane lane = new Lane();

        @Nullable
        WorkerDesk desk;

        private Runnable alarm = () -> {};

        /** Its worker has this long to come back. */
        void waits(Runnable takenBack) {
            alarm.run();
            alarm = takenBack;
        }

        /** Its worker is back, or is not waited for any longer. */
        void waitsNoLonger() {
            alarm.run();
            alarm = () -> {};
        }
    }

    Desks(MasterSide side) {
        this.side = side;
        this.calls = Threads.pool(side.name() + "-calls", side.settings().threads());
        this.reports = Threads.pool(side.name() + "-reports", side.settings().threads());
        this.changes = new ChangeWaits(side.name() + "-changes");
    }

    /**
     * Admits a connection that has not proved the token; returns false when the listener is closed. Above {@link #STRANGERS} the oldest
     * such connection is closed. An honest caller needs some milliseconds, so silent connections cannot block it.
     */
    boolean greets(Visitor visitor) {
        Visitor longest = null;
        synchronized (this) {
            if (closed) {
                return false;
            }
            if (greeting.size() >= STRANGERS) {
                longest = greeting.keySet().iterator().next();
                noStranger(longest);
            }
            greeting.put(visitor, side.alarms().after(side.settings().handshake(), () -> {
                if (visitor.isGreeting()) {
                    visitor.end("the caller has not said who it is in time");
                }
            }));
        }
        if (longest != null) {
            longest.cut(STRANGERS + " later callers have not said who they are");
        }
        return true;
    }

    private void noStranger(Visitor visitor) {
        Runnable alarm = greeting.remove(visitor);
        if (alarm != null) {
            alarm.run();
        }
    }

    /** A stream has closed that had no desk. */
    synchronized void left(Visitor visitor) {
        noStranger(visitor);
        waiting.remove(visitor);
    }

    /** A caller knows the token; it gets a desk as soon as there is a master for it. */
    void admit(Visitor visitor, Hello hello) {
        Optional<String> refusal = side.refusal().apply(hello);
        synchronized (this) {
            noStranger(visitor);
            if (closed) {
                visitor.leave();
            } else if (refusal.isPresent()) {
                visitor.refuse(refusal.get());
            } else if (finished) {
                visitor.finished();
            } else {
                waiting.put(visitor, hello);
                seat();
            }
        }
    }

    /** Gives desks to all that wait and can have one. */
    private void seat() {
        for (Map.Entry<Visitor, Hello> each : List.copyOf(waiting.entrySet())) {
            Leadership now = lead;
            Function<String, MasterPort> work = masters;
            RegistrationPort serve = registration;
            Hello hello = each.getValue();
            if (now == null || (hello.role() == Hello.Role.WORKER ? work == null : serve == null)) {
                continue;
            }
            waiting.remove(each.getKey());
            String session = side.sessions().get();
            Desk desk = hello.role() == Hello.Role.WORKER && work != null
                    ? worker(each.getKey(), hello.name(), work)
                    : server(each.getKey(), hello.index(), serve);
            sessions.put(session, desk);
            if (!each.getKey().open(desk, Json.tree(now.welcome(session)))) {
                desk.closed(false);
            }
        }
    }

    private WorkerDesk worker(Visitor visitor, String name, Function<String, MasterPort> work) {
        Seat seat = seats.computeIfAbsent(name, key -> new Seat());
        seat.waitsNoLonger();
        WorkerDesk before = seat.desk;
        if (before != null) {
            // Half a connection may be left of a worker that is back.
            before.leave();
            sessions.values().remove(before);
            seat.lane.execute(calls, () -> side.workers().left(name));
        }
        WorkerDesk desk = new WorkerDesk(
                name,
                work.apply(name),
                visitor,
                seat.lane,
                new WorkerDesk.Shared(calls, reports, changes, side.codec()),
                this::closed);
        seat.desk = desk;
        return desk;
    }

    private ServerDesk server(Visitor visitor, int index, @Nullable RegistrationPort serve) {
        if (serve == null) {
            throw new IllegalStateException("no master registers servers");
        }
        Lane lane = lanes.computeIfAbsent(index, key -> new Lane());
        ServerDesk desk = new ServerDesk(index, serve, visitor, lane, calls, side.codec(), side.settings(), this);
        unready.add(desk);
        return desk;
    }

    private synchronized void closed(WorkerDesk desk, boolean inPeace) {
        sessions.values().remove(desk);
        String name = desk.worker();
        Seat seat = seats.get(name);
        if (seat == null || seat.desk != desk) {
            return;
        }
        seat.desk = null;
        seat.lane.execute(calls, () -> side.workers().left(name));
        if (inPeace) {
            gone(name, seat);
        } else {
            seat.waits(side.alarms().after(side.settings().grace(), () -> late(name, seat)));
        }
    }

    private synchronized void late(String name, Seat seat) {
        if (seats.get(name) == seat && seat.desk == null) {
            gone(name, seat);
        }
    }

    private void gone(String name, Seat seat) {
        seat.waitsNoLonger();
        seats.remove(name);
        seat.lane.execute(calls, () -> side.workers().gone(name));
    }

    /** Another one knows that a worker has ended. */
    synchronized void gone(String name) {
        Seat seat = seats.computeIfAbsent(name, key -> new Seat());
        WorkerDesk desk = seat.desk;
        if (desk != null) {
            desk.leave();
            sessions.values().remove(desk);
            seat.lane.execute(calls, () -> side.workers().left(name));
        }
        gone(name, seat);
    }

    // What follows about one shard comes on its lane.

    @Override
    public synchronized void registered(ServerDesk desk, ShardLife life) {
        newest.merge(desk.index(), life, Desks::later);
        replace(desk);
    }

    @Override
    public void ready(ServerDesk desk, RemoteShard shard) {
        RemoteShard before;
        synchronized (this) {
            Leadership now = lead;
            if (now == null || desk.isClosed()) {
                throw new MasterGone();
            }
            if (!shard.life().isOf(now.run())) {
                throw new ReplacedException(desk.index(), now.run(), shard.life());
            }
            ShardLife last = newest.merge(desk.index(), shard.life(), Desks::later);
            if (!last.equals(shard.life())) {
                throw new ReplacedException(desk.index(), shard.life(), last);
            }
            before = desk.shard();
            if (before != null && before.life().equals(shard.life())) {
                return;
            }
            replace(desk);
            unready.remove(desk);
            servers.put(desk.index(), desk);
        }
        if (before != null) {
            side.shards().detached(desk.index(), before);
        }
        desk.attach(shard);
        side.shards().attached(desk.index(), shard);
    }

    private static ShardLife later(ShardLife a, ShardLife b) {
        boolean first = a.term() == b.term() ? a.number() >= b.number() : a.term() > b.term();
        return first ? a : b;
    }

    /** The server of a desk takes the place of another one, whose stream may be half a connection. */
    private void replace(ServerDesk desk) {
        ServerDesk before = servers.get(desk.index());
        if (before != null && before != desk) {
            servers.remove(desk.index());
            sessions.values().remove(before);
            before.leave();
            detach(before);
        }
    }

    private void detach(ServerDesk desk) {
        desk.lane().execute(calls, () -> {
            RemoteShard shard = desk.shard();
            if (shard != null) {
                side.shards().detached(desk.index(), shard);
            }
        });
    }

    @Override
    public synchronized void closed(ServerDesk desk) {
        sessions.values().remove(desk);
        unready.remove(desk);
        if (servers.remove(desk.index(), desk)) {
            detach(desk);
        }
    }

    // The master.

    synchronized void registers(Leadership now, RegistrationPort port) {
        lead = now;
        registration = port;
        seat();
    }

    synchronized void serves(Leadership now, Function<String, MasterPort> work, Set<String> holders) {
        lead = now;
        masters = work;
        for (String name : holders) {
            // It may have died while no master was there to see it.
            Seat seat = seats.computeIfAbsent(name, key -> new Seat());
            seat.waits(side.alarms().after(side.settings().grace(), () -> late(name, seat)));
        }
        seat();
    }

    synchronized void retire() {
        lead = null;
        registration = null;
        masters = null;
        sessions.clear();
        for (Seat seat : seats.values()) {
            seat.waitsNoLonger();
            WorkerDesk desk = seat.desk;
            if (desk != null) {
                desk.leave();
            }
        }
        seats.clear();
        servers.values().forEach(ServerDesk::leave);
        servers.clear();
        unready.forEach(ServerDesk::leave);
        unready.clear();
        lanes.clear();
    }

    synchronized void finish() {
        finished = true;
        waiting.keySet().forEach(Visitor::finished);
        waiting.clear();
    }

    synchronized int open() {
        return sessions.size();
    }

    synchronized int waiting() {
        return waiting.size();
    }

    Optional<Desk> session(String session) {
        return Optional.ofNullable(sessions.get(session));
    }

    void close() {
        List<Visitor> strangers;
        synchronized (this) {
            closed = true;
            strangers = new ArrayList<>(greeting.keySet());
            strangers.addAll(waiting.keySet());
            greeting.values().forEach(Runnable::run);
            greeting.clear();
            waiting.clear();
            retire();
        }
        strangers.forEach(Visitor::leave);
        calls.shutdownNow();
        reports.shutdownNow();
        changes.close();
    }
}
