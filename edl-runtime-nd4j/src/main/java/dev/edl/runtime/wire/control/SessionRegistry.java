package dev.edl.runtime.wire.control;

import dev.edl.runtime.engine.ports.MasterGoneException;
import dev.edl.runtime.engine.ports.MasterPort;
import dev.edl.runtime.engine.ports.RegistrationPort;
import dev.edl.runtime.internal.threads.DaemonThreads;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.wire.control.internal.LedgerChangeNotifier;
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
 * All sessions of a master's process: for callers that wait for a master, that work with one, or that may reconnect. A
 * thread never waits while it holds the lock, and calls neither the master nor a watch.
 */
final class SessionRegistry implements ServerSession.Shards {
    private final MasterEndpointConfig config;
    private final ExecutorService calls;
    private final ExecutorService reports;
    private final LedgerChangeNotifier changes;
    private final Map<String, CallerSession> sessions = new ConcurrentHashMap<>();
    /** Unauthenticated connections in order of arrival. */
    private final Set<PendingConnection> greeting = new LinkedHashSet<>();
    /**
     * Authenticated connections that wait for a master, in order of arrival: a worker's later connection replaces its
     * earlier one.
     */
    private final Map<PendingConnection, Hello> waiting = new LinkedHashMap<>();

    private final Map<String, WorkerSlot> slots = new HashMap<>();
    private final Map<Integer, SerialExecutor> executors = new HashMap<>();
    private final Map<Integer, ServerSession> servers = new HashMap<>();
    private final Set<ServerSession> unready = new LinkedHashSet<>();
    private final Map<Integer, ShardLife> newest = new HashMap<>();
    private @Nullable Leadership lead;
    private @Nullable RegistrationPort registration;
    private @Nullable Function<String, MasterPort> masters;
    private boolean finished;
    private boolean closed;

    /** The slot of one worker, over all of its connections. */
    private static final class WorkerSlot {
        /** Runs the requests of the worker's main thread, and the notifications about the worker, in order. */
        private final SerialExecutor executor = new SerialExecutor();

        @Nullable
        WorkerSession workerSession;

        private Runnable alarm = () -> {};

        /** Starts the grace time within which the worker must reconnect. */
        void waits(Runnable takenBack) {
            alarm.run();
            alarm = takenBack;
        }

        /** Cancels the grace time, because the worker has reconnected or is gone. */
        void waitsNoLonger() {
            alarm.run();
            alarm = () -> {};
        }
    }

    SessionRegistry(MasterEndpointConfig config) {
        this.config = config;
        this.calls =
                DaemonThreads.pool(config.name() + "-calls", config.settings().threads());
        this.reports =
                DaemonThreads.pool(config.name() + "-reports", config.settings().threads());
        this.changes = new LedgerChangeNotifier(config.name() + "-changes");
    }

    /**
     * Registers an unauthenticated connection. Returns false if the listener is closed. Above the allowed number, the
     * oldest such connection is closed. A genuine caller authenticates within milliseconds, so silent connections
     * cannot block it.
     */
    boolean greets(PendingConnection pending) {
        PendingConnection longest = null;
        synchronized (this) {
            if (closed) {
                return false;
            }
            if (greeting.size() >= config.settings().strangers()) {
                longest = greeting.iterator().next();
                greeting.remove(longest);
            }
            greeting.add(pending);
        }
        if (longest != null) {
            longest.cut(config.settings().strangers() + " later callers are not authenticated yet");
        }
        return true;
    }

    /** Removes a closed connection that had no session. */
    synchronized void left(PendingConnection pending) {
        greeting.remove(pending);
        waiting.remove(pending);
    }

    /** Accepts an authenticated caller, which gets a session as soon as there is a master for it. */
    void admit(PendingConnection pending, Hello hello) {
        Optional<String> refusal = config.refusal().apply(hello);
        synchronized (this) {
            greeting.remove(pending);
            if (closed) {
                pending.leave();
            } else if (refusal.isPresent()) {
                pending.refuse(refusal.get());
            } else if (finished) {
                pending.finished();
            } else {
                waiting.put(pending, hello);
                seat();
            }
        }
    }

