package dev.edl.runtime.wire.control;

import dev.edl.runtime.engine.ports.MasterGone;
import dev.edl.runtime.engine.ports.MasterPort;
import dev.edl.runtime.engine.ports.TaskFailure;
import dev.edl.runtime.ps.ModelSnapshot;
import dev.edl.runtime.task.Assignment;
import dev.edl.runtime.task.Task;
import dev.edl.runtime.wire.control.internal.Args;
import dev.edl.runtime.wire.control.internal.Calls;
import dev.edl.runtime.wire.control.internal.ChangeWaits;
import dev.edl.runtime.wire.control.internal.Failure;
import dev.edl.runtime.wire.control.internal.Floats;
import dev.edl.runtime.wire.control.internal.Json;
import dev.edl.runtime.wire.control.internal.Lane;
import dev.edl.runtime.wire.control.internal.Message;
import dev.edl.runtime.wire.control.internal.Note;
import dev.edl.runtime.wire.control.internal.Talk;
import dev.edl.runtime.wire.control.internal.Transfer;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The master's side of one worker. What the worker's thread asks stays in order, and so does what its reader asks; the two
 * overlap.
 */
final class WorkerDesk implements Desk {
    private static final System.Logger LOG = System.getLogger(WorkerDesk.class.getName());

    private final String worker;
    private final MasterPort master;
    private final Visitor visitor;
    private final Talk talk;
    private final Shared shared;
    /** What the worker's thread asks, behind what its earlier streams have left to be done. */
    private final Lane work;

    private final Lane reads = new Lane();
    private final Leaving leaving;
    private volatile boolean closed;
    private WeakReference<@Nullable ModelSnapshot> sent = new WeakReference<>(null);

    /** What all desks use. */
    record Shared(Executor calls, Executor reports, ChangeWaits changes, SnapshotBytes codec) {}

    /** Hears that the stream has closed. */
    @FunctionalInterface
    interface Leaving {
        void closed(WorkerDesk desk, boolean inPeace);
    }

    /** A call of the master, which may wait. */
    @FunctionalInterface
    private interface Call {
        Object make() throws InterruptedException;
    }

    WorkerDesk(String worker, MasterPort master, Visitor visitor, Lane work, Shared shared, Leaving leaving) {
        this.worker = worker;
        this.master = master;
        this.visitor = visitor;
        this.talk = visitor.talk();
        this.work = work;
        this.shared = shared;
        this.leaving = leaving;
    }

    String worker() {
        return worker;
    }

    /** Ends the stream, so that what it has left to be done is not done any more. */
    void leave() {
        closed = true;
        visitor.leave();
    }

    @Override
    public void closed(boolean inPeace) {
        closed = true;
        leaving.closed(this, inPeace);
    }

    @Override
    public void received(Message message) {
        switch (message.name()) {
            case Calls.NOTES -> {
                Note note = Json.value(message.body(), Note.class);
                work.execute(shared.calls, () -> handle(() -> note(note)));
            }
            case Calls.AWAIT_CHANGE -> awaitChange(message);
            case Calls.NEXT, Calls.STARTS, Calls.JOINS, Calls.SETTLE -> answer(message, work, shared.calls);
            case Calls.AHEAD, Calls.FAILED -> answer(message, reads, shared.calls);
            case Calls.TRAINED, Calls.EVALUATED -> answer(message, reads, shared.reports);
            default -> throw new IllegalArgumentException("\"" + message.name() + "\" is no call of a worker");
        }
    }

    private void awaitChange(Message message) {
        shared.changes.add(new ChangeWaits.Waiting(
                master,
                () -> {
                    talk.done(message.id(), Args.none());
                    visitor.handled();
                },
                cause -> {
                    talk.failed(message.id(), cause);
                    visitor.handled();
                }));
    }

    private void answer(Message message, Lane lane, Executor threads) {
        lane.execute(threads, () -> handle(() -> answer(message.id(), () -> call(new Args.Given(message)))));
    }

    /** Handles a message unless the worker has left meanwhile. */
    private void handle(Runnable handling) {
        if (!closed) {
            try {
                handling.run();
            } finally {
                visitor.handled();
            }
        }
    }

    private void answer(long id, Call call) {
        try {
            talk.done(id, call.make());
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
            talk.failed(id, new MasterGone());
        } catch (RuntimeException failure) {
            talk.failed(id, failure);
        }
    }

    private Object call(Args.Given given) throws InterruptedException {
        return switch (given.call()) {
            case Calls.NEXT -> Answer.of(master.next());
            case Calls.AHEAD -> Answer.of(master.ahead(task(given)));
            case Calls.STARTS -> Args.of("held", master.starts(task(given)));
            case Calls.JOINS -> {
                master.begins();
                yield Args.none();
            }
            case Calls.TRAINED -> {
                master.trained(task(given));
                yield Args.none();
            }
            case Calls.EVALUATED -> {
                master.evaluated(task(given), given.value("sums", double[][].class));
                yield Args.none();
            }
            case Calls.FAILED -> {
                master.failed(task(given), given.value("failure", TaskFailure.class));
                yield Args.none();
            }
            default -> Args.none();
        };
    }

    private static Task task(Args.Given given) {
        return given.value("task", Task.class);
    }

    /** An assignment in a message. */
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

    private void note(Note note) {
        try {
            note.signs().forEach(this::sign);
            note.touched().forEach(master::touch);
            // The master averages over losses, so each counts.
            float mean = (float) (note.lossSum() / Math.max(1, note.losses()));
            for (int i = 0; i < note.losses(); i++) {
                master.loss(mean, note.version());
            }
            note.logged().forEach(loss -> master.logLoss(loss.loss(), loss.version()));
        } catch (MasterGone gone) {
            // The stream closes with the master.
            LOG.log(System.Logger.Level.DEBUG, () -> worker + ": " + note + " came too late");
        } catch (RuntimeException failure) {
            LOG.log(System.Logger.Level.WARNING, "what " + worker + " says has no effect: " + note, failure);
        }
    }

    private void sign(Note.Sign sign) {
        switch (sign) {
            case BEGINS -> master.begins();
            case COMPUTED -> master.computed();
            case WAITS -> master.waits();
            case CONTINUES -> master.continues();
            case LEAVES -> master.leave();
        }
    }

    @Override
    public void download(Message request, Transfer to) throws IOException {
        long version = new Args.Given(request).number("version");
        ModelSnapshot model;
        boolean same;
        try {
            model = master.model(version);
            synchronized (this) {
                same = sent.get() == model && new Args.Given(request).flag("known");
                sent = new WeakReference<>(model);
            }
        } catch (RuntimeException failure) {
            to.send(Message.failed(0, Failure.of(failure)));
            return;
        }
        to.send(Message.done(0, Args.of("same", same)));
        if (!same) {
            shared.codec.write(model, to.out());
        }
    }

    @Override
    public Object upload(Message request, InputStream in) throws IOException {
        Args.Given given = new Args.Given(request);
        if (!request.name().equals(Calls.PREDICTED)) {
            throw new IllegalArgumentException("\"" + request.name() + "\" is no bytes of a worker");
        }
        master.predicted(task(given), Floats.read(in, given.count("outputs")));
        return Args.none();
    }
}
