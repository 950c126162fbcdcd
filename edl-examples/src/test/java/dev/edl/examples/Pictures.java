package dev.edl.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import javax.imageio.ImageIO;

/** Checks generated pictures, which no person views in a test. */
public final class Pictures {
    private Pictures() {}

    /** A PNG of this size, of which at least one pixel in fifty is not of the most frequent colour. */
    public static void assertDrawn(Path png, int width, int height) throws IOException {
        BufferedImage picture = ImageIO.read(png.toFile());
        assertThat(picture).as("%s as a picture", png).isNotNull();
        assertThat(picture.getWidth()).as("width of %s", png).isEqualTo(width);
        assertThat(picture.getHeight()).as("height of %s", png).isEqualTo(height);
        int[] pixels = picture.getRGB(0, 0, width, height, null, 0, width);
        int background = pixels[0];
        long ink = Arrays.stream(pixels).filter(pixel -> pixel != background).count();
        assertThat(ink).as("pixels of %s that are drawn", png).isGreaterThan(pixels.length / 50);
    }
}
