package dev.edl.runtime.wire.frames;

import dev.edl.runtime.ConnectionSettings;
import dev.edl.runtime.model.EmbeddingRows;
import dev.edl.runtime.ps.PushResult;
import dev.edl.runtime.ps.ShardRange;
import dev.edl.runtime.ps.WeightVersions;
import dev.edl.runtime.ps.ports.CheckedShards;
import dev.edl.runtime.ps.ports.ParameterSink;
import dev.edl.runtime.wire.bounds.TimeBound;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A worker's access to all parameter shards, each at its own server. One thread at a time; any thread may call {@link
 * #missing} and {@link #close}.
 *
 * <p>Without embedding tables, the response to a push includes the values of the next pull. Once the worker has awaited
 * a round, it also includes the round's end. A step then sends one request to each server. The next pull returns those
 * values, unless the server has closed the connection meanwhile, which it does with each life of its shard.
 *
 * <pre>{@code
 * try (RemoteShards shards = RemoteShards.of(addresses, new ShardClientConfig(run, "worker-3", contents, tables, patience, handshake),
 *     ConnectionSettings.defaults())) {
 *   shards.pull(weights, List.of(), base);
 * }
 * }</pre>
 */
public final class RemoteShards extends CheckedShards implements AutoCloseable {
    private static final long NO_PUSH = -1;
    private static final long NOT_AWAITED = -1;

    private final ShardClientConfig config;
    private final ConnectionSettings settings;
    private final LongSupplier nanos;
    private final TimeBound silence;
    private final RequestFanOut fanOut;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final List<ShardClient> clients = new ArrayList<>();
    private final boolean smallRanges;

    /** Id of the push to which the clients' results belong. */
    private long answered = NO_PUSH;
    /** Bound of the worker's last awaited round; null while it awaits none. */
    private @Nullable Duration awaits;
    /** Bound of the response at the end of such a round. */
    private TimeBound roundEnd;

    private RemoteShards(
            List<InetSocketAddress> servers,
            ShardClientConfig config,
            ConnectionSettings settings,
            LongSupplier nanos) {
        super(config.contents());
        this.config = config;
        this.settings = settings;
        this.nanos = nanos;
        this.silence = TimeBound.silence(settings);
        this.roundEnd = silence;
        this.fanOut = new RequestFanOut(config.worker());
        List<ShardRange> ranges = config.contents().split(servers.size());
        boolean small = true;
        for (int i = 0; i < ranges.size(); i++) {
            ShardRange range = ranges.get(i);
            ShardFrameLayout layout = new ShardFrameLayout(range, ranges.size(), config.contents(), config.tables());
            clients.add(new ShardClient(layout, new ShardConnection(servers.get(i), config, layout, settings)));
            small &= (long) range.length() * Float.BYTES <= RequestFanOut.SMALL;
        }
        this.smallRanges = small;
    }

    /**
     * Returns a worker's access, which connects at its first call.
     *
     * @param servers address of each shard's server, in the order of the shards; names are resolved at each connect
     */
    public static RemoteShards of(
            List<InetSocketAddress> servers, ShardClientConfig config, ConnectionSettings settings) {
        return new RemoteShards(servers, config, settings, System::nanoTime);
    }

    @Override
    public int count() {
        return clients.size();
    }

    @Override
    public int missing() {
        for (int i = 0; i < clients.size(); i++) {
            if (clients.get(i).link().absent()) {
                return i;
            }
        }
        return -1;
    }

    /** Returns the number of requests sent to a shard, each with an awaited response. */
    int requests(int shard) {
        return clients.get(shard).link().requests();
    }

    @Override
    protected void pullAll(ParameterSink into, List<EmbeddingRows> rows, WeightVersions base)
            throws InterruptedException {
        settle();
        call(
                client -> !rows.isEmpty() || !client.fetched(),
                small(rows),
                client -> client.sendPull(rows),
                ShardClient::receivePull);
        for (ShardClient client : clients) {
            client.give(into, rows, base);
        }
    }

