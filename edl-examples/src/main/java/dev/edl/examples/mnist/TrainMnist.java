package dev.edl.examples.mnist;

import dev.edl.runtime.Training;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.data.idx.LabelledPixels;
import dev.edl.runtime.data.recordio.RecordIoDataset;
import dev.edl.runtime.model.Mlp;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.program.TrainingProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.UnaryOperator;

/**
 * Training of ElasticDL's tutorial: five epochs of labelled images, minibatches of 64, 64 of them per task, an
 * evaluation every 200 steps. Run by hand, it trains as local processes; the same program is the entry point of an
 * image.
 *
 * <p>Its folder has RecordIO files of images in {@code mnist/train} and {@code mnist/test}; it writes
 * {@code checkpoints} and {@code model.npz}.
 */
public final class TrainMnist {
    private static final int PIXELS = 64;

    private TrainMnist() {}

    /** Argument: the folder, {@code /data} unless given. */
    public static void main(String[] args) {
        Path folder = Path.of(args.length == 0 ? "/data" : args[0]);
        TrainingProgram.run(args, () -> training(folder, data -> data));
    }

    /**
     * Returns the training.
     *
     * @param folder with the data; the model is written to it
     * @param reading wraps the training data
     */
    public static Training training(Path folder, UnaryOperator<Dataset> reading) {
        return Training.builder()
                .model(Mlp.of(PIXELS, 128, 64, 10))
                .optimizer(Optimizer.parse("adam:learning_rate=0.001"))
                .data(() -> reading.apply(images(folder.resolve("mnist/train"))))
                .validation(() -> images(folder.resolve("mnist/test")))
                .epochs(5)
                .minibatch(64)
                .minibatchesPerTask(64)
                .evaluationSteps(200)
                .logLossSteps(100)
                .checkpointDirectory(folder.resolve("checkpoints"))
                .checkpointSteps(1000)
                .export(folder.resolve("model.npz"))
                .build();
    }

    /** Returns the images of a folder, 8 x 8 pixels from 0 to 16 each. */
    static RecordIoDataset images(Path files) throws IOException {
        return RecordIoDataset.open(files, new LabelledPixels(PIXELS, 1 / 16f));
    }
}
