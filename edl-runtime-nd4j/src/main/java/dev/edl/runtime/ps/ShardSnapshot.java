package dev.edl.runtime.ps;

import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.ps.files.CheckpointException;
import dev.edl.runtime.ps.files.ChecksummedInput;
import dev.edl.runtime.ps.files.ChecksummedOutput;
import dev.edl.runtime.ps.rows.Fingerprint;
import dev.edl.runtime.ps.rows.RowGradientSums;
import dev.edl.runtime.ps.rows.RowsSnapshot;
import dev.edl.runtime.ps.rows.TableSpec;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Collection;
import java.util.List;
import java.util.stream.LongStream;

/**
 * The whole state of one parameter shard at one moment: weights, rows of embedding tables, optimizer slots, counters,
 * applied pushes, and pending gradients. Immutable: later updates of the shard do not change it.
 */
public final class ShardSnapshot {
    private final ShardRange range;
    private final Optimizer optimizer;
    private final long version;
    private final State state;
    private final AppliedPushes applied;
    private final List<Long> pending;
    private final long pendingStaleness;
    private final List<ShardBestVersion> kept;

    /**
     * Creates a snapshot without kept versions.
     *
     * @param state taken over
     * @param applied taken over
     * @param pending ids of the pushes that wait for their round
     * @param pendingStaleness greatest staleness of the gradients that wait
     */
    public ShardSnapshot(
            ShardRange range,
            Optimizer optimizer,
            long version,
            State state,
            AppliedPushes applied,
            Collection<Long> pending,
            long pendingStaleness) {
        this(
                range,
                optimizer,
                version,
                state,
                applied,
                pending.stream().sorted().toList(),
                pendingStaleness,
                List.of());
    }

    private ShardSnapshot(
            ShardRange range,
            Optimizer optimizer,
            long version,
            State state,
            AppliedPushes applied,
            List<Long> pending,
            long pendingStaleness,
            List<ShardBestVersion> kept) {
        this.range = range;
        this.optimizer = optimizer;
        this.version = version;
        this.state = state;
        this.applied = applied;
        this.pending = pending;
        this.pendingStaleness = pendingStaleness;
        this.kept = kept;
    }

    /** Returns a snapshot of the same state with the given versions as those kept as the best one. */
    public ShardSnapshot with(List<ShardBestVersion> versions) {
        return new ShardSnapshot(
                range, optimizer, version, state, applied, pending, pendingStaleness, List.copyOf(versions));
    }

    /** Returns the versions that are kept as the best one: at most one, except while it changes. */
    public List<ShardBestVersion> kept() {
        return kept;
    }

    /** Writes the state to a stream, which stays open. {@link #read} reads it in another process. */
    public void write(OutputStream to) throws IOException {
        ChecksummedOutput out = ChecksummedOutput.to(to);
        ShardFile.write(this, out);
        out.seal();
    }

    /**
     * Reads the output of {@link #write}, and nothing after it. Allocates no more memory than a shard of the model can
     * need.
     *
     * @param contents contents of the model's shards
     * @param shards number of shards
     * @param minibatchesPerEpoch number of minibatches per epoch of the training
     * @throws CheckpointException when the bytes are damaged or of another training; the message names the problem
     */
    public static ShardSnapshot read(InputStream from, ShardContents contents, int shards, int minibatchesPerEpoch)
            throws IOException {
        ChecksummedInput in = ChecksummedInput.of("a shard's state", from);
        List<ShardRange> ranges = contents.split(shards);
        ShardSnapshot shard;
        try {
            shard = ShardFile.read(in, contents.tables(), shards, ranges::contains);
        } catch (IllegalArgumentException e) {
            throw in.damaged("is damaged: " + e.getMessage());
        }
        in.end();
        if (shard.applied.perEpoch() != minibatchesPerEpoch) {
            throw in.damaged("counts " + shard.applied.perEpoch() + " minibatches per epoch, this training "
                    + minibatchesPerEpoch);
        }
        return shard;
    }

    /** Returns the range of the flat vector that the shard owns. */
    public ShardRange range() {
        return range;
    }

    /** Returns the optimizer with the learning rate at the time of the snapshot. */
    public Optimizer optimizer() {
        return optimizer;
    }

    /** Returns the number of updates that the shard had made. */
    public long version() {
        return version;
    }

    /** Returns the number of pushes that are part of an update. */
    public long appliedCount() {
        return applied.count();
    }

    /** Returns the number of gradients in the updates; more than the pushes if one was applied twice. */
    public long gradientCount() {
        return applied.gradients();
    }

    /** Returns the pushes of the updates and of the open round. */
    public ShardPushes pushes() {
        return new ShardPushes(applied, pending);
    }

    /** Returns the ids of the pushes that wait for their round, ascending. */
    public List<Long> pending() {
        return pending;
    }

    /**
     * Copies the snapshot's weights to the shard's range in a full-length vector.
     *
     * @param full vector as long as the whole model's parameters
     */
    public void copyTo(float[] full) {
        System.arraycopy(state.weights, 0, full, range.offset(), range.length());
    }

