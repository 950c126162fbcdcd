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
import java.util.List;

/**
 * Factory of a training's parameter shards. Depends only on the training and the number of shards: every process
 * creates equal shards, without the data.
 */
public final class ShardFactory {
    private final ShardContents contents;
    private final List<ShardRange> ranges;
    private final UpdateRule rule;
    private final float[] initial;
    private final List<? extends EmbeddingValues> tables;
    private final RecordNames names;

    /**
     * Creates a factory.
     *
     * @param shards number of shards, at least one
     * @throws InvalidTrainingException if the parameters to begin with do not match the model
     * @throws IOException if they cannot be read
     */
    public ShardFactory(Training training, int shards) throws IOException {
        this.contents = ShardContents.of(training.model(), training.seed());
        this.ranges = contents.split(shards);
        this.rule = training.updateRule();
        if (training.from().isPresent()) {
            TrainedModel first = training.from().get().load();
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
        } else {
            this.initial = new float[training.model().layout().size()];
            training.model().initialize(initial, training.seed());
            this.tables = List.of();
            this.names = RecordNames.UNKNOWN;
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

    void initialize(ParameterShard shard) {
        shard.initialize(initial, tables);
    }

    /** Returns the names of the data whose parameters the training begins with; unknown without such parameters. */
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
