package dev.edl.runtime.wire.control;

import dev.edl.runtime.engine.ports.MasterGoneException;
import dev.edl.runtime.engine.ports.RegistrationPort;
import dev.edl.runtime.engine.ports.SavedShard;
import dev.edl.runtime.engine.ports.ShardAssignment;
import dev.edl.runtime.internal.text.ExceptionText;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ShardSnapshot;
import dev.edl.runtime.wire.control.internal.BulkTransferClient;
import dev.edl.runtime.wire.control.internal.MessageNames;
import dev.edl.runtime.wire.control.internal.RemoteFailure;
import dev.edl.runtime.wire.control.internal.RpcInterface;
import dev.edl.runtime.wire.control.internal.RpcPeer;
import java.io.IOException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One parameter server's port to a master in another process. */
final class RemoteServerRegistration implements RegistrationPort {
    private final int index;
    private final RpcPeer peer;
    private final BulkTransferClient bulk;
    private final BulkResultCodec codec;
    private final Duration bound;
    private final RegistrationPort calls;

    RemoteServerRegistration(CallerConfig config, RpcPeer peer, BulkTransferClient bulk) {
        this.index = config.hello().index();
        this.peer = peer;
        this.bulk = bulk;
        this.codec = config.codec();
        this.bound = config.settings().answer();
        this.calls = RemotePorts.REGISTRATION.stub(toString(), this::call);
    }

    private @Nullable Object call(Method method, Object[] arguments) {
        try {
            return RpcInterface.result(method, peer.request(method.getName(), RpcInterface.sent(arguments), bound));
        } catch (RpcPeer.PeerClosedException gone) {
            throw new MasterGoneException();
        } catch (RemoteFailure.Answered failure) {
            if (failure.failure().type() == RemoteFailure.Type.STALE_TERM) {
                // Another master leads; this one ends.
                throw new MasterGoneException();
            }
            throw failure.failure().exception("ps-" + index);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MasterGoneException();
        }
    }

    @Override
    public ShardAssignment register(int shard) {
        ShardAssignment order = calls.register(shard);
        SavedShard saved = order.saved();
        return saved == null
                ? order
                : new ShardAssignment(
                        order.term(),
                        order.life(),
                        order.minibatchesPerEpoch(),
                        new SavedShardDownload(saved.toString()));
    }

    @Override
    public void ready(int shard, ShardLife life) {
        calls.ready(shard, life);
    }

    /**
     * A saved shard state, which this server downloads from the master. An incomplete download ends the connection to
     * this master; the server registers again at the next one.
     */
    private final class SavedShardDownload implements SavedShard {
        private final String text;

        private SavedShardDownload(String text) {
            this.text = text;
        }

        @Override
        public ShardSnapshot read() throws IOException {
            try {
                return bulk.download(
                        MessageNames.SAVED, Map.of(), (head, from) -> codec.read(ShardSnapshot.class, from));
            } catch (RemoteFailure.Answered failure) {
                throw new IOException(text + " of ps-" + index + ": " + failure.getMessage(), failure);
            } catch (IOException incomplete) {
                // A master that retires ends the download, maybe before this end notices that the connection ends.
                peer.end(ExceptionText.of(incomplete));
                throw new MasterGoneException();
            }
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /** Returns the text for people, for example {@code the master of ps-1}. */
    @Override
    public String toString() {
        return "the master of ps-" + index;
    }
}
