package dev.edl.runtime.wire.control;

import dev.edl.runtime.engine.ports.MasterGoneException;
import dev.edl.runtime.engine.ports.MasterPort;
import dev.edl.runtime.engine.ports.RegistrationPort;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.wire.control.internal.ChangeWaiter;
import dev.edl.runtime.wire.control.internal.DaemonThreads;
import dev.edl.runtime.wire.control.internal.MessageJson;
import dev.edl.runtime.wire.control.internal.SerialExecutor;
import dev.edl.runtime.wire.control.internal.ShardReplacedException;
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
final class SessionRegistry implements ServerSession.Shards {
    /** Connections at most that have not proved that they know the token; each has a thread. */
    static final int STRANGERS = 64;

    private final MasterListenerConfig side;
    private final ExecutorService calls;
    private final ExecutorService reports;
    private final ChangeWaiter changes;
    private final Map<String, CallerSession> sessions = new ConcurrentHashMap<>();
    /** In the order in which they came, with what takes back the alarm of each. */
    private final Map<PendingConnection, Runnable> greeting = new LinkedHashMap<>();
    /** In the order in which they came: of two streams of one worker the later one is its. */
    private final Map<PendingConnection, Hello> waiting = new LinkedHashMap<>();

    private final Map<String, WorkerSlot> seats = new HashMap<>();
    private final Map<Integer, SerialExecutor> lanes = new HashMap<>();
    private final Map<Integer, ServerSession> servers = new HashMap<>();
    private final Set<ServerSession> unready = new LinkedHashSet<>();
    private final Map<Integer, ShardLife> newest = new HashMap<>();
    private @Nullable Leadership lead;
    private @Nullable RegistrationPort registration;
    private @Nullable Function<String, MasterPort> masters;
    private boolean finished;
    private boolean closed;

    /** The place of one worker, over all of its streams. */
    private static final class WorkerSlot {
        /** The requests of its worker's thread and the notifications of its watch, in order. */
        private final SerialExecutor lane = new SerialExecutor();

        @Nullable
        WorkerSession desk;

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

    SessionRegistry(MasterListenerConfig side) {
        this.side = side;
        this.calls = DaemonThreads.pool(side.name() + "-calls", side.settings().threads());
        this.reports =
                DaemonThreads.pool(side.name() + "-reports", side.settings().threads());
        this.changes = new ChangeWaiter(side.name() + "-changes");
    }