    @Override
    protected void pushAll(long number, long pushId, WeightVersions base, float[] gradient, List<EmbeddingRows> rows)
            throws InterruptedException {
        settle();
        answered = NO_PUSH;
        Duration round = awaits;
        long bound = round == null ? NOT_AWAITED : round.toNanos();
        // The round end that a response may announce is read only by the call that awaits it.
        call(
                client -> true,
                small(rows),
                client -> client.sendPush(number, pushId, base, gradient, rows, bound),
                client -> client.receivePush(pushId));
        answered = pushId;
    }

    @Override
    protected PushResult answer(int shard) {
        return clients.get(shard).result();
    }

    @Override
    public boolean awaitRound(long pushId, Duration bound) throws InterruptedException {
        if (!bound.equals(awaits)) {
            settle();
            roundEnd = new TimeBound(bound.plus(silence.time()), "connections.silence after the round");
        }
        awaits = bound;
        boolean known = answered == pushId;
        Predicate<ShardClient> open = client -> !known || client.result().outcome() != PushResult.Outcome.APPLIED;
        call(
                open,
                smallRanges,
                roundEnd,
                client -> {
                    if (!client.coming(pushId)) {
                        client.sendAwait(pushId, bound.toNanos());
                    }
                },
                ShardClient::receiveRound);
        return clients.stream().filter(open).allMatch(ShardClient::applied);
    }

    @Override
    public long resumeAt(long firstPushId, int count) throws InterruptedException {
        settle();
        call(client -> true, true, client -> client.sendHeld(firstPushId, count), ShardClient::receiveHeld);
        return firstPushId
                + clients.stream().mapToLong(ShardClient::count).min().orElse(0);
    }

    /** Closes connections that would deliver the end of a round that the worker no longer awaits. */
    private void settle() {
        for (ShardClient client : clients) {
            if (client.settle()) {
                awaits = null;
            }
        }
    }

    private void call(Predicate<ShardClient> which, boolean small, RequestFanOut.Step send, RequestFanOut.Step receive)
            throws InterruptedException {
        call(which, small, silence, send, receive);
    }

    /** Calls shards until each has responded; repeats only the calls without a response. */
    private void call(
            Predicate<ShardClient> which,
            boolean small,
            TimeBound bound,
            RequestFanOut.Step send,
            RequestFanOut.Step receive)
            throws InterruptedException {
        List<ShardClient> pending = clients.stream().filter(which).toList();
        AbsentShardRetry patience = new AbsentShardRetry(config.patience(), settings, closed, nanos);
        while (!pending.isEmpty()) {
            ShardClient absent = open(pending);
            if (absent == null) {
                pending = fanOut.run(pending, small, bound, send, receive);
                absent = firstFresh(pending);
            }
            if (absent != null) {
                patience.pause(absent.link());
            }
        }
    }

    /**
     * A connection that had responded before may lead to a stopped server, so its successor is called without a pause.
     */
    private static @Nullable ShardClient firstFresh(List<ShardClient> failed) {
        for (ShardClient client : failed) {
            if (!client.link().used()) {
                return client;
            }
        }
        return null;
    }

    private @Nullable ShardClient open(List<ShardClient> pending) throws InterruptedException {
        ShardClient absent = null;
        for (ShardClient client : pending) {
            if (closed.getCount() == 0) {
                throw new IllegalStateException("the connections to the parameter shards are closed");
            }
            try {
                client.open();
            } catch (ClosedByInterruptException e) {
                client.fail(e);
                Thread.interrupted();
                throw new InterruptedException("interrupted while " + client.link() + " was called");
            } catch (IOException e) {
                client.fail(e);
                absent = absent == null ? client : absent;
            }
        }
        return absent;
    }

    private boolean small(List<EmbeddingRows> rows) {
        long bytes = 0;
        for (EmbeddingRows some : rows) {
            bytes += some.count() * (Long.BYTES + (long) some.table().dimension() * Float.BYTES);
        }
        return smallRanges && bytes <= RequestFanOut.SMALL;
    }

    /** Closes all connections; a waiting call ends. */
    @Override
    public void close() {
        closed.countDown();
        clients.forEach(client -> client.link().end());
        fanOut.close();
    }

    /** Returns the text for people, for example {@code worker-3 of 2 servers}. */
    @Override
    public String toString() {
        return config.worker() + " of " + clients.size() + " servers";
    }
}
