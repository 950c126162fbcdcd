package dev.edl.runtime.data.idx;

import dev.edl.runtime.data.BatchCapacityCheck;
import dev.edl.runtime.data.CorruptFileException;
import dev.edl.runtime.data.DataFiles;
import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.data.RecordNames;
import dev.edl.runtime.model.Batch;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Dataset of one shard from two IDX files, such as those of the MNIST database: images and their labels.
 *
 * <pre>{@code
 * try (IdxDataset train = IdxDataset.open(
 *     Path.of("train-images-idx3-ubyte.gz"), Path.of("train-labels-idx1-ubyte.gz"), 1f / 255)) {
 *   train.shards();                                // [DataShard[name=train-images-idx3-ubyte.gz, records=60000]]
 * }
 * }</pre>
 *
 * <p>{@link IdxFile} describes how plain and gzip files are read. Safe for several threads.
 */
public final class IdxDataset implements Dataset, Closeable {
    private final IdxFile images;
    private final @Nullable IdxFile labels;
    private final float scale;
    private final DataShard shard;

    private IdxDataset(IdxFile images, @Nullable IdxFile labels, float scale) {
        this.images = images;
        this.labels = labels;
        this.scale = scale;
        this.shard = new DataShard(DataFiles.nameOf(images.file()), images.records());
    }

    /**
     * Opens images with labels.
     *
     * @param images file whose records become features: all elements of a record are its features
     * @param labels a file of as many records, whose elements become labels, not scaled; usually one class index each
     * @param scale the factor for each element of an image, for example {@code 1f / 255}
     * @throws java.nio.file.NoSuchFileException when a file is missing
     * @throws CorruptFileException when a file is not an IDX file
     * @throws IOException when the two files differ in the number of records, or the labels have more dimensions than
     *     the images, as those of swapped files have
     */
    public static IdxDataset open(Path images, Path labels, float scale) throws IOException {
        IdxDataset alone = open(images, scale);
        try {
            IdxFile answers = IdxFile.open(labels);
            if (answers.shape().size() > alone.images.shape().size()) {
                answers.close();
                throw new IOException("the images are " + alone.images.shape() + " in " + images
                        + ", the labels are " + answers.shape() + " in " + labels
                        + "; labels must not have more dimensions than images: are the two files swapped?");
            }
            if (answers.records() != alone.images.records()) {
                answers.close();
                throw new IOException(labels + ": must have one label for each of the " + alone.images.records()
                        + " images of " + images + ", was " + answers.records());
            }
            return new IdxDataset(alone.images, answers, scale);
        } catch (IOException e) {
            alone.close();
            throw e;
        }
    }

    /** Opens images without labels, for predictions; see {@link #open(Path, Path, float)}. */
    public static IdxDataset open(Path images, float scale) throws IOException {
        if (!Float.isFinite(scale)) {
            throw new IllegalArgumentException("the scale must be finite, for example 0.0039, was " + scale);
        }
        IdxFile file = IdxFile.open(images);
        if (file.recordElements() == 0) {
            file.close();
            throw new IOException(images + ": records must have at least one element, was " + file.shape());
        }
        return new IdxDataset(file, null, scale);
    }

    @Override
    public List<DataShard> shards() {
        return List.of(shard);
    }

    @Override
    public int features() {
        return images.recordElements();
    }

    @Override
    public int labels() {
        return labels == null ? 0 : labels.recordElements();
    }

    /** {@inheritDoc} Labels are the numbers of their file. */
    @Override
    public RecordNames names() {
        return labels() > 0 ? RecordNames.numbered() : RecordNames.UNKNOWN;
    }

    @Override
    public void read(String name, long start, long end, Batch into) throws IOException {
        if (!name.equals(shard.name())) {
            throw new IllegalArgumentException(
                    "there is no shard \"" + name + "\" in " + this + "; shards() has the valid names");
        }
        images.checkRange(start, end);
        if (labels != null) {
            labels.checkRange(start, end);
        }
        BatchCapacityCheck.check(this, name, end - start, into);
        for (long record = start; record < end; record++) {
            int row = into.row();
            images.floats(record, scale, into.features(), row * features());
            if (labels != null) {
                labels.labels(record, into.labels(), row * labels());
            }
        }
    }

    /** Closes both files; later reads fail. */
    @Override
    public void close() throws IOException {
        try {
            images.close();
        } finally {
            if (labels != null) {
                labels.close();
            }
        }
    }

    /**
     * Returns, for example, {@code IdxDataset[train-images-idx3-ubyte: 60000 records of 784 features and 1 labels]}.
     */
    @Override
    public String toString() {
        return "IdxDataset[" + shard.name() + ": " + shard.records() + " records of " + features() + " features and "
                + labels() + " labels]";
    }
}
