package dev.edl.runtime.data.idx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.model.Batch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdxDatasetTest {
    @TempDir
    Path folder;

    private Path images;
    private Path labels;

    @BeforeEach
    void write_three_images() throws IOException {
        images = folder.resolve("train-images-idx3-ubyte.gz");
        labels = folder.resolve("train-labels-idx1-ubyte");
        IdxFile.write(images, IdxType.UNSIGNED_BYTE, List.of(3, 2, 2), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 255);
        IdxFile.write(labels, IdxType.UNSIGNED_BYTE, List.of(3), 5, 0, 4);
    }

    @Test
    void images_and_labels_become_rows() throws IOException {
        try (IdxDataset dataset = IdxDataset.open(images, labels, 0.5f)) {
            assertThat(dataset.shards()).containsExactly(new DataShard("train-images-idx3-ubyte.gz", 3));
            Batch batch = new Batch(2, 4, 1);
            dataset.read("train-images-idx3-ubyte.gz", 1, 3, batch);
            assertThat(batch.features()).containsExactly(2, 2.5f, 3, 3.5f, 4, 4.5f, 5, 127.5f);
            assertThat(batch.labels()).containsExactly(0, 4);
            assertThat(dataset)
                    .hasToString("IdxDataset[train-images-idx3-ubyte.gz: 3 records of 4 features and 1 labels]");
        }
    }

    @Test
    void images_alone_have_no_labels() throws IOException {
        try (IdxDataset dataset = IdxDataset.open(images, 1)) {
            Batch batch = new Batch(1, 4, 0);
            dataset.read("train-images-idx3-ubyte.gz", 0, 1, batch);
            assertThat(batch.features()).containsExactly(0, 1, 2, 3);
        }
    }

    @Test
    void other_types_than_bytes_are_scaled_too() throws IOException {
        Path doubles = folder.resolve("doubles");
        IdxFile.write(doubles, IdxType.DOUBLE, List.of(1, 2), -0.5, 3);
        try (IdxDataset dataset = IdxDataset.open(doubles, 2)) {
            Batch batch = new Batch(1, 2, 0);
            dataset.read("doubles", 0, 1, batch);
            assertThat(batch.features()).containsExactly(-1, 6);
        }
    }

    @Test
    void two_files_of_different_counts_are_refused() throws IOException {
        IdxFile.write(labels, IdxType.UNSIGNED_BYTE, List.of(2), 5, 0);
        assertThatThrownBy(() -> IdxDataset.open(images, labels, 1))
                .isInstanceOf(IOException.class)
                .hasMessage(labels + ": must have one label for each of the 3 images of " + images + ", was 2");
    }

    @Test
    void swapped_files_are_refused() {
        assertThatThrownBy(() -> IdxDataset.open(labels, images, 1))
                .isInstanceOf(IOException.class)
                .hasMessage("the images are [3] in " + labels + ", the labels are [3, 2, 2] in " + images
                        + "; labels must not have more dimensions than images: are the two files swapped?");
    }

    @Test
    void invalid_shards_ranges_scales_and_closed_datasets_are_rejected() throws IOException {
        assertThatThrownBy(() -> IdxDataset.open(images, Float.NaN))
                .hasMessage("the scale must be finite, for example 0.0039, was NaN");
        IdxDataset dataset = IdxDataset.open(images, labels, 1);
        Batch batch = new Batch(9, 4, 1);
        assertThatThrownBy(() -> dataset.read("b", 0, 1, batch))
                .hasMessage("there is no shard \"b\" in IdxDataset[train-images-idx3-ubyte.gz: 3 records of 4 features"
                        + " and 1 labels]; shards() has the valid names");
        assertThatThrownBy(() -> dataset.read("train-images-idx3-ubyte.gz", 2, 4, batch))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessage(images + ": range [2, 4) is outside its 3 records");
        dataset.close();
        assertThatThrownBy(() -> dataset.read("train-images-idx3-ubyte.gz", 0, 1, batch))
                .hasMessage(images + ": is closed");
    }
}