    /** Returns the ids of the pushes that are part of an update, ascending. */
    public LongStream appliedPushes() {
        return applied.ids();
    }

    /** Returns a hash of all bits: weights, slots, rows, and the gradients that wait for their round. */
    public long fingerprint() {
        long print = Fingerprint.and(version, state.step);
        print = Fingerprint.and(print, Fingerprint.of(state.weights, 0, state.weights.length));
        for (float[] slot : state.slots) {
            print = Fingerprint.and(print, Fingerprint.of(slot, 0, slot.length));
        }
        print = Fingerprint.and(print, Fingerprint.of(state.sum, 0, state.sum.length));
        for (RowsSnapshot rows : state.rows) {
            print = Fingerprint.and(print, rows.fingerprint());
        }
        for (RowGradientSums sums : state.rowSums) {
            print = Fingerprint.and(print, sums.fingerprint());
        }
        return print;
    }

    /** Returns the greatest staleness of the gradients that wait for their round. */
    public long pendingStaleness() {
        return pendingStaleness;
    }

    /** Returns the number of rows of all embedding tables that the shard has updated. */
    public int rowCount() {
        return state.rows.stream().mapToInt(RowsSnapshot::count).sum();
    }

    /** Returns whether both snapshots have the same applied and the same pending pushes, as in a consistent cut. */
    boolean agreesWith(ShardSnapshot other) {
        return applied.equals(other.applied) && pending.equals(other.pending);
    }

    /**
     * Returns whether both snapshots hold the same pushes, even if one has applied a push that is pending in the other.
     */
    boolean holdsAsMuchAs(ShardSnapshot other) {
        return held().equals(other.held());
    }

    private AppliedPushes held() {
        AppliedPushes held = applied.copy();
        pending.forEach(held::add);
        return held;
    }

    /**
     * Rejects this snapshot for a shard with another range, tables, epoch length, or an optimizer that cannot continue
     * it.
     */
    public void requireFits(ShardRange other, List<TableSpec> tables, Optimizer next, int minibatchesPerEpoch) {
        if (!range.equals(other)) {
            throw new IllegalArgumentException("a snapshot of " + range + " does not fit " + other);
        }
        List<TableSpec> mine = tables();
        if (!mine.equals(tables)) {
            throw new IllegalArgumentException(
                    range.name() + ": a snapshot of the tables " + mine + " does not fit " + tables);
        }
        if (!next.continues(optimizer)) {
            throw new IllegalArgumentException(
                    range.name() + ": a snapshot of the optimizer " + optimizer + " cannot be continued with " + next);
        }
        if (applied.perEpoch() != minibatchesPerEpoch) {
            throw new IllegalArgumentException(range.name() + ": the snapshot has " + applied.perEpoch()
                    + " minibatches per epoch, but this job has " + minibatchesPerEpoch
                    + "; data and minibatch size must be unchanged");
        }
    }

    /** Returns the vectors and rows of the snapshot. */
    public State state() {
        return state;
    }

    float[] weights() {
        return state.weights;
    }

    int slotCount() {
        return state.slots.length;
    }

    float[] slot(int i) {
        return state.slots[i];
    }

    float[] pendingSum() {
        return state.sum;
    }

    List<TableSpec> tables() {
        return state.rows.stream().map(RowsSnapshot::spec).toList();
    }

    List<RowsSnapshot> rows() {
        return state.rows;
    }

    List<RowGradientSums> rowSums() {
        return state.rowSums;
    }

    long step() {
        return state.step;
    }

    /** Returns the pushes that are part of an update. This is the set itself; do not change it. */
    public AppliedPushes applied() {
        return applied;
    }

    /**
     * Returns the text for people, for example {@code ps-1[320..650) at version 12, applied 0 complete epochs, 12 of
     * 938 in epoch 0}.
     */
    @Override
    public String toString() {
        return range + " at version " + version + ", applied " + applied
                + (state.rows.isEmpty() ? "" : ", " + state.rows)
                + (pending.isEmpty() ? "" : ", pending " + pending);
    }

    /** Vectors and rows of a snapshot, which no other object writes. */
    public static final class State {
        public final float[] weights;
        public final float[][] slots;
        public final float[] sum;
        public final long step;
        public final List<RowsSnapshot> rows;
        public final List<RowGradientSums> rowSums;

        /**
         * Takes the arrays over.
         *
         * @param sum the accumulated gradients; empty when none wait
         * @param step number of updates made with these optimizer slots
         * @param rows rows of each embedding table
         * @param rowSums the accumulated gradients of each table's rows
         */
        public State(
                float[] weights,
                float[][] slots,
                float[] sum,
                long step,
                List<RowsSnapshot> rows,
                List<RowGradientSums> rowSums) {
            this.weights = weights;
            this.slots = slots;
            this.sum = sum;
            this.step = step;
            this.rows = List.copyOf(rows);
            this.rowSums = List.copyOf(rowSums);
        }
    }
}