    /** Opens a session for every waiting caller for which there is a master. */
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
            String session = config.sessions().get();
            CallerSession caller = hello.role() == Hello.Role.WORKER && work != null
                    ? worker(each.getKey(), hello.name(), work)
                    : server(each.getKey(), hello.index(), serve);
            sessions.put(session, caller);
            if (!each.getKey().open(caller, MessageJson.tree(now.welcome(session)))) {
                caller.closed(false);
            }
        }
    }

    private WorkerSession worker(PendingConnection pending, String name, Function<String, MasterPort> work) {
        WorkerSlot slot = slots.computeIfAbsent(name, key -> new WorkerSlot());
        slot.waitsNoLonger();
        WorkerSession before = slot.workerSession;
        if (before != null) {
            // A reconnected worker may have left a half-open connection.
            before.leave();
            sessions.values().remove(before);
            slot.executor.execute(calls, () -> config.workers().left(name));
        }
        WorkerSession workerSession = new WorkerSession(
                name,
                work.apply(name),
                pending,
                slot.executor,
                new WorkerSession.SharedResources(calls, reports, changes, config.codec()),
                this::closed);
        slot.workerSession = workerSession;
        return workerSession;
    }

    private ServerSession server(PendingConnection pending, int index, @Nullable RegistrationPort serve) {
        if (serve == null) {
            throw new IllegalStateException("no master registers servers");
        }
        SerialExecutor executor = executors.computeIfAbsent(index, key -> new SerialExecutor());
        ServerSession serverSession =
                new ServerSession(index, serve, pending, executor, calls, config.codec(), config.settings(), this);
        unready.add(serverSession);
        return serverSession;
    }

    private synchronized void closed(WorkerSession workerSession, boolean orderly) {
        sessions.values().remove(workerSession);
        String name = workerSession.worker();
        WorkerSlot slot = slots.get(name);
        if (slot == null || slot.workerSession != workerSession) {
            return;
        }
        slot.workerSession = null;
        slot.executor.execute(calls, () -> config.workers().left(name));
        if (orderly) {
            gone(name, slot);
        } else {
            slot.waits(config.timers().schedule(config.settings().grace(), () -> late(name, slot)));
        }
    }

    private synchronized void late(String name, WorkerSlot slot) {
        if (slots.get(name) == slot && slot.workerSession == null) {
            slot.executor.execute(calls, () -> config.workers().lost(name));
            gone(name, slot);
        }
    }

    private void gone(String name, WorkerSlot slot) {
        slot.waitsNoLonger();
        slots.remove(name);
        slot.executor.execute(calls, () -> config.workers().gone(name));
    }

    /** Records that a worker is gone; called when another component has learned of the worker's end. */
    synchronized void gone(String name) {
        WorkerSlot slot = slots.computeIfAbsent(name, key -> new WorkerSlot());
        WorkerSession workerSession = slot.workerSession;
        if (workerSession != null) {
            workerSession.leave();
            sessions.values().remove(workerSession);
            slot.executor.execute(calls, () -> config.workers().left(name));
        }
        gone(name, slot);
    }

    // Calls about one shard arrive on its serial executor.

    @Override
    public synchronized void registered(ServerSession serverSession, ShardLife life) {
        newest.merge(serverSession.index(), life, SessionRegistry::later);
        replace(serverSession);
    }

    @Override
    public void ready(ServerSession serverSession, RemoteShard shard) {
        RemoteShard before;
        synchronized (this) {
            Leadership now = lead;
            if (now == null || serverSession.isClosed()) {
                throw new MasterGoneException();
            }
            if (!shard.life().isOf(now.run())) {
                throw new ShardReplacedException(serverSession.index(), now.run(), shard.life());
            }
            ShardLife last = newest.merge(serverSession.index(), shard.life(), SessionRegistry::later);
            if (!last.equals(shard.life())) {
                throw new ShardReplacedException(serverSession.index(), shard.life(), last);
            }
            before = serverSession.shard();
            if (before != null && before.life().equals(shard.life())) {
                return;
            }
            replace(serverSession);
            unready.remove(serverSession);
            servers.put(serverSession.index(), serverSession);
        }
        if (before != null) {
            config.shards().detached(serverSession.index(), before.port());
        }
        serverSession.attach(shard);
        config.shards().attached(serverSession.index(), shard.port());
    }

    private static ShardLife later(ShardLife a, ShardLife b) {
        boolean first = a.term() == b.term() ? a.number() >= b.number() : a.term() > b.term();
        return first ? a : b;
    }

    /** Ends the session of an earlier server of the same shard, whose connection may be half open. */
    private void replace(ServerSession serverSession) {
        ServerSession before = servers.get(serverSession.index());
        if (before != null && before != serverSession) {
            servers.remove(serverSession.index());
            sessions.values().remove(before);
            before.leave();
            detach(before);
        }
    }

    private void detach(ServerSession serverSession) {
        serverSession.lane().execute(calls, () -> {
            RemoteShard shard = serverSession.shard();
            if (shard != null) {
                config.shards().detached(serverSession.index(), shard.port());
            }
        });
    }

    @Override
    public synchronized void closed(ServerSession serverSession) {
        sessions.values().remove(serverSession);
        unready.remove(serverSession);
        if (servers.remove(serverSession.index(), serverSession)) {
            detach(serverSession);
        }
    }

    // Calls of the master.

    synchronized void registers(Leadership now, RegistrationPort port) {
        lead = now;
        registration = port;
        seat();
    }

    synchronized void serves(Leadership now, Function<String, MasterPort> work) {
        lead = now;
        masters = work;
        seat();
    }

    synchronized void retire() {
        lead = null;
        registration = null;
        masters = null;
        sessions.clear();
        for (WorkerSlot slot : slots.values()) {
            slot.waitsNoLonger();
            WorkerSession workerSession = slot.workerSession;
            if (workerSession != null) {
                workerSession.leave();
            }
        }
        slots.clear();
        servers.values().forEach(ServerSession::leave);
        servers.clear();
        unready.forEach(ServerSession::leave);
        unready.clear();
        executors.clear();
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
            strangers = new ArrayList<>(greeting);
            strangers.addAll(waiting.keySet());
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
