package dev.edl.examples.cnn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.data.Datasets;
import dev.edl.runtime.model.Batch;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class EnlargedImagesTest {
    /** Images of 2 x 2 pixels x + 2 y, each of them more by the image's label. */
    private static Dataset images() {
        return Datasets.of(List.of(0, 10), 4, 1, (label, into) -> {
            int row = into.row();
            for (int i = 0; i < 4; i++) {
                into.features()[4 * row + i] = label + i;
            }
            into.labels()[row] = label;
        });
    }

    @Test
    void pixels_lie_between_the_nearest_ones_in_proportion() throws IOException {
        EnlargedImages large = new EnlargedImages(images(), 2, 4);
        Batch batch = new Batch(2, 16, 1);
        large.read(large.shards().get(0).name(), 0, 2, batch);

        // The centres of four pixels lie at -1/4, 1/4, 3/4 and 5/4 of two; the outer two are cut to 0 and 1.
        assertThat(Arrays.copyOf(batch.features(), 16))
                .containsExactly(
                        0f, 0.25f, 0.75f, 1f, 0.5f, 0.75f, 1.25f, 1.5f, 1.5f, 1.75f, 2.25f, 2.5f, 2f, 2.25f, 2.75f, 3f);
        assertThat(batch.features()[16]).isEqualTo(10f);
        assertThat(batch.labels()).containsExactly(0f, 10f);
    }

    @Test
    void a_range_is_the_same_as_its_part_of_all() throws IOException {
        EnlargedImages large = new EnlargedImages(images(), 2, 4);
        Batch batch = new Batch(1, 16, 1);
        large.read(large.shards().get(0).name(), 1, 2, batch);
        assertThat(batch.features()[15]).isEqualTo(13f);
        assertThat(batch.labels()).containsExactly(10f);
    }

    @Test
    void images_of_another_size_are_refused() {
        Dataset images = images();
        assertThatThrownBy(() -> new EnlargedImages(images, 3, 4))
                .hasMessage("images must have 3 x 3 pixels, but a record of " + images + " has 4 features");
    }
}
