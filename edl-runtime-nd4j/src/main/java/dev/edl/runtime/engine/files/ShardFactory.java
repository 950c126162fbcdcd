package dev.edl.runtime.engine.files;

import dev.edl.runtime.Training;
import dev.edl.runtime.engine.ports.SavedShard;
import dev.edl.runtime.engine.ports.ShardAssignment;
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

    /**
     * Creates a factory.
     *
     * @param shards number of shards, at least one
     */
    public ShardFactory(Training training, int shards) {
        this.contents = ShardContents.of(training.model(), training.seed());
        this.ranges = contents.split(shards);
        this.rule = training.updateRule();
        this.initial = new float[training.model().layout().size()];
        training.model().initialize(initial, training.seed());
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
        shard.initialize(initial);
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
