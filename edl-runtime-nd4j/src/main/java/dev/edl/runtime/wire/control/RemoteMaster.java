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
import dev.edl.runtime.wire.control.internal.FloatByteCodec;
import dev.edl.runtime.wire.control.internal.MessageNames;
import dev.edl.runtime.wire.control.internal.RemoteFailure;
import dev.edl.runtime.wire.control.internal.ReportBatch;
import dev.edl.runtime.wire.control.internal.RpcInterface;
import dev.edl.runtime.wire.control.internal.RpcPeer;
import dev.edl.runtime.wire.control.internal.Welcome;
import java.io.IOException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Map;
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
    private final BulkResultCodec codec;
    private final Duration bound;
    private final boolean rounds;
    private final ReportBatcher reports;
    private final TaskPrefetch prefetch;
    private final MasterPort calls;
    /** Whether the worker has joined the rounds. The master may nevertheless have removed it for being late. */
    private volatile boolean joined;

    private @Nullable ModelSnapshot model;

    RemoteMaster(CallerConfig config, RpcPeer peer, Welcome welcome, BulkTransferClient bulk) {
        this.worker = config.hello().name();
        this.peer = peer;
        this.bulk = bulk;
        this.codec = config.codec();
        this.bound = config.settings().answer();
        this.rounds = welcome.rounds();
        this.reports = new ReportBatcher(peer, config.timers(), welcome);
        this.prefetch = new TaskPrefetch(peer);
        this.calls = RemotePorts.MASTER.stub(toString(), this::call);
    }

    private @Nullable Object call(Method method, Object[] arguments) throws InterruptedException {
        reports.flush();
        String name = method.getName();
        CompletableFuture<JsonNode> response = name.equals("startPrefetched")
                ? prefetch.starts((Task) arguments[0])
                : peer.requestAsync(name, RpcInterface.sent(arguments));
        try {
            return RpcInterface.result(method, peer.await(name, response, bound));
        } catch (InterruptedException e) {
            if (method.getExceptionTypes().length > 0) {
                throw e;
            }
            // The interrupt ends the worker's use of this master.
            Thread.currentThread().interrupt();
            throw new MasterGoneException();
        } catch (RpcPeer.PeerClosedException gone) {
            throw new MasterGoneException();
        } catch (RemoteFailure.Answered failure) {
            throw failure.failure().exception("");
        }
    }

    private void requirePresent() {
        if (peer.isClosed()) {
            throw new MasterGoneException();
        }
    }

    @Override
    public Assignment next() {
        prefetch.none();
        return calls.next();
    }

    @Override
    public Assignment prefetch(Task held) {
        Assignment assignment = calls.prefetch(held);
        if (assignment instanceof Assignment.Lease lease) {
            prefetch.holds(lease.task());
        }
        return assignment;
    }

    @Override
    public boolean startPrefetched(Task ahead) {
        requirePresent();
        return calls.startPrefetched(ahead);
    }

    @Override
    public void awaitChange() throws InterruptedException {
        calls.awaitChange();
    }

    @Override
    public void minibatchStarted() {
        requirePresent();
        if (!joined && rounds) {
            // Must take effect before the worker's first push, or a round could end without it.
            calls.minibatchStarted();
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
            ModelSnapshot read = bulk.download(
                    MessageNames.MODEL,
                    Map.of("version", version, "known", known != null),
                    (head, from) -> known != null && head.path("same").booleanValue()
                            ? known
                            : codec.read(ModelSnapshot.class, from));
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
        calls.trained(task, lives);
    }

    @Override
    public void evaluated(Task task, double[][] sums) {
        calls.evaluated(task, sums);
    }

    @Override
    public void predicted(Task task, float[] outputs) {
        requirePresent();
        reports.flush();
        try {
            bulk.upload(
                    MessageNames.PREDICTED,
                    Map.of("task", task, "outputs", outputs.length),
                    to -> FloatByteCodec.write(outputs, to));
        } catch (RemoteFailure.Answered failure) {
            throw failure.failure().exception("");
        } catch (IOException away) {
            throw gone(away);
        }
    }

    @Override
    public void failed(Task task, TaskFailure failure) {
        calls.failed(task, failure);
    }

    /** Waits until all messages sent so far have taken effect at the master. */
    void settle() {
        reports.flush();
        try {
            peer.request(MessageNames.SETTLE, Map.of(), bound);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MasterGoneException();
        }
    }

    RpcPeer rpcPeer() {
        return peer;
    }

    /** Returns the text for people, for example {@code the master of worker-3}. */
    @Override
    public String toString() {
        return "the master of " + worker;
    }
}
