package dev.edl.runtime.wire.control;

import dev.edl.runtime.ps.ShardGoneException;
import dev.edl.runtime.ps.ports.ShardPort;
import dev.edl.runtime.ps.ports.SnapshotTransfer;
import dev.edl.runtime.wire.control.internal.BulkTransferClient;
import dev.edl.runtime.wire.control.internal.Message;
import dev.edl.runtime.wire.control.internal.MessageJson;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs the master's requests at a server. A request may wait. Safe for several threads. */
final class ShardRequestHandler {
    private final String name;
    private final Supplier<Optional<ShardPort>> shard;
    private final BulkResultCodec codec;

    /** Sender of content that belongs to a response. */
    @FunctionalInterface
    interface Sender {
        /** Sends the writer's output over a bulk connection after the response. */
        void send(long upload, BulkTransferClient.Writer content);
    }

    /**
     * Creates a handler.
     *
     * @param name name of the shard in messages, for example {@code ps-1}
     * @param shard supplies the placed shard; empty if there is none
     */
    ShardRequestHandler(String name, Supplier<Optional<ShardPort>> shard, BulkResultCodec codec) {
        this.name = name;
        this.shard = shard;
        this.codec = codec;
    }

    /**
     * Runs a request.
     *
     * @param pinned receives the versions that a pin request leads to
     * @param sender sends content that is too large for a response
     * @return the response; whether there is content if the result has some
     */
    @Nullable
    Object handle(Message message, LongConsumer pinned, Sender sender) throws InterruptedException {
        RemotePorts.ShardRequest request = MessageJson.value(message.body(), RemotePorts.ShardRequest.class);
        ShardPort port = shard.get()
                .filter(placed -> placed.life().equals(request.life()))
                .orElseThrow(() -> new ShardGoneException(name));
        Object result = RemotePorts.SHARD.invoke(port, message.name(), request.arguments(), pinned);
        Object content = result instanceof Optional<?> optional ? optional.orElse(null) : result;
        if (content instanceof SnapshotTransfer copy) {
            content = copy.await();
        }
        if (content == null || !codec.contains(content.getClass())) {
            return result;
        }
        Object sent = content;
        sender.send(request.upload(), to -> codec.write(sent, to));
        return true;
    }
}
