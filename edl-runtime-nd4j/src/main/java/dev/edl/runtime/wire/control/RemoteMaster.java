package dev.edl.runtime.wire.control;

import com.fasterxml.jackson.databind.JsonNode;
import dev.edl.runtime.engine.ports.MasterGoneException;
import dev.edl.runtime.engine.ports.MasterPort;
import dev.edl.runtime.engine.ports.TaskFailure;
import dev.edl.runtime.internal.text.ExceptionText;
import dev.edl.runtime.ps.ModelSnapshot;
import dev.edl.runtime.task.Assignment;
import dev.edl.runtime.task.Task;
import dev.edl.runtime.wire.control.internal.BulkTransferClient;
import dev.edl.runtime.wire.control.internal.FloatBytes;
import dev.edl.runtime.wire.control.internal.MessageArguments;
import dev.edl.runtime.wire.control.internal.MessageJson;
import dev.edl.runtime.wire.control.internal.MessageNames;
import dev.edl.runtime.wire.control.internal.RemoteFailure;
import dev.edl.runtime.wire.control.internal.ReportBatch;
import dev.edl.runtime.wire.control.internal.RpcPeer;
import dev.edl.runtime.wire.control.internal.Welcome;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One worker's port to a master in another process. {@link ReportBatcher} batches reports about minibatches; only
 * requests that need a response wait for it.
 */
final class RemoteMaster implements MasterPort {
    private final String worker;
    private final RpcPeer peer;
    private final BulkTransferClient bulk;
    private final SnapshotBytes codec;
    private final Duration bound;
    private final boolean rounds;
    private final ReportBatcher reports;
    private final TaskPrefetch prefetch;
    /** Whether the worker has joined the rounds. The master may nevertheless have removed it for being late. */
    private volatile boolean joined;

    private @Nullable ModelSnapshot model;

    RemoteMaster(CallerConfig config, RpcPeer peer, Welcome welcome, BulkTransferClient bulk) {
        this.worker = config.hello().name();
        this.peer = peer;
        this.bulk = bulk;
        this.codec = config.codec();
        this.bound = config.settings().request();
        this.rounds = welcome.rounds();
        this.reports = new ReportBatcher(peer, config.alarms(), welcome);
        this.prefetch = new TaskPrefetch(peer);
    }

    /** A wait for a response. */
    @FunctionalInterface
    private interface Waiting {
        JsonNode run() throws InterruptedException;
    }

    private static JsonNode answer(Waiting waiting) throws InterruptedException {
        try {
            return waiting.run();
        } catch (RpcPeer.PeerClosedException gone) {
            throw new MasterGoneException();
        } catch (RemoteFailure.Answered failure) {
            throw failure.failure().exception("");
        }
    }

    /** Waits for a response; an interrupt ends the caller's use of this master. */
    private static JsonNode always(Waiting waiting) {
        try {
            return answer(waiting);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MasterGoneException();
        }
    }

    private JsonNode ask(String call, MessageArguments args) {
        return always(() -> interruptibly(call, args));
    }

    private JsonNode interruptibly(String call, MessageArguments args) throws InterruptedException {
        reports.flush();
        return peer.request(call, args, bound);
    }

    private void requirePresent() {
        if (peer.isClosed()) {
            throw new MasterGoneException();
        }
    }

    private static MessageArguments of(Task task) {
        return MessageArguments.of("task", task);
    }

    private static Assignment assignment(JsonNode answer) {
        return MessageJson.value(answer, WorkerSession.Answer.class).assignment();
    }

    @Override
    public Assignment next() {
        prefetch.none();
        return assignment(ask(MessageNames.NEXT, MessageArguments.none()));
    }

    @Override
    public Assignment prefetch(Task held) {
        Assignment assignment = assignment(ask(MessageNames.AHEAD, of(held)));
        if (assignment instanceof Assignment.Lease lease) {
            prefetch.holds(lease.task());
        }
        return assignment;
    }

