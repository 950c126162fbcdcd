package dev.edl.examples.cnn;

import dev.edl.examples.digits.DigitsData;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.data.DatasetSplit;
import dev.edl.runtime.data.Datasets;
import dev.edl.runtime.data.idx.IdxDataset;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Images of 28 x 28 pixels to train on, and held-out images. */
final class DigitImages implements Closeable {
    /** Width and height of an image. */
    static final int SIDE = 28;

    private static final int SMALL_SIDE = 8;
    /** Share of the images that is held out, at the end of the file, if there are no test images. */
    private static final double HELD_OUT = 1.0 / 6;

    private final List<Closeable> files;
    private final String name;
    private final Dataset train;
    private final Dataset test;

    private DigitImages(String name, Dataset train, Dataset test, List<? extends Closeable> files) {
        this.name = name;
        this.train = train;
        this.test = test;
        this.files = List.copyOf(files);
    }

    /** Writes the examples' own digits to a folder, and returns them enlarged. */
    static DigitImages enlarged(Path folder) throws IOException {
        var train = DigitsData.train(folder);
        var test = DigitsData.test(folder);
        return new DigitImages(
                "Handwritten digits",
                new EnlargedImages(train, SMALL_SIDE, SIDE),
                new EnlargedImages(test, SMALL_SIDE, SIDE),
                List.of(train, test));
    }

    /** Returns images in IDX files such as MNIST's; without test images, the last sixth is held out. */
    static DigitImages idx(Path images, Path labels, @Nullable Path testImages, @Nullable Path testLabels)
            throws IOException {
        List<IdxDataset> files = new ArrayList<>();
        try {
            files.add(open(images, labels));
            String name = String.valueOf(images.getFileName());
            if (testImages == null || testLabels == null) {
                DatasetSplit split = Datasets.split(files.get(0), HELD_OUT);
                return new DigitImages(name, split.train(), split.test(), files);
            }
            files.add(open(testImages, testLabels));
            return new DigitImages(name, files.get(0), files.get(1), files);
        } catch (IOException | RuntimeException e) {
            for (IdxDataset file : files) {
                file.close();
            }
            throw e;
        }
    }

    private static IdxDataset open(Path images, Path labels) throws IOException {
        IdxDataset data = IdxDataset.open(images, labels, 1f / 255);
        if (data.features() != SIDE * SIDE) {
            data.close();
            throw new IOException(images + ": images must have " + SIDE + " x " + SIDE + " pixels, was "
                    + data.features() + " pixels an image");
        }
        return data;
    }

    /**
     * Returns the name of this dataset for a chart's title: {@code Handwritten digits}, or the name of the IDX file.
     */
    String name() {
        return name;
    }

    Dataset train() {
        return train;
    }

    Dataset test() {
        return test;
    }

    @Override
    public void close() throws IOException {
        for (Closeable file : files) {
            file.close();
        }
    }
}
