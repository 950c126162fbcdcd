package dev.edl.runtime.data.idx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.model.Batch;
import org.junit.jupiter.api.Test;

class LabelledPixelsTest {
    private final LabelledPixels images = new LabelledPixels(3, 1f / 16);

    @Test
    void pixels_are_scaled_and_the_label_is_not() {
        Batch batch = new Batch(2, 3, 1);
        images.decode(new byte[] {0, 8, 16, 9}, batch);
        images.decode(new byte[] {(byte) 255, 1, 0, (byte) 200}, batch);
        assertThat(batch.features()).containsExactly(0, 0.5f, 1, 15.9375f, 0.0625f, 0);
        assertThat(batch.labels()).containsExactly(9, 200);
    }

    @Test
    void a_record_is_its_pixels_and_its_label() {
        assertThat(images.encode(new int[] {0, 16, 255}, 7)).containsExactly(0, 16, 255, 7);
    }

    @Test
    void values_that_are_no_byte_are_refused() {
        assertThatThrownBy(() -> images.encode(new int[] {0, 256, 0}, 7))
                .hasMessage("pixel 1 must be 0 to 255, was 256");
        assertThatThrownBy(() -> images.encode(new int[3], -1)).hasMessage("the label must be 0 to 255, was -1");
        assertThatThrownBy(() -> images.encode(new int[2], 1)).hasMessage("an image must have 3 pixels, was 2");
    }

    @Test
    void an_image_without_pixels_or_scale_is_refused() {
        assertThatThrownBy(() -> new LabelledPixels(0, 1)).hasMessage("an image must have at least 1 pixel, was 0");
        assertThatThrownBy(() -> new LabelledPixels(1, Float.NaN))
                .hasMessage("the scale must be finite, for example 0.0625, was NaN");
    }
}
