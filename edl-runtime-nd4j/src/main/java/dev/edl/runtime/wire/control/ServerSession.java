package dev.edl.runtime.wire.control;

import dev.edl.runtime.ConnectionSettings;
import dev.edl.runtime.engine.ports.MasterGoneException;
import dev.edl.runtime.engine.ports.RegistrationPort;
import dev.edl.runtime.engine.ports.SavedShard;
import dev.edl.runtime.engine.ports.ShardAssignment;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ShardSnapshot;
import dev.edl.runtime.wire.control.internal.BulkTransfer;
import dev.edl.runtime.wire.control.internal.Message;
import dev.edl.runtime.wire.control.internal.MessageNames;
import dev.edl.runtime.wire.control.internal.PendingUploads;
import dev.edl.runtime.wire.control.internal.RemoteFailure;
import dev.edl.runtime.wire.control.internal.RpcPeer;
import dev.edl.runtime.wire.control.internal.SerialExecutor;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The master's session with one server: handles its registration, and sends requests to its shard through {@link
 * RemoteShard}.
 */
final class ServerSession implements CallerSession, RegistrationPort {
    private final int index;
    private final RegistrationPort master;
    private final PendingConnection pending;
    private final RpcPeer peer;
    /** Runs the requests of this shard index's servers, and the notifications about the shard, in order. */
    private final SerialExecutor executor;

    private final Executor calls;
    private final BulkResultCodec codec;
    private final ConnectionSettings settings;
    private final Shards shards;
    private final PendingUploads uploads = new PendingUploads();
    private volatile boolean closed;
    private volatile @Nullable SavedShard saved;
    private volatile @Nullable RemoteShard shard;

    /** Tracks the lives of each shard. All calls about one index arrive in order. */
    interface Shards {
        /** Records that a life was assigned to the server of a session. */
        void registered(ServerSession session, ShardLife life);

        /**
         * Records that the server of a session has reported a life as ready.
         *
         * @throws ShardReplacedException when a later life of the shard has begun
         */
        void ready(ServerSession session, RemoteShard shard);

        /** Records that the connection of a session has closed. */
        void closed(ServerSession session);
    }

    ServerSession(
            int index,
            RegistrationPort master,
            PendingConnection pending,
            SerialExecutor executor,
            Executor calls,
            BulkResultCodec codec,
            ConnectionSettings settings,
            Shards shards) {
        this.index = index;
        this.master = master;
        this.pending = pending;
        this.peer = pending.rpcPeer();
        this.executor = executor;
        this.calls = calls;
        this.codec = codec;
        this.settings = settings;
        this.shards = shards;
    }

    int index() {
        return index;
    }

    boolean isClosed() {
        return closed;
    }

    SerialExecutor lane() {
        return executor;
    }

    /** Returns the attached shard; null if there is none. */
    @Nullable
    RemoteShard shard() {
        return shard;
    }

    /** Ends the connection. */
    void leave() {
        closed = true;
        pending.leave();
        uploads.close("the stream of ps-" + index + " has ended");
    }

    @Override
    public void closed(boolean orderly) {
        closed = true;
        uploads.close("the stream of ps-" + index + " has ended");
        shards.closed(this);
    }

    @Override
    public void received(Message message) {
        switch (message.kind()) {
            case DONE, FAILED -> {
                peer.answered(message);
                pending.handled();
            }
            case TELL -> {
                RemoteShard present = shard;
                if (present != null && message.name().equals(MessageNames.PINNED_NOW)) {
                    present.pinned(calls, message.value("version", Long.class), pending::handled);
                } else {
                    pending.handled();
                }
            }
            case ASK -> executor.execute(calls, () -> answer(message));
        }
    }

    private void answer(Message message) {
        if (closed) {
            return;
        }
        try {
            peer.respond(
                    message.id(), RemotePorts.REGISTRATION.invoke(this, message.name(), message.body(), version -> {}));
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
            peer.respondFailure(message.id(), new MasterGoneException());
        } catch (RuntimeException failure) {
            peer.respondFailure(message.id(), failure);
        } finally {
            pending.handled();
        }
    }

    private void require(int requested) {
        if (requested != index) {
            throw new IllegalArgumentException("the server of ps-" + index + " cannot register ps-" + requested);
        }
    }

    @Override
    public ShardAssignment register(int requested) {
        require(requested);
        ShardAssignment assignment = master.register(index);
        saved = assignment.saved();
        shards.registered(this, assignment.life());
        return assignment;
    }

    @Override
    public void ready(int requested, ShardLife life) {
        require(requested);
        shards.ready(this, new RemoteShard("ps-" + index, life, peer, uploads, codec, settings));
        master.ready(index, life);
    }

    /** Attaches the shard, whose pinned versions are reported to its listener from now on. */
    void attach(RemoteShard port) {
        shard = port;
    }

    @Override
    public void download(Message request, BulkTransfer transfer) throws IOException {
        SavedShard state = saved;
        ShardSnapshot snapshot;
        try {
            if (state == null) {
                throw new IllegalStateException(
                        "ps-" + index + " requested a saved state, but the master has assigned it none");
            }
            snapshot = state.read();
        } catch (RuntimeException | IOException failure) {
            transfer.send(Message.failed(0, RemoteFailure.of(failure)));
            return;
        }
        transfer.send(Message.done(0, null));
        codec.write(snapshot, transfer.out());
    }

    @Override
    public void upload(Message request, InputStream in) throws IOException {
        if (closed) {
            throw new MasterGoneException();
        }
        uploads.received(request.value("id", Long.class), in);
    }
}
