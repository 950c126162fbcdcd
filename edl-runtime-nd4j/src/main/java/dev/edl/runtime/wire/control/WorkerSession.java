package dev.edl.runtime.wire.control;

import dev.edl.runtime.engine.ports.MasterGoneException;
import dev.edl.runtime.engine.ports.MasterPort;
import dev.edl.runtime.ps.ModelSnapshot;
import dev.edl.runtime.task.Task;
import dev.edl.runtime.wire.control.internal.BulkTransfer;
import dev.edl.runtime.wire.control.internal.FloatByteCodec;
import dev.edl.runtime.wire.control.internal.LedgerChangeNotifier;
import dev.edl.runtime.wire.control.internal.Message;
import dev.edl.runtime.wire.control.internal.MessageJson;
import dev.edl.runtime.wire.control.internal.MessageNames;
import dev.edl.runtime.wire.control.internal.RemoteFailure;
import dev.edl.runtime.wire.control.internal.ReportBatch;
import dev.edl.runtime.wire.control.internal.RpcPeer;
import dev.edl.runtime.wire.control.internal.SerialExecutor;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The master's session with one worker. Requests of the worker's main thread run in order; so do requests of its
 * reading thread, concurrently with the former.
 */
final class WorkerSession implements CallerSession {
    private static final System.Logger LOG = System.getLogger(WorkerSession.class.getName());

    private final String worker;
    private final MasterPort master;
    private final PendingConnection pending;
    private final RpcPeer peer;
    private final SharedResources shared;
    /** Runs the requests of the worker's main thread, after those left by its earlier connections. */
    private final SerialExecutor work;

    private final SerialExecutor reads = new SerialExecutor();
    private final Leaving leaving;
    private volatile boolean closed;
    private WeakReference<@Nullable ModelSnapshot> sent = new WeakReference<>(null);

    /** Resources that all sessions share. */
    record SharedResources(Executor calls, Executor reports, LedgerChangeNotifier changes, BulkResultCodec codec) {}

    /** Listener for the end of the connection. */
    @FunctionalInterface
    interface Leaving {
        void closed(WorkerSession session, boolean orderly);
    }

    WorkerSession(
            String worker,
            MasterPort master,
            PendingConnection pending,
            SerialExecutor work,
            SharedResources shared,
            Leaving leaving) {
        this.worker = worker;
        this.master = master;
        this.pending = pending;
        this.peer = pending.rpcPeer();
        this.work = work;
        this.shared = shared;
        this.leaving = leaving;
    }

    String worker() {
        return worker;
    }

    /** Ends the connection; requests that have not begun are dropped. */
    void leave() {
        closed = true;
        pending.leave();
    }

    @Override
    public void closed(boolean orderly) {
        closed = true;
        leaving.closed(this, orderly);
    }

    @Override
    public void received(Message message) {
        switch (message.name()) {
            case MessageNames.NOTES -> {
                ReportBatch batch = MessageJson.value(message.body(), ReportBatch.class);
                work.execute(shared.calls, () -> handle(() -> note(batch)));
            }
            case MessageNames.SETTLE ->
                work.execute(shared.calls, () -> handle(() -> peer.respond(message.id(), null)));
            case "awaitChange" -> awaitChange(message);
            case "next", "startPrefetched", "minibatchStarted" -> answer(message, work, shared.calls);
            case "prefetch", "failed" -> answer(message, reads, shared.calls);
            case "trained", "evaluated" -> answer(message, reads, shared.reports);
            default -> throw new IllegalArgumentException("\"" + message.name() + "\" is not a request of a worker");
        }
    }

    private void awaitChange(Message message) {
        shared.changes.add(new LedgerChangeNotifier.WaitingWorker(
                master,
                () -> {
                    peer.respond(message.id(), null);
                    pending.handled();
                },
                cause -> {
                    peer.respondFailure(message.id(), cause);
                    pending.handled();
                }));
    }

    private void answer(Message message, SerialExecutor executor, Executor threads) {
        executor.execute(threads, () -> handle(() -> answer(message)));
    }

    /** Handles a message unless the worker has left meanwhile. */
    private void handle(Runnable handling) {
        if (!closed) {
            try {
                handling.run();
            } finally {
                pending.handled();
            }
        }
    }

    private void answer(Message message) {
        try {
            peer.respond(
                    message.id(), RemotePorts.MASTER.invoke(master, message.name(), message.body(), version -> {}));
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
            peer.respondFailure(message.id(), new MasterGoneException());
        } catch (RuntimeException failure) {
            peer.respondFailure(message.id(), failure);
        }
    }

    private void note(ReportBatch batch) {
        try {
            batch.signs().forEach(this::sign);
            batch.touched().forEach(master::touch);
            // The master averages over losses, so each counts.
            float mean = (float) (batch.lossSum() / Math.max(1, batch.losses()));
            for (int i = 0; i < batch.losses(); i++) {
                master.loss(mean, batch.version());
            }
            batch.logged().forEach(loss -> master.logLoss(loss.loss(), loss.version()));
        } catch (MasterGoneException gone) {
            // The connection closes with the master.
            LOG.log(System.Logger.Level.DEBUG, () -> worker + ": " + batch + " arrived after the master had left");
        } catch (RuntimeException failure) {
            LOG.log(System.Logger.Level.WARNING, "could not apply a report of " + worker + ": " + batch, failure);
        }
    }

    private void sign(ReportBatch.Sign sign) {
        switch (sign) {
            case BEGINS -> master.minibatchStarted();
            case COMPUTED -> master.gradientComputed();
            case WAITS -> master.roundWaitStarted();
            case CONTINUES -> master.roundWaitEnded();
            case LEAVES -> master.leave();
        }
    }

    @Override
    public void download(Message request, BulkTransfer transfer) throws IOException {
        long version = request.value("version", Long.class);
        ModelSnapshot model;
        boolean same;
        try {
            model = master.model(version);
            synchronized (this) {
                same = sent.get() == model && request.value("known", Boolean.class);
                sent = new WeakReference<>(model);
            }
        } catch (RuntimeException failure) {
            transfer.send(Message.failed(0, RemoteFailure.of(failure)));
            return;
        }
        transfer.send(Message.done(0, Map.of("same", same)));
        if (!same) {
            shared.codec.write(model, transfer.out());
        }
    }

    @Override
    public void upload(Message request, InputStream in) throws IOException {
        if (!request.name().equals(MessageNames.PREDICTED)) {
            throw new IllegalArgumentException("\"" + request.name() + "\" is not an upload of a worker");
        }
        master.predicted(
                request.value("task", Task.class), FloatByteCodec.read(in, request.value("outputs", Integer.class)));
    }
}
