package dev.edl.runtime.wire.control;

import dev.edl.runtime.engine.ports.MasterGoneException;
import dev.edl.runtime.engine.ports.MasterPort;
import dev.edl.runtime.engine.ports.TaskFailure;
import dev.edl.runtime.ps.ModelSnapshot;
import dev.edl.runtime.task.Assignment;
import dev.edl.runtime.task.Task;
import dev.edl.runtime.wire.control.internal.BulkTransfer;
import dev.edl.runtime.wire.control.internal.FloatBytes;
import dev.edl.runtime.wire.control.internal.LedgerChangeNotifier;
import dev.edl.runtime.wire.control.internal.Message;
import dev.edl.runtime.wire.control.internal.MessageArguments;
import dev.edl.runtime.wire.control.internal.MessageJson;
import dev.edl.runtime.wire.control.internal.MessageNames;
import dev.edl.runtime.wire.control.internal.RemoteFailure;
import dev.edl.runtime.wire.control.internal.ReportBatch;
import dev.edl.runtime.wire.control.internal.RpcPeer;
import dev.edl.runtime.wire.control.internal.SerialExecutor;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
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
    private final Shared shared;
    /** Runs the requests of the worker's main thread, after those left by its earlier connections. */
    private final SerialExecutor work;

    private final SerialExecutor reads = new SerialExecutor();
    private final Leaving leaving;
    private volatile boolean closed;
    private WeakReference<@Nullable ModelSnapshot> sent = new WeakReference<>(null);

    /** Resources that all sessions share. */
    record Shared(Executor calls, Executor reports, LedgerChangeNotifier changes, SnapshotBytes codec) {}

    /** Listener for the end of the connection. */
    @FunctionalInterface
    interface Leaving {
        void closed(WorkerSession session, boolean inPeace);
    }

    /** A call of the master, which may wait. */
    @FunctionalInterface
    private interface Call {
        Object make() throws InterruptedException;
    }

    WorkerSession(
            String worker,
            MasterPort master,
            PendingConnection pending,
            SerialExecutor work,
            Shared shared,
            Leaving leaving) {
        this.worker = worker;
        this.master = master;
        this.pending = pending;
        this.peer = pending.talk();
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
    public void closed(boolean inPeace) {
        closed = true;
        leaving.closed(this, inPeace);
    }

    @Override
    public void received(Message message) {
        switch (message.name()) {
            case MessageNames.NOTES -> {
                ReportBatch batch = MessageJson.value(message.body(), ReportBatch.class);
                work.execute(shared.calls, () -> handle(() -> note(batch)));
            }
            case MessageNames.AWAIT_CHANGE -> awaitChange(message);
            case MessageNames.NEXT, MessageNames.STARTS, MessageNames.JOINS, MessageNames.SETTLE ->
                answer(message, work, shared.calls);
            case MessageNames.AHEAD, MessageNames.FAILED -> answer(message, reads, shared.calls);
            case MessageNames.TRAINED, MessageNames.EVALUATED -> answer(message, reads, shared.reports);
            default -> throw new IllegalArgumentException("\"" + message.name() + "\" is not a request of a worker");
        }
    }

    private void awaitChange(Message message) {
        shared.changes.add(new LedgerChangeNotifier.Waiting(
                master,
                () -> {
                    peer.respond(message.id(), MessageArguments.none());
                    pending.handled();
                },
                cause -> {
                    peer.respondFailure(message.id(), cause);
                    pending.handled();
                }));
    }

    private void answer(Message message, SerialExecutor executor, Executor threads) {
        executor.execute(
                threads, () -> handle(() -> answer(message.id(), () -> call(new MessageArguments.Given(message)))));
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

    private void answer(long id, Call call) {
        try {
            peer.respond(id, call.make());
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
            peer.respondFailure(id, new MasterGoneException());
        } catch (RuntimeException failure) {
            peer.respondFailure(id, failure);
        }
    }

    private Object call(MessageArguments.Given given) throws InterruptedException {
        return switch (given.call()) {
            case MessageNames.NEXT -> Answer.of(master.next());
            case MessageNames.AHEAD -> Answer.of(master.prefetch(task(given)));
            case MessageNames.STARTS -> MessageArguments.of("held", master.startPrefetched(task(given)));
            case MessageNames.JOINS -> {
                master.minibatchStarted();
                yield MessageArguments.none();
            }
            case MessageNames.TRAINED -> {
                master.trained(task(given), given.number("lives"));
                yield MessageArguments.none();
            }
            case MessageNames.EVALUATED -> {
                master.evaluated(task(given), given.value("sums", double[][].class));
                yield MessageArguments.none();
            }
            case MessageNames.FAILED -> {
                master.failed(task(given), given.value("failure", TaskFailure.class));
                yield MessageArguments.none();
            }
            default -> MessageArguments.none();
        };
    }

    private static Task task(MessageArguments.Given given) {
        return given.value("task", Task.class);
    }

    /** A task assignment in a message. */
    record Answer(
            @Nullable Task task,
            @Nullable String waitFor,
            boolean finished,
            @Nullable String failed) {
        static Answer of(Assignment assignment) {
            return new Answer(
                    assignment instanceof Assignment.Lease lease ? lease.task() : null,
                    assignment instanceof Assignment.Wait wait ? wait.reason() : null,
                    assignment instanceof Assignment.Finished,
                    assignment instanceof Assignment.Failed failed ? failed.message() : null);
        }

        Assignment assignment() {
            if (task != null) {
                return new Assignment.Lease(task);
            }
            if (waitFor != null) {
                return new Assignment.Wait(waitFor);
            }
            return failed != null ? new Assignment.Failed(failed) : new Assignment.Finished();
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
        long version = new MessageArguments.Given(request).number("version");
        ModelSnapshot model;
        boolean same;
        try {
            model = master.model(version);
            synchronized (this) {
                same = sent.get() == model && new MessageArguments.Given(request).flag("known");
                sent = new WeakReference<>(model);
            }
        } catch (RuntimeException failure) {
            transfer.send(Message.failed(0, RemoteFailure.of(failure)));
            return;
        }
        transfer.send(Message.done(0, MessageArguments.of("same", same)));
        if (!same) {
            shared.codec.write(model, transfer.out());
        }
    }

    @Override
    public Object upload(Message request, InputStream in) throws IOException {
        MessageArguments.Given given = new MessageArguments.Given(request);
        if (!request.name().equals(MessageNames.PREDICTED)) {
            throw new IllegalArgumentException("\"" + request.name() + "\" is not an upload of a worker");
        }
        master.predicted(task(given), FloatBytes.read(in, given.count("outputs")));
        return MessageArguments.none();
    }
}
