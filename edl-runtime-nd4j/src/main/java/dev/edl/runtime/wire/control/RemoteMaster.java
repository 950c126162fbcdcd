package dev.edl.runtime.wire.control;

import com.fasterxml.jackson.databind.JsonNode;
import dev.edl.runtime.engine.ports.MasterGone;
import dev.edl.runtime.engine.ports.MasterPort;
import dev.edl.runtime.engine.ports.TaskFailure;
import dev.edl.runtime.internal.text.Reason;
import dev.edl.runtime.ps.ModelSnapshot;
import dev.edl.runtime.task.Assignment;
import dev.edl.runtime.task.Task;
import dev.edl.runtime.wire.control.internal.Args;
import dev.edl.runtime.wire.control.internal.BulkCalls;
import dev.edl.runtime.wire.control.internal.Calls;
import dev.edl.runtime.wire.control.internal.Failure;
import dev.edl.runtime.wire.control.internal.Floats;
import dev.edl.runtime.wire.control.internal.Json;
import dev.edl.runtime.wire.control.internal.Note;
import dev.edl.runtime.wire.control.internal.Talk;
import dev.edl.runtime.wire.control.internal.Welcome;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One worker's end of a master in another process. What a minibatch has to say is kept together in {@link Notes}; only what needs
 * an answer waits for it.
 */
final class RemoteMaster implements MasterPort {
    private final String worker;
    private final Talk talk;
    private final BulkCalls bulk;
    private final SnapshotBytes codec;
    private final Duration bound;
    private final boolean rounds;
    private final Notes notes;
    private final Claims claims;
    /** The worker is in the rounds, unless the master has taken it out for being late. */
    private volatile boolean joined;

    private @Nullable ModelSnapshot model;

    RemoteMaster(Caller caller, Talk talk, Welcome welcome, BulkCalls bulk) {
        this.worker = caller.hello().name();
        this.talk = talk;
        this.bulk = bulk;
        this.codec = caller.codec();
        this.bound = caller.settings().request();
        this.rounds = welcome.rounds();
        this.notes = new Notes(talk, caller.alarms(), welcome);
        this.claims = new Claims(talk);
    }

    /** A wait for an answer. */
    @FunctionalInterface
    private interface Waiting {
        JsonNode run() throws InterruptedException;
    }

    private static JsonNode answer(Waiting waiting) throws InterruptedException {
        try {
            return waiting.run();
        } catch (Talk.Closed gone) {
            throw new MasterGone();
        } catch (Failure.Answered failure) {
            throw failure.failure().exception("");
        }
    }

    /** Waits where the caller does not expect to be interrupted: it has no use for the master then. */
    private static JsonNode always(Waiting waiting) {
        try {
            return answer(waiting);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MasterGone();
        }
    }

    private JsonNode ask(String call, Args args) {
        return always(() -> interruptibly(call, args));
    }

    private JsonNode interruptibly(String call, Args args) throws InterruptedException {
        notes.flush();
        return talk.ask(call, args, bound);
    }

    private void requirePresent() {
        if (talk.isClosed()) {
            throw new MasterGone();
        }
    }

    private static Args of(Task task) {
        return Args.of("task", task);
    }

    private static Assignment assignment(JsonNode answer) {
        return Json.value(answer, WorkerDesk.Answer.class).assignment();
    }

    @Override
    public Assignment next() {
        claims.none();
        return assignment(ask(Calls.NEXT, Args.none()));
    }

    @Override
    public Assignment ahead(Task held) {
        Assignment assignment = assignment(ask(Calls.AHEAD, of(held)));
        if (assignment instanceof Assignment.Lease lease) {
            claims.holds(lease.task());
        }
        return assignment;
    }

    @Override
    public boolean starts(Task ahead) {
        requirePresent();
        notes.flush();
        CompletableFuture<JsonNode> held = claims.starts(ahead);
        return always(() -> talk.await(Calls.STARTS, held, bound)).path("held").booleanValue();
    }

    @Override
    public void awaitChange() throws InterruptedException {
        answer(() -> interruptibly(Calls.AWAIT_CHANGE, Args.none()));
    }

    @Override
    public void begins() {
        requirePresent();
        if (!joined && rounds) {
            // Before the first push of the worker, or a round could end without it.
            ask(Calls.JOINS, Args.none());
        } else if (!joined || rounds) {
            notes.sign(Note.Sign.BEGINS);
        }
        joined = true;
    }

    private void sign(Note.Sign sign) {
        requirePresent();
        if (rounds) {
            notes.sign(sign);
        }
    }

    @Override
    public void computed() {
        sign(Note.Sign.COMPUTED);
    }

    @Override
    public void waits() {
        sign(Note.Sign.WAITS);
    }

    @Override
    public void continues() {
        sign(Note.Sign.CONTINUES);
    }

    @Override
    public void leave() {
        joined = false;
        notes.leave();
    }

    @Override
    public void touch(Task task) {
        requirePresent();
        claims.touched(task);
        notes.touch(task);
    }

    @Override
    public void loss(float loss, long version) {
        requirePresent();
        notes.loss(loss, version);
    }

    @Override
    public void logLoss(float loss, long version) {
        requirePresent();
        notes.log(loss, version);
    }

    @Override
    public ModelSnapshot model(long version) {
        requirePresent();
        notes.flush();
        ModelSnapshot known = model;
        model = null;
        try {
            Args args = Args.of("version", version).and("known", known != null);
            ModelSnapshot read = bulk.download(
                    Calls.MODEL,
                    args,
                    (head, from) -> known != null && head.path("same").booleanValue() ? known : codec.readModel(from));
            model = read;
            return read;
        } catch (Failure.Answered failure) {
            throw failure.failure().exception("");
        } catch (IOException away) {
            throw gone(away);
        }
    }

    /** Bytes that do not come whole are the end of this master: the worker asks the next one. */
    private MasterGone gone(IOException cause) {
        talk.end(Reason.of(cause));
        return new MasterGone();
    }

    @Override
    public void trained(Task task) throws InterruptedException {
        answer(() -> interruptibly(Calls.TRAINED, of(task)));
    }

    @Override
    public void evaluated(Task task, double[][] sums) {
        ask(Calls.EVALUATED, of(task).and("sums", sums));
    }

    @Override
    public void predicted(Task task, float[] outputs) {
        requirePresent();
        notes.flush();
        try {
            bulk.upload(
                    Calls.PREDICTED, of(task).and("outputs", outputs.length), to -> Floats.write(outputs, to), bound);
        } catch (Failure.Answered failure) {
            throw failure.failure().exception("");
        } catch (IOException away) {
            throw gone(away);
        }
    }

    @Override
    public void failed(Task task, TaskFailure failure) {
        ask(Calls.FAILED, of(task).and("failure", failure));
    }

    /** Waits until all that was said before has taken effect. */
    void settle() {
        ask(Calls.SETTLE, Args.none());
    }

    Talk talk() {
        return talk;
    }

    /** Returns the text for people, for example {@code the master of worker-3}. */
    @Override
    public String toString() {
        return "the master of " + worker;
    }
}
