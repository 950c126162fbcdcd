package dev.edl.runtime.ps.bytes;

import dev.edl.runtime.ps.ModelSnapshot;
import dev.edl.runtime.ps.PinnedShard;
import dev.edl.runtime.ps.ShardContents;
import dev.edl.runtime.ps.ShardPushes;
import dev.edl.runtime.ps.ShardRange;
import dev.edl.runtime.ps.ShardSnapshot;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;

/**
 * Serializes models and shards' states of one training, for transfer to another process of that training.
 *
 * <p>The bytes are blocks with checksums, and a block is verified before any of its values is used. Reading stops
 * after the last block. It allocates no more memory than the training's layout allows, or than bytes have arrived. It
 * rejects everything else with a
 * {@link dev.edl.runtime.ps.files.CheckpointException} that names the problem. Streams stay open. Immutable, safe for several
 * threads.
 *
 * <pre>{@code
 * ShardSerializer bytes = new ShardSerializer(ShardContents.of(model, seed), 2, 938);
 * bytes.write(shard.cuts().save(cut, room), out);
 * ShardSnapshot same = bytes.readShard(in);
 * }</pre>
 */
public final class ShardSerializer {
    private final ShardContents contents;
    private final List<ShardRange> ranges;
    private final int minibatchesPerEpoch;

    /**
     * Creates the serialization of a training.
     *
     * @param contents contents of the training's shards
     * @param shards number of shards, at least 1
     * @param minibatchesPerEpoch number of minibatches per epoch, at least 1
     */
    public ShardSerializer(ShardContents contents, int shards, int minibatchesPerEpoch) {
        if (minibatchesPerEpoch < 1) {
            throw new IllegalArgumentException("an epoch must have at least 1 minibatch, was " + minibatchesPerEpoch);
        }
        this.contents = contents;
        this.ranges = contents.split(shards);
        this.minibatchesPerEpoch = minibatchesPerEpoch;
    }

    /** Writes the state of a shard to a stream. */
    public void write(ShardSnapshot shard, OutputStream to) throws IOException {
        shard.write(to);
    }

    /** Reads the state of a shard. */
    public ShardSnapshot readShard(InputStream from) throws IOException {
        return ShardSnapshot.read(from, contents, ranges.size(), minibatchesPerEpoch);
    }

    /** Writes the pushes that a shard holds to a stream. */
    public void write(ShardPushes pushes, OutputStream to) throws IOException {
        pushes.write(to);
    }

    /** Reads the pushes that a shard holds. */
    public ShardPushes readPushes(InputStream from) throws IOException {
        return ShardPushes.read(from, minibatchesPerEpoch);
    }

    /** Writes the parameters of a shard at a pinned version, without the optimizer slots of rows. */
    public void write(PinnedShard shard, OutputStream to) throws IOException {
        shard.write(to);
    }

    /** Reads the parameters of a shard at a pinned version. */
    public PinnedShard readPinned(InputStream from) throws IOException {
        return PinnedShard.read(from, contents, ranges.size());
    }

    /** Writes a model to a stream. */
    public void write(ModelSnapshot model, OutputStream to) throws IOException {
        model.write(to);
    }

    /** Reads a model. */
    public ModelSnapshot readModel(InputStream from) throws IOException {
        return ModelSnapshot.read(from, contents, ranges.size());
    }

    /** Returns the text for people, for example {@code bytes of 2 shards of 650 floats, 938 minibatches per epoch}. */
    @Override
    public String toString() {
        return "bytes of " + ranges.size() + " shards of " + contents + ", " + minibatchesPerEpoch
                + " minibatches per epoch";
    }
}
