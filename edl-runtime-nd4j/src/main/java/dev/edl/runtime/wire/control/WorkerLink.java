package dev.edl.runtime.wire.control;

import dev.edl.runtime.engine.ports.MasterPort;
import dev.edl.runtime.wire.control.internal.Welcome;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A worker's link to the current master and its successors. For the worker's thread, except for {@link #close}.
 *
 * <pre>{@code
 * WorkerLink link = WorkerLink.of(caller);
 * Supplier<Optional<MasterPort>> masters = () -> link.master(context::check);
 * }</pre>
 */
public final class WorkerLink implements AutoCloseable {
    private final CallerConfig config;
    private final MasterDialer dialer;
    private @Nullable Present present;

    private record Present(ConnectAttempt connection, RemoteMaster master) {}

    private WorkerLink(CallerConfig config) {
        this.config = config;
        this.dialer = new MasterDialer(config, (attempt, message) -> {});
    }

    /** Creates a link that has not dialed yet. */
    public static WorkerLink of(CallerConfig config) {
        return new WorkerLink(config);
    }

    /**
     * Returns the worker's port to the master, waiting for one while there is none. Returns empty when the training has
     * finished.
     *
     * @param check throws when the worker was stopped
     * @throws dev.edl.runtime.engine.ports.TryAgainException when no master was reachable within the absence timeout
     * @throws MasterRejectedException when an authenticated master refuses the worker
     */
    public Optional<MasterPort> master(Runnable check) {
        return reach(check).map(master -> master);
    }

    Optional<RemoteMaster> reach(Runnable check) {
        Present last = present;
        if (last != null && last.connection.isOpen()) {
            return Optional.of(last.master);
        }
        Optional<MasterDialer.ReachedMaster> reached = dialer.dial(check);
        if (reached.isEmpty()) {
            return Optional.empty();
        }
        ConnectAttempt attempt = reached.get().connection();
        Welcome welcome = reached.get().welcome();
        RemoteMaster master = new RemoteMaster(config, attempt.rpcPeer(), welcome, attempt.bulk(welcome));
        present = new Present(attempt, master);
        return Optional.of(master);
    }

    /** Returns the port to the current master; empty while it is not connected. */
    Optional<RemoteMaster> present() {
        return Optional.ofNullable(present)
                .filter(last -> last.connection.isOpen())
                .map(Present::master);
    }

    Optional<ConnectAttempt> connection() {
        return Optional.ofNullable(present).map(Present::connection);
    }

    /** Notifies the master that the worker has ended, and ends the threads. */
    @Override
    public void close() {
        dialer.close();
    }
}
