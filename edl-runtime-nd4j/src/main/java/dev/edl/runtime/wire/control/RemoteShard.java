package dev.edl.runtime.wire.control;

import com.fasterxml.jackson.databind.JsonNode;
import dev.edl.runtime.ConnectionSettings;
import dev.edl.runtime.ps.ShardGoneException;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ShardSnapshot;
import dev.edl.runtime.ps.ports.ShardPort;
import dev.edl.runtime.ps.ports.SnapshotTransfer;
import dev.edl.runtime.wire.control.internal.PendingUploads;
import dev.edl.runtime.wire.control.internal.RemoteFailure;
import dev.edl.runtime.wire.control.internal.RpcInterface;
import dev.edl.runtime.wire.control.internal.RpcPeer;
import dev.edl.runtime.wire.control.internal.SerialExecutor;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** One life of a shard, whose server is connected to the master. */
final class RemoteShard {
    private final String name;
    private final ShardLife life;
    private final RpcPeer peer;
    private final PendingUploads uploads;
    private final BulkResultCodec codec;
    private final ConnectionSettings settings;
    private final ShardPort port;
    /** Runs the notifications of pinned versions one at a time, in order of arrival. */
    private final SerialExecutor pinned = new SerialExecutor();

    private volatile @Nullable LongConsumer listener;

    RemoteShard(
            String name,
            ShardLife life,
            RpcPeer peer,
            PendingUploads uploads,
            BulkResultCodec codec,
            ConnectionSettings settings) {
        this.name = name;
        this.life = life;
        this.peer = peer;
        this.uploads = uploads;
        this.codec = codec;
        this.settings = settings;
        this.port = RemotePorts.SHARD.stub(life + " of " + name, this::call);
    }

    ShardLife life() {
        return life;
    }

    /** Returns the master's port to the shard. */
    ShardPort port() {
        return port;
    }

    private @Nullable Object call(Method method, Object[] arguments) throws InterruptedException {
        if (method.getName().equals("life")) {
            return life;
        }
        Class<?> result =
                method.getReturnType() == SnapshotTransfer.class ? ShardSnapshot.class : RpcInterface.result(method);
        return codec.contains(result)
                ? content(method, arguments, result)
                : RpcInterface.result(method, request(method, arguments, 0));
    }

    private JsonNode request(Method method, Object[] arguments, long upload) throws InterruptedException {
        Duration bound = settings.answer();
        for (Object argument : arguments) {
            if (argument instanceof LongConsumer hears) {
                // Set before the request, because a version may be pinned before the response arrives.
                listener = hears;
            } else if (argument instanceof Duration wait) {
                bound = bound.plus(wait);
            }
        }
        try {
            return peer.request(
                    method.getName(), new RemotePorts.ShardRequest(life, upload, RpcInterface.sent(arguments)), bound);
        } catch (RpcPeer.PeerClosedException away) {
            throw new ShardGoneException(name);
        } catch (RemoteFailure.Answered failure) {
            throw failure.failure().exception(name);
        }
    }

    /** Sends a request, and reads its result from a bulk connection, if the server has such content. */
    private <T> Object content(Method method, Object[] arguments, Class<T> type) throws InterruptedException {
        PendingUploads.ExpectedUpload<T> expected = uploads.expect(from -> codec.read(type, from));
        boolean sent = false;
        try {
            sent = request(method, arguments, expected.id()).booleanValue();
        } finally {
            if (!sent) {
                uploads.drop(expected);
            }
        }
        if (method.getReturnType() == Optional.class) {
            return sent ? Optional.of(await(method, expected)) : Optional.empty();
        }
        if (!sent) {
            throw new IllegalStateException(name + " " + method.getName() + " has no result");
        }
        return method.getReturnType() == SnapshotTransfer.class ? transfer(method, expected) : await(method, expected);
    }

    private <T> SnapshotTransfer transfer(Method method, PendingUploads.ExpectedUpload<T> copy) {
        return new SnapshotTransfer() {
            @Override
            public ShardSnapshot await() throws InterruptedException {
                return (ShardSnapshot) RemoteShard.this.await(method, copy);
            }

            @Override
            public void close() {
                uploads.drop(copy);
            }
        };
    }

    /**
     * Waits for an upload. If it fails, the connection ends, because the caller detaches the shard: the server then
     * connects again and reports its life.
     */
    private <T> T await(Method method, PendingUploads.ExpectedUpload<T> expected) throws InterruptedException {
        try {
            return uploads.await(name + " " + method.getName(), expected, settings.silence());
        } catch (RpcPeer.PeerClosedException away) {
            peer.end(String.valueOf(away.getMessage()));
            throw new ShardGoneException(name);
        } finally {
            uploads.drop(expected);
        }
    }

    /** Notifies the listener of pinned versions, on one of these threads, that the shard has pinned a version. */
    void pinned(Executor threads, long version, Runnable handled) {
        pinned.execute(threads, () -> {
            try {
                LongConsumer hears = listener;
                if (hears != null) {
                    hears.accept(version);
                }
            } finally {
                handled.run();
            }
        });
    }

    /** Returns the text for people, for example {@code life 2 of term 1 of ps-1}. */
    @Override
    public String toString() {
        return port.toString();
    }
}