    /**
     * Admits a connection that has not proved the token; returns false when the listener is closed. Above {@link #STRANGERS} the oldest
     * such connection is closed. An honest caller needs some milliseconds, so silent connections cannot block it.
     */
    boolean greets(PendingConnection visitor) {
        PendingConnection longest = null;
        synchronized (this) {
            if (closed) {
                return false;
            }
            if (greeting.size() >= STRANGERS) {
                longest = greeting.keySet().iterator().next();
                noStranger(longest);
            }
            greeting.put(visitor, side.alarms().schedule(side.settings().handshake(), () -> {
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

    private void noStranger(PendingConnection visitor) {
        Runnable alarm = greeting.remove(visitor);
        if (alarm != null) {
            alarm.run();
        }
    }

    /** A stream has closed that had no desk. */
    synchronized void left(PendingConnection visitor) {
        noStranger(visitor);
        waiting.remove(visitor);
    }

    /** A caller knows the token; it gets a desk as soon as there is a master for it. */
    void admit(PendingConnection visitor, Hello hello) {
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
        for (Map.Entry<PendingConnection, Hello> each : List.copyOf(waiting.entrySet())) {
            Leadership now = lead;
            Function<String, MasterPort> work = masters;
            RegistrationPort serve = registration;
            Hello hello = each.getValue();
            if (now == null || (hello.role() == Hello.Role.WORKER ? work == null : serve == null)) {
                continue;
            }
            waiting.remove(each.getKey());
            String session = side.sessions().get();
            CallerSession desk = hello.role() == Hello.Role.WORKER && work != null
                    ? worker(each.getKey(), hello.name(), work)
                    : server(each.getKey(), hello.index(), serve);
            sessions.put(session, desk);
            if (!each.getKey().open(desk, MessageJson.tree(now.welcome(session)))) {
                desk.closed(false);
            }
        }
    }

    private WorkerSession worker(PendingConnection visitor, String name, Function<String, MasterPort> work) {
        WorkerSlot seat = seats.computeIfAbsent(name, key -> new WorkerSlot());
        seat.waitsNoLonger();
        WorkerSession before = seat.desk;
        if (before != null) {
            // Half a connection may be left of a worker that is back.
            before.leave();
            sessions.values().remove(before);
            seat.lane.execute(calls, () -> side.workers().left(name));
        }
        WorkerSession desk = new WorkerSession(
                name,
                work.apply(name),
                visitor,
                seat.lane,
                new WorkerSession.Shared(calls, reports, changes, side.codec()),
                this::closed);
        seat.desk = desk;
        return desk;
    }

    private ServerSession server(PendingConnection visitor, int index, @Nullable RegistrationPort serve) {
        if (serve == null) {
            throw new IllegalStateException("no master registers servers");
        }
        SerialExecutor lane = lanes.computeIfAbsent(index, key -> new SerialExecutor());
        ServerSession desk = new ServerSession(index, serve, visitor, lane, calls, side.codec(), side.settings(), this);
        unready.add(desk);
        return desk;
    }

    private synchronized void closed(WorkerSession desk, boolean inPeace) {
        sessions.values().remove(desk);
        String name = desk.worker();
        WorkerSlot seat = seats.get(name);
        if (seat == null || seat.desk != desk) {
            return;
        }
        seat.desk = null;
        seat.lane.execute(calls, () -> side.workers().left(name));
        if (inPeace) {
            gone(name, seat);
        } else {
            seat.waits(side.alarms().schedule(side.settings().grace(), () -> late(name, seat)));
        }
    }

    private synchronized void late(String name, WorkerSlot seat) {
        if (seats.get(name) == seat && seat.desk == null) {
            gone(name, seat);
        }
    }

    private void gone(String name, WorkerSlot seat) {
        seat.waitsNoLonger();
        seats.remove(name);
        seat.lane.execute(calls, () -> side.workers().gone(name));
    }

    /** Another one knows that a worker has ended. */
    synchronized void gone(String name) {
        WorkerSlot seat = seats.computeIfAbsent(name, key -> new WorkerSlot());
        WorkerSession desk = seat.desk;
        if (desk != null) {
            desk.leave();
            sessions.values().remove(desk);
            seat.lane.execute(calls, () -> side.workers().left(name));
        }
        gone(name, seat);
    }

    // What follows about one shard comes on its lane.

    @Override
    public synchronized void registered(ServerSession desk, ShardLife life) {
        newest.merge(desk.index(), life, SessionRegistry::later);
        replace(desk);
    }

    @Override
    public void ready(ServerSession desk, RemoteShard shard) {
        RemoteShard before;
        synchronized (this) {
            Leadership now = lead;
            if (now == null || desk.isClosed()) {
                throw new MasterGoneException();
            }
            if (!shard.life().isOf(now.run())) {
                throw new ShardReplacedException(desk.index(), now.run(), shard.life());
            }
            ShardLife last = newest.merge(desk.index(), shard.life(), SessionRegistry::later);
            if (!last.equals(shard.life())) {
                throw new ShardReplacedException(desk.index(), shard.life(), last);
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
    private void replace(ServerSession desk) {
        ServerSession before = servers.get(desk.index());
        if (before != null && before != desk) {
            servers.remove(desk.index());
            sessions.values().remove(before);
            before.leave();
            detach(before);
        }
    }

    private void detach(ServerSession desk) {
        desk.lane().execute(calls, () -> {
            RemoteShard shard = desk.shard();
            if (shard != null) {
                side.shards().detached(desk.index(), shard);
            }
        });
    }

    @Override
    public synchronized void closed(ServerSession desk) {
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
            WorkerSlot seat = seats.computeIfAbsent(name, key -> new WorkerSlot());
            seat.waits(side.alarms().schedule(side.settings().grace(), () -> late(name, seat)));
        }
        seat();
    }

    synchronized void retire() {
        lead = null;
        registration = null;
        masters = null;
        sessions.clear();
        for (WorkerSlot seat : seats.values()) {
            seat.waitsNoLonger();
            WorkerSession desk = seat.desk;
            if (desk != null) {
                desk.leave();
            }
        }
        seats.clear();
        servers.values().forEach(ServerSession::leave);
        servers.clear();
        unready.forEach(ServerSession::leave);
        unready.clear();
        lanes.clear();
    }

    synchronized void finish() {
        finished = true;
        waiting.keySet().forEach(PendingConnection::finished);
        waiting.clear();
    }

    synchronized int open() {
        return sessions.size();
    }

    synchronized int waiting() {
        return waiting.size();
    }

    Optional<CallerSession> session(String session) {
        return Optional.ofNullable(sessions.get(session));
    }

    void close() {
        List<PendingConnection> strangers;
        synchronized (this) {
            closed = true;
            strangers = new ArrayList<>(greeting.keySet());
            strangers.addAll(waiting.keySet());
            greeting.values().forEach(Runnable::run);
            greeting.clear();
            waiting.clear();
            retire();
        }
        strangers.forEach(PendingConnection::leave);
        calls.shutdownNow();
        reports.shutdownNow();
        changes.close();
    }
}
