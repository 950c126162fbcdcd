package dev.edl.runtime.wire.frames;

import dev.edl.runtime.model.EmbeddingRows;
import dev.edl.runtime.model.EmbeddingTable;
import dev.edl.runtime.ps.PushResult;
import dev.edl.runtime.ps.ShardGoneException;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ShardTimeoutException;
import dev.edl.runtime.ps.host.HostedShard;
import dev.edl.runtime.ps.shard.RoundWait;
import dev.edl.runtime.wire.bounds.TimeBound;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** One worker's connection to a server. Serves one request after another on a separate thread. */
final class ServerConnection implements Runnable {
    private static final System.Logger LOG = System.getLogger(ServerConnection.class.getName());

    private final ShardServer server;
    private final BoundedChannel socket;
    private final ConnectionBuffers buffers;
    private final FrameInput in;
    private final FrameOutput out;
    private final ShardFrameLayout layout;
    private final TimeBound silence;
    /** The reason why the caller is sent away; null if it is served. */
    private final @Nullable String away;

    private String worker = "";
    private volatile boolean greeted;
    /** Whether the body of a push is being received, so that a text can still be sent. */
    private volatile boolean receiving;
    /** The reason why the server has cut the connection for others; null if it has not. */
    private volatile @Nullable String cut;
    /** The connection's thread while it sleeps in a round; null at any other time. */
    private @Nullable Thread sleeper;

    /**
     * Creates a connection.
     *
     * @param buffers buffers that the connection gives back when it ends
     * @param away reason why the caller is sent away; null to serve it
     */
    ServerConnection(
            ShardServer server,
            BoundedChannel socket,
            ConnectionBuffers buffers,
            ShardFrameLayout layout,
            TimeBound silence,
            @Nullable String away) {
        this.server = server;
        this.socket = socket;
        this.buffers = buffers;
        this.away = away;
        this.in = new FrameInput(socket, buffers.received(), socket);
        this.out = new FrameOutput(socket, buffers.sent());
        this.layout = layout;
        this.silence = silence;
    }

    @Override
    public void run() {
        try {
            if (away != null) {
                sendAway(away);
                return;
            }
            greet();
            greeted = true;
            welcome();
            while (answer()) {
                out.flush();
                rest();
            }
        } catch (ProtocolVersionException other) {
            warn(other);
            send(FrameKind.REFUSED, layout.range().name() + " refuses the caller: " + other.getMessage());
        } catch (FrameException broken) {
            warn(broken);
            // The frame had no effect, and the caller may retry.
            send(FrameKind.AWAY, layout.range().name() + " ends the connection: " + broken.getMessage());
        } catch (RefusedCallerException refused) {
            warn(refused);
            send(FrameKind.REFUSED, String.valueOf(refused.getMessage()));
        } catch (SSLException mismatch) {
            warn(mismatch);
            send(FrameKind.AWAY, layout.range().name() + " ends the connection: " + mismatch.getMessage());
        } catch (IOException e) {
            String why = cut;
            if (why != null) {
                warn(why);
                send(FrameKind.AWAY, layout.range().name() + " ends the connection: " + why);
            }
            // Otherwise the caller is gone.
        } catch (ShardGoneException gone) {
            send(FrameKind.AWAY, layout.range().name() + " is not attached to this server");
        } catch (InterruptedException e) {
            // The server is being closed, or the caller has left while its round was awaited.
        } finally {
            socket.close();
            server.give(buffers);
        }
    }

    /** Authenticates the worker, and checks that it belongs to this run and knows this shard. */
    private void greet() throws IOException {
        ServedShard served = server.served();
        Greeting.Purpose purpose = layout.purpose(served.run());
        List<String> identity =
                socket.answer(in, out, served.handshake(), session -> purpose).identity();
        if (identity.size() != 4) {
            throw new RefusedCallerException("a worker must send its run, name, shard and model, sent " + identity);
        }
        List<String> different = new ArrayList<>();
        compare(different, "run", identity.get(0), served.run());
        compare(different, "shard", identity.get(2), layout.place());
        compare(different, "model", identity.get(3), layout.model());
        if (!different.isEmpty()) {
            throw new RefusedCallerException(
                    layout.range().name() + " is not for " + identity.get(1) + ": " + String.join("; ", different));
        }
        worker = identity.get(1);
    }

    private static void compare(List<String> different, String what, String theirs, String mine) {
        if (!theirs.equals(mine)) {
            different.add("its " + what + " is \"" + theirs + "\", the server's is \"" + mine + "\"");
        }
    }

    /** Responds to HELLO. The server has logged the reason once for all callers. */
    private void sendAway(String why) throws IOException {
        if (in.next(Greeting::limit)) {
            in.skip();
            send(FrameKind.AWAY, layout.range().name() + " ends the connection: " + why);
        }
    }

