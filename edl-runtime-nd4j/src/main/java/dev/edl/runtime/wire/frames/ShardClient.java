package dev.edl.runtime.wire.frames;

import dev.edl.runtime.model.EmbeddingRows;
import dev.edl.runtime.model.EmbeddingTable;
import dev.edl.runtime.ps.PushResult;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.WeightVersions;
import dev.edl.runtime.ps.ports.ParameterSink;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A worker's client of one shard, with the last response. One call writes a request and another reads its response. A
 * separate thread may do both, so nothing here is passed to the worker's model.
 */
final class ShardClient {
    private static final long NONE = -1;

    private final ShardFrameLayout layout;
    private final ShardConnection connection;
    private final List<TableRows> tables = new ArrayList<>();

    private float[] values = new float[0];
    private ShardLife life = ShardLife.UNORDERED;
    private long version;
    /** Whether values arrived with the response to a push or await, and no pull has returned them yet. */
    private boolean fetched;
    /** Id of the push whose round end the server sends without another request; {@link #NONE} if there is none. */
    private long coming = NONE;

    private PushResult result = new PushResult(PushResult.Outcome.DUPLICATE, 0);
    private long count;
    private boolean applied;

    ShardClient(ShardFrameLayout layout, ShardConnection connection) {
        this.layout = layout;
        this.connection = connection;
        for (EmbeddingTable table : layout.tables()) {
            tables.add(new TableRows(table.dimension()));
        }
    }

    ShardConnection link() {
        return connection;
    }

    ShardFrameLayout layout() {
        return layout;
    }

    /**
     * Returns whether the values of the next pull are present. They are discarded if the server has closed the
     * connection.
     */
    boolean fetched() {
        fetched &= connection.alive();
        return fetched;
    }

    boolean coming(long pushId) {
        return coming == pushId;
    }

    PushResult result() {
        return result;
    }

    long count() {
        return count;
    }

    boolean applied() {
        return applied;
    }

    /** Connects unless it is connected. */
    void open() throws IOException {
        if (!connection.open()) {
            coming = NONE;
            connection.connect();
        }
    }

    void fail(IOException why) {
        coming = NONE;
        connection.fail(why);
    }

    /**
     * Closes the connection if it would deliver the end of a round that the worker does not await. Returns whether it
     * did.
     */
    boolean settle() {
        boolean unwanted = coming != NONE;
        if (unwanted) {
            coming = NONE;
            connection.close();
        }
        return unwanted;
    }

    void sendPull(List<EmbeddingRows> rows) throws IOException {
        fetched = false;
        long size = 0;
        for (int t = 0; t < tables.size(); t++) {
            TableRows table = tables.get(t);
            if (rows.isEmpty()) {
                table.clear();
            } else {
                table.select(rows.get(t), layout);
            }
            size += table.idBytes();
        }
        FrameOutput out = connection.begin(FrameKind.PULL, 0, 0, 0, size);
        for (int t = 0; t < tables.size(); t++) {
            if (rows.isEmpty()) {
                out.writeInt(0);
            } else {
                tables.get(t).writeIds(out, rows.get(t));
            }
        }
        out.end().flush();
    }

    void receivePull() throws IOException {
        connection.answer(FrameKind.VALUES);
        readValues();
    }

    private void readValues() throws IOException {
        FrameInput in = connection.in();
        if (values.length != layout.range().length()) {
            values = new float[layout.range().length()];
        }
        version = in.a();
        life = in.life();
        in.floats(values, values.length);
        for (TableRows table : tables) {
            table.read(in);
        }
        in.end();
        fetched = true;
    }

    /** Passes the pulled values to the worker. */
    void give(ParameterSink into, List<EmbeddingRows> rows, WeightVersions base) {
        fetched = false;
        if (values.length > 0) {
            into.load(values, 0, layout.range().offset(), values.length);
        }
        for (int t = 0; t < rows.size(); t++) {
            tables.get(t).copyTo(rows.get(t));
        }
        base.set(layout.range().index(), life, version);
    }

    /**
     * Sends a push.
     *
     * @param round nanoseconds to await the push's round in the same request; negative not to await it
     */
    void sendPush(
            long sequence, long pushId, WeightVersions base, float[] gradient, List<EmbeddingRows> rows, long round)
            throws IOException {
        fetched = false;
        ShardLife of = base.life(layout.range().index());
        int length = layout.range().length();
        long size = 2L * Long.BYTES + FrameOutput.sizeOf(of) + (long) length * Float.BYTES;
        for (int t = 0; t < tables.size(); t++) {
            TableRows table = tables.get(t);
            if (rows.isEmpty()) {
                table.clear();
            } else {
                table.select(rows.get(t), layout);
            }
            size += table.gradientBytes();
        }
        int flags = (tables.isEmpty() ? FrameKind.THEN_VALUES : 0) | (round < 0 ? 0 : FrameKind.THEN_ROUND);
        FrameOutput out = connection
                .begin(
                        FrameKind.PUSH,
                        flags,
                        pushId,
                        base.version(layout.range().index()),
                        size)
                .writeLong(sequence)
                .writeLong(round)
                .life(of)
                .floats(gradient, layout.range().offset(), length);
        for (int t = 0; t < tables.size(); t++) {
            if (rows.isEmpty()) {
                out.writeInt(0);
            } else {
                tables.get(t).writeGradients(out, rows.get(t));
            }
        }
        out.end().flush();
    }

    void receivePush(long pushId) throws IOException {
        connection.answer(FrameKind.RESULT);
        FrameInput in = connection.in();
        PushResult answer = new PushResult(OutcomeCode.outcome(in), in.a());
        boolean more = in.has(FrameKind.THEN_VALUES);
        boolean rounds = in.has(FrameKind.THEN_ROUND);
        in.end();
        if (more) {
            connection.answer(FrameKind.VALUES);
            readValues();
        }
        result = answer;
        coming = rounds ? pushId : NONE;
    }

    void sendAwait(long pushId, long nanos) throws IOException {
        fetched = false;
        int flags = (tables.isEmpty() ? FrameKind.THEN_VALUES : 0)
                | (result.outcome() == PushResult.Outcome.DUPLICATE ? FrameKind.IDLE : 0);
        connection.begin(FrameKind.AWAIT, flags, pushId, nanos, 0).end().flush();
    }

    void receiveRound() throws IOException {
        applied = false;
        try {
            connection.answer(FrameKind.ROUND);
            FrameInput in = connection.in();
            boolean done = in.a() == 1;
            boolean more = in.has(FrameKind.THEN_VALUES);
            in.end();
            if (more) {
                connection.answer(FrameKind.VALUES);
                readValues();
            }
            applied = done;
        } finally {
            coming = NONE;
        }
    }

    void sendHeld(long first, int pushes) throws IOException {
        connection.begin(FrameKind.HELD, 0, first, pushes, 0).end().flush();
    }

    void receiveHeld() throws IOException {
        connection.answer(FrameKind.COUNT);
        count = connection.in().a();
        connection.in().end();
    }

    /** Returns the text for people, for example {@code ps-1[320..650) of 2 at 127.0.0.1:40001}. */
    @Override
    public String toString() {
        return layout.place() + " at " + connection;
    }
}
