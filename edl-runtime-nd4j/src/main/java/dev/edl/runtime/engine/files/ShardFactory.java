package dev.edl.runtime.engine.files;

import dev.edl.runtime.InvalidTrainingException;
import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.Training;
import dev.edl.runtime.data.RecordNames;
import dev.edl.runtime.engine.ports.SavedShard;
import dev.edl.runtime.engine.ports.ShardAssignment;
import dev.edl.runtime.model.EmbeddingValues;
import dev.edl.runtime.model.ParameterValues;
import dev.edl.runtime.optimizers.UpdateRule;
import dev.edl.runtime.ps.ShardContents;
import dev.edl.runtime.ps.ShardRange;
import dev.edl.runtime.ps.shard.ParameterShard;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Factory of a training's parameter shards. Depends only on the training and the number of shards: every process
 * creates equal shards, without the data.
 */
public final class ShardFactory {
    private static final int BLOCK_FLOATS = 16_384;

    private final ShardContents contents;
    private final List<ShardRange> ranges;
    private final UpdateRule rule;
    private final float[] initial;
    private final List<? extends EmbeddingValues> tables;
    private final RecordNames names;
    private final Optional<String> checksum;
    /** Why the parameters to begin with cannot be read. A shard with a saved state needs none. */
    private final @Nullable IOException unreadable;

    /**
     * Creates a factory.
     *
     * @param shards number of shards, at least one
     * @throws InvalidTrainingException if the parameters to begin with do not match the model
     */
    public ShardFactory(Training training, int shards) {
        this.contents = ShardContents.of(training.model(), training.seed());
        this.ranges = contents.split(shards);
        this.rule = training.updateRule();
        TrainedModel first = null;
        IOException failure = null;
        if (training.from().isPresent()) {
            try {
                first = training.from().get().load();
            } catch (IOException e) {
                failure = e;
            }
        }
        this.unreadable = failure;
        if (first != null) {
            ParameterValues values;
            try {
                values = first.fittedTo(training.model());
            } catch (IllegalArgumentException mismatch) {
                throw new InvalidTrainingException(
                        List.of("from is " + training.from().get() + ": " + mismatch.getMessage()));
            }
            this.initial = values.weights();
            this.tables = values.tables();
            this.names = first.names();
            this.checksum = Optional.of(checksum(initial, tables));
        } else {
            this.initial = new float[training.model().layout().size()];
            training.model().initialize(initial, training.seed());
            this.tables = List.of();
            this.names = RecordNames.UNKNOWN;
            this.checksum = Optional.empty();
        }
    }

    /**
     * Checks that this factory can make a shard without a saved state.
     *
     * @throws IOException if the parameters to begin with cannot be read
     */
    public void requireInitialValues() throws IOException {
        if (unreadable != null) {
            throw unreadable;
        }
    }

    /**
     * Returns the CRC-32C of the parameters and rows that the training begins with, in hexadecimal digits; empty without
     * {@code from}, or if its model cannot be read.
     */
    public Optional<String> checksum() {
        return checksum;
    }

    private static String checksum(float[] initial, List<? extends EmbeddingValues> tables) {
        CRC32C crc = new CRC32C();
        add(crc, initial);
        for (EmbeddingValues table : tables) {
            for (long id : table.ids()) {
                crc.update(ByteBuffer.allocate(Long.BYTES).putLong(id).flip());
                add(crc, table.row(id));
            }
        }
        return Long.toHexString(crc.getValue());
    }

    private static void add(CRC32C crc, float[] values) {
        ByteBuffer block = ByteBuffer.allocate(BLOCK_FLOATS * Float.BYTES);
        for (int from = 0; from < values.length; from += BLOCK_FLOATS) {
            int count = Math.min(BLOCK_FLOATS, values.length - from);
            block.clear().asFloatBuffer().put(values, from, count);
            crc.update(block.limit(count * Float.BYTES));
        }
    }

    ShardContents contents() {
        return contents;
    }

    List<ShardRange> ranges() {
        return ranges;
    }

    /**
     * Creates the shard of an assignment, with its saved state or the initial values.
     *
     * @throws IOException if the saved state cannot be read
     */
    public ParameterShard shard(int index, ShardAssignment assignment) throws IOException {
        ParameterShard shard = empty(index, assignment.minibatchesPerEpoch());
        SavedShard saved = assignment.saved();
        if (saved == null) {
            initialize(shard);
        } else {
            shard.restore(saved.read());
        }
        return shard;
    }

    void initialize(ParameterShard shard) throws IOException {
        requireInitialValues();
        shard.initialize(initial, tables);
    }

    /**
     * Returns the names in the data of the earlier training whose model this training begins with; unknown if the
     * training begins with random values.
     */
    RecordNames names() {
        return names;
    }

    ParameterShard empty(int index, int minibatchesPerEpoch) {
        return new ParameterShard(ranges.get(index), ranges.size(), contents, rule, minibatchesPerEpoch);
    }

    /** Returns text for people, for example {@code [ps-0[0..3), ps-1[3..6)]}. */
    @Override
    public String toString() {
        return ranges.toString();
    }
}