    private void warn(IOException why) {
        warn(String.valueOf(why.getMessage()));
    }

    private void warn(String why) {
        LOG.log(System.Logger.Level.WARNING, () -> layout.range().name() + " ends the " + this + ": " + why);
    }

    /** Ends the connection, because others wait for its vector. A frame that is being sent cannot hold the reason. */
    private void cut(String why) {
        cut = why;
        if (receiving) {
            socket.closeInput();
        } else {
            socket.close();
        }
    }

    private void welcome() throws IOException {
        ShardLife life = shard().life();
        out.begin(FrameKind.WELCOME, 0, in.request(), 0, 0, FrameOutput.sizeOf(life))
                .life(life)
                .end()
                .flush();
        rest();
    }

    /** Stops the bound until a request arrives, unless a part of it has arrived with the last one. */
    private void rest() {
        if (in.hasMore()) {
            socket.reads().begin(silence);
        } else {
            socket.reads().end(silence);
        }
    }

    private HostedShard shard() {
        HostedShard shard = server.shard();
        if (shard == null) {
            throw new ShardGoneException(layout.range().name());
        }
        return shard;
    }

    private void send(FrameKind kind, String text) {
        try {
            text(kind, 0, text);
            out.flush();
        } catch (IOException e) {
            // The end of the connection conveys the same.
        }
    }

    private void text(FrameKind kind, long a, @Nullable String text) throws IOException {
        String said = String.valueOf(text);
        socket.reads().begin(silence);
        out.begin(kind, 0, in.request(), a, 0, FrameOutput.sizeOf(said))
                .text(said)
                .end();
    }

    /** Serves the next request; false when the worker has closed the connection. */
    private boolean answer() throws IOException, InterruptedException {
        if (!in.next(this::asked)) {
            return false;
        }
        HostedShard shard = shard();
        try {
            switch (in.kind()) {
                case PULL -> pull(shard);
                case PUSH -> push(shard);
                case AWAIT -> await(shard);
                default -> held(shard);
            }
        } catch (ShardTimeoutException late) {
            text(FrameKind.ERROR, FrameKind.BOUND_OVER, late.getMessage());
        } catch (ShardGoneException gone) {
            throw gone;
        } catch (IllegalArgumentException | IllegalStateException refused) {
            // Thrown by the shard, which is called only between frames.
            text(FrameKind.ERROR, 0, refused.getMessage());
        }
        return true;
    }

    /** Returns the size limit of a request, and starts the timeout within which its frame must make progress. */
    private long asked(FrameKind kind) {
        socket.reads().begin(silence);
        return layout.asked(kind);
    }

    private void pull(HostedShard shard) throws IOException, InterruptedException {
        List<EmbeddingRows> rows = new ArrayList<>();
        for (EmbeddingTable table : layout.tables()) {
            rows.add(rows(table, Long.BYTES));
        }
        in.end();
        socket.reads().end();
        if (rows.isEmpty()) {
            pullVector(shard);
            return;
        }
        try (StagingPool.Hold hold = server.staging().take(worker, this::cut)) {
            values(shard, hold, rows);
        }
    }

    private void pullVector(HostedShard shard) throws IOException, InterruptedException {
        try (StagingPool.Hold hold = server.staging().pull(shard, worker, this::cut)) {
            values(shard, hold.version(), hold, List.of());
        }
    }

    private void values(HostedShard shard, StagingPool.Hold hold, List<EmbeddingRows> rows) throws IOException {
        values(shard, shard.pull(worker, hold.floats(), rows), hold, rows);
    }

    /** Sends the pulled values. */
    private void values(HostedShard shard, long version, StagingPool.Hold hold, List<EmbeddingRows> rows)
            throws IOException {
        float[] vector = hold.floats();
        ShardLife life = shard.life();
        long size = FrameOutput.sizeOf(life) + (long) vector.length * Float.BYTES;
        for (EmbeddingRows some : rows) {
            size += (long) some.values().length * Float.BYTES;
        }
        socket.reads().begin(silence);
        hold.move();
        out.begin(FrameKind.VALUES, 0, in.request(), version, 0, size)
                .life(life)
                .floats(vector, 0, vector.length);
        for (EmbeddingRows some : rows) {
            out.floats(some.values(), 0, some.values().length);
        }
        out.end().flush();
        hold.rest();
    }

    private EmbeddingRows rows(EmbeddingTable table, long bytes) throws IOException {
        long[] ids = new long[in.rows(bytes)];
        in.longs(ids, ids.length);
        try {
            return EmbeddingRows.of(table, ids);
        } catch (IllegalArgumentException e) {
            throw in.refused(String.valueOf(e.getMessage()));
        }
    }

