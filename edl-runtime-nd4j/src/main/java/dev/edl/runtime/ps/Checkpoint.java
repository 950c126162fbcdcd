package dev.edl.runtime.ps;

import dev.edl.runtime.model.Parameter;
import dev.edl.runtime.model.ParameterLayout;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.ps.files.CheckpointException;
import dev.edl.runtime.ps.rows.TableSpec;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A checkpoint read from disk: a model's parameters and optimizer state at one version. Immutable. */
public final class Checkpoint {
    private final String name;
    private final ParameterLayout layout;
    private final ShardCut cut;
    private final Map<String, String> metadata;

    Checkpoint(String name, ParameterLayout layout, ShardCut cut, Map<String, String> metadata) {
        this.name = name;
        this.layout = layout;
        this.cut = cut;
        this.metadata = Map.copyOf(metadata);
    }

    /** Returns the name of the checkpoint's directory, for example {@code version-12}. */
    public String name() {
        return name;
    }

    /** Returns the number of updates made before the checkpoint. */
    public long version() {
        return cut.version();
    }

    /** Returns the parameters' names and shapes. */
    public ParameterLayout layout() {
        return layout;
    }

    /** Returns the optimizer with the learning rate at the time of the checkpoint. */
    public Optimizer optimizer() {
        return cut.shards().get(0).optimizer();
    }

    /** Returns the entries that the caller passed when it saved the checkpoint. */
    public Map<String, String> metadata() {
        return metadata;
    }

    /** Returns the snapshots of all shards as they were saved, not resharded. */
    public ShardCut cut() {
        return cut;
    }

    /** Returns a copy of the whole model's parameters. */
    public float[] weights() {
        return cut.weights();
    }

    /**
     * Returns one snapshot for each shard of a model without embedding tables and layer state, as
     * {@link #shards(ShardContents, ParameterLayout, Optimizer, int, int)} does.
     */
    public List<ShardSnapshot> shards(ParameterLayout model, Optimizer optimizer, int minibatchesPerEpoch, int shards)
            throws CheckpointException {
        return shards(ShardContents.of(model, List.of(), 0), model, optimizer, minibatchesPerEpoch, shards);
    }

    /**
     * Returns this checkpoint's state for a job's shards; reshards it if the job has another number of shards.
     *
     * @param contents contents of the job's shards
     * @param model the job's parameters
     * @param optimizer the job's optimizer; only its learning rate may differ from the checkpoint's
     * @param minibatchesPerEpoch the job's number of minibatches per epoch
     * @param shards the job's number of shards
     * @return one snapshot for each shard, for {@code ParameterShard.restore}
     * @throws CheckpointException when the checkpoint has another model, optimizer or number of minibatches per epoch,
     *     or cannot be resharded because its shards do not hold the same pushes; the message names the difference. The
     *     checkpoint's own number of shards always works
     */
    public List<ShardSnapshot> shards(
            ShardContents contents, ParameterLayout model, Optimizer optimizer, int minibatchesPerEpoch, int shards)
            throws CheckpointException {
        requireSameModel(model);
        requireSameTables(contents.tables());
        if (!optimizer.continues(optimizer())) {
            throw new CheckpointException(name + " was trained with " + optimizer() + " and cannot be continued with "
                    + optimizer + "; only the learning rate may differ");
        }
        int perEpoch = cut.shards().get(0).applied().perEpoch();
        if (perEpoch != minibatchesPerEpoch) {
            throw new CheckpointException(name + " counts " + perEpoch + " minibatches per epoch, this job "
                    + minibatchesPerEpoch + "; keep the data set and the minibatch size");
        }
        return cut.shards().size() == shards ? cut.shards() : Resharding.of(name, cut, contents, shards);
    }

    private void requireSameTables(List<TableSpec> model) throws CheckpointException {
        List<TableSpec> saved = cut.shards().get(0).tables();
        for (int i = 0; i < Math.max(saved.size(), model.size()); i++) {
            String mine = i < model.size() ? model.get(i).toString() : "none";
            String theirs = i < saved.size() ? saved.get(i).toString() : "none";
            if (!mine.equals(theirs)) {
                throw new CheckpointException(name + " belongs to another model: its embedding table " + i + " is "
                        + theirs + ", this model's is " + mine);
            }
            if (!model.get(i).equals(saved.get(i))) {
                throw new CheckpointException(name + ": rows of " + mine + " were initialized with "
                        + saved.get(i).initializer() + " and seed "
                        + saved.get(i).seed() + "; this model uses "
                        + model.get(i).initializer() + " and " + model.get(i).seed());
            }
        }
    }

    private void requireSameModel(ParameterLayout model) throws CheckpointException {
        if (layout.trained() != model.trained() && layout.size() == model.size()) {
            throw new CheckpointException(name + " belongs to another model: its first " + layout.trained()
                    + " floats are trained, this model's first " + model.trained());
        }
        List<Parameter> there = layout.parameters();
        List<Parameter> here = model.parameters();
        for (int i = 0; i < Math.max(there.size(), here.size()); i++) {
            String mine = i < here.size() ? here.get(i).toString() : "none";
            String theirs = i < there.size() ? there.get(i).toString() : "none";
            if (!mine.equals(theirs)) {
                throw new CheckpointException(name + " belongs to another model: its parameter " + i + " is " + theirs
                        + ", this model's is " + mine);
            }
        }
    }

    /**
     * Returns the text for people, for example {@code version-12: version 12 of 2 shards, consistent,
     * sgd:learning_rate=0.1, {epoch=17}}.
     */
    @Override
    public String toString() {
        return name + ": " + cut + ", " + optimizer() + ", " + new TreeMap<>(metadata);
    }
}