    @Override
    public boolean startPrefetched(Task ahead) {
        requirePresent();
        reports.flush();
        CompletableFuture<JsonNode> held = prefetch.starts(ahead);
        return always(() -> peer.await(MessageNames.STARTS, held, bound))
                .path("held")
                .booleanValue();
    }

    @Override
    public void awaitChange() throws InterruptedException {
        answer(() -> interruptibly(MessageNames.AWAIT_CHANGE, MessageArguments.none()));
    }

    @Override
    public void minibatchStarted() {
        requirePresent();
        if (!joined && rounds) {
            // Must take effect before the worker's first push, or a round could end without it.
            ask(MessageNames.JOINS, MessageArguments.none());
        } else if (!joined || rounds) {
            reports.sign(ReportBatch.Sign.BEGINS);
        }
        joined = true;
    }

    private void sign(ReportBatch.Sign sign) {
        requirePresent();
        if (rounds) {
            reports.sign(sign);
        }
    }

    @Override
    public void gradientComputed() {
        sign(ReportBatch.Sign.COMPUTED);
    }

    @Override
    public void roundWaitStarted() {
        sign(ReportBatch.Sign.WAITS);
    }

    @Override
    public void roundWaitEnded() {
        sign(ReportBatch.Sign.CONTINUES);
    }

    @Override
    public void leave() {
        joined = false;
        reports.leave();
    }

    @Override
    public void touch(Task task) {
        requirePresent();
        prefetch.touched(task);
        reports.touch(task);
    }

    @Override
    public void loss(float loss, long version) {
        requirePresent();
        reports.loss(loss, version);
    }

    @Override
    public void logLoss(float loss, long version) {
        requirePresent();
        reports.log(loss, version);
    }

    @Override
    public ModelSnapshot model(long version) {
        requirePresent();
        reports.flush();
        ModelSnapshot known = model;
        model = null;
        try {
            MessageArguments args = MessageArguments.of("version", version).and("known", known != null);
            ModelSnapshot read = bulk.download(
                    MessageNames.MODEL,
                    args,
                    (head, from) -> known != null && head.path("same").booleanValue() ? known : codec.readModel(from));
            model = read;
            return read;
        } catch (RemoteFailure.Answered failure) {
            throw failure.failure().exception("");
        } catch (IOException away) {
            throw gone(away);
        }
    }

    /** Incomplete content ends the connection to this master: the worker retries with the next one. */
    private MasterGoneException gone(IOException cause) {
        peer.end(ExceptionText.of(cause));
        return new MasterGoneException();
    }

    @Override
    public void trained(Task task, long lives) throws InterruptedException {
        answer(() -> interruptibly(MessageNames.TRAINED, of(task).and("lives", lives)));
    }

    @Override
    public void evaluated(Task task, double[][] sums) {
        ask(MessageNames.EVALUATED, of(task).and("sums", sums));
    }

    @Override
    public void predicted(Task task, float[] outputs) {
        requirePresent();
        reports.flush();
        try {
            bulk.upload(
                    MessageNames.PREDICTED,
                    of(task).and("outputs", outputs.length),
                    to -> FloatBytes.write(outputs, to),
                    bound);
        } catch (RemoteFailure.Answered failure) {
            throw failure.failure().exception("");
        } catch (IOException away) {
            throw gone(away);
        }
    }

    @Override
    public void failed(Task task, TaskFailure failure) {
        ask(MessageNames.FAILED, of(task).and("failure", failure));
    }

    /** Waits until all messages sent so far have taken effect at the master. */
    void settle() {
        ask(MessageNames.SETTLE, MessageArguments.none());
    }

    RpcPeer talk() {
        return peer;
    }

    /** Returns the text for people, for example {@code the master of worker-3}. */
    @Override
    public String toString() {
        return "the master of " + worker;
    }
}