    private void push(HostedShard shard) throws IOException, InterruptedException {
        int request = in.request();
        long pushId = in.a();
        boolean thenRound = in.has(FrameKind.THEN_ROUND);
        boolean thenValues = in.has(FrameKind.THEN_VALUES);
        long nanos;
        boolean awaits;
        socket.reads().end();
        try (StagingPool.Hold hold = server.staging().take(worker, this::cut)) {
            float[] gradient = hold.floats();
            socket.reads().begin(silence);
            receiving = true;
            hold.move();
            long sequence = in.readLong();
            nanos = in.readLong();
            ShardLife base = in.life();
            boolean finite = in.finiteFloats(gradient, gradient.length);
            List<EmbeddingRows> rows = new ArrayList<>();
            finite &= gradients(rows);
            in.end();
            hold.rest();
            receiving = false;
            socket.reads().end();
            if (!finite) {
                text(FrameKind.ERROR, 0, "the gradient of push " + pushId + " of " + worker + " is not finite");
                return;
            }
            PushResult result = shard.push(worker, sequence, pushId, base, in.b(), gradient, rows, thenValues);
            awaits = thenRound && result.outcome() == PushResult.Outcome.ACCUMULATED;
            boolean now = thenValues && !awaits;
            int flags = (awaits ? FrameKind.THEN_ROUND : 0) | (now ? FrameKind.THEN_VALUES : 0);
            socket.reads().begin(silence);
            out.begin(FrameKind.RESULT, flags, request, result.version(), OutcomeCode.of(result.outcome()), 0)
                    .end();
            if (now && result.outcome() == PushResult.Outcome.APPLIED) {
                values(shard, result.version(), hold, List.of());
            } else if (now) {
                values(shard, hold, List.of());
            }
        }
        if (awaits) {
            out.flush();
            round(shard, pushId, nanos, thenValues, false);
        }
    }

    /** Reads the rows with their gradients. Returns whether all are finite. */
    private boolean gradients(List<EmbeddingRows> rows) throws IOException {
        boolean finite = true;
        for (EmbeddingTable table : layout.tables()) {
            EmbeddingRows some = rows(table, Long.BYTES + (long) table.dimension() * Float.BYTES);
            finite &= in.finiteFloats(some.gradients(), some.gradients().length);
            rows.add(some);
        }
        return finite;
    }

    private void await(HostedShard shard) throws IOException, InterruptedException {
        long pushId = in.a();
        long nanos = in.b();
        in.end();
        round(shard, pushId, nanos, in.has(FrameKind.THEN_VALUES), in.has(FrameKind.IDLE));
    }

    private void round(HostedShard shard, long pushId, long nanos, boolean thenValues, boolean idle)
            throws IOException, InterruptedException {
        socket.reads().end();
        boolean applied;
        boolean atOnce;
        try (RoundWait awaited = shard.await(worker, pushId)) {
            atOnce = awaited.over();
            if (!atOnce) {
                sleep(awaited, nanos);
            }
            applied = awaited.applied();
        }
        boolean idles = idle && atOnce && applied;
        boolean now = thenValues && applied && !idles;
        socket.reads().begin(silence);
        out.begin(FrameKind.ROUND, now ? FrameKind.THEN_VALUES : 0, in.request(), applied ? 1 : 0, 0, 0)
                .end();
        if (idles) {
            shard.idle(worker);
        }
        if (now) {
            pullVector(shard);
        }
    }

    private void sleep(RoundWait awaited, long nanos) throws InterruptedException {
        sleeps(Thread.currentThread());
        try {
            awaited.sleep(nanos, Duration.ofNanos(nanos));
        } finally {
            sleeps(null);
        }
    }

    private synchronized void sleeps(@Nullable Thread thread) {
        sleeper = thread;
    }

    /**
     * Interrupts the wait of this connection's thread for a round if its worker has closed the connection. Nothing reads
     * the connection during that wait.
     */
    synchronized void poll() {
        Thread asleep = sleeper;
        if (asleep != null && socket.ended()) {
            socket.close();
            asleep.interrupt();
        }
    }

    private void held(HostedShard shard) throws IOException {
        long count = in.b();
        in.end();
        if (count < 0 || count > Integer.MAX_VALUE) {
            throw in.refused("the number of pushes must be from 0 to " + Integer.MAX_VALUE + ", was " + count);
        }
        out.begin(FrameKind.COUNT, 0, in.request(), shard.held(in.a(), (int) count), 0, 0)
                .end();
    }

    /** Returns whether the caller is connected and not authenticated. */
    boolean isStranger() {
        return !greeted && socket.isOpen();
    }

    void close() {
        socket.close();
    }

    /** Returns the text for people, for example {@code connection of worker-3}. */
    @Override
    public String toString() {
        return "connection of " + (worker.isEmpty() ? "an unauthenticated caller" : worker);
    }
}
