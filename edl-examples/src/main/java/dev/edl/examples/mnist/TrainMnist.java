package dev.edl.examples.mnist;

import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingBuilder;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.data.idx.LabelledPixels;
import dev.edl.runtime.data.recordio.RecordIoDataset;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.program.TrainingProgram;
import dev.edl.runtime.zoo.Mlp;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.UnaryOperator;

/**
 * Training of ElasticDL's tutorial: five epochs of labelled images, minibatches of 64, 64 of them per task, an
 * evaluation every 200 steps. Run by hand, the program trains as local processes; it is also the entry point of a job's
 * image.
 *
 * <p>Its folder must have RecordIO files of images in {@code mnist/train} and {@code mnist/test}. The training writes
 * {@code checkpoints} and {@code model.npz} there.
 */
public final class TrainMnist {
    private static final int PIXELS = 64;

    private TrainMnist() {}

    /** Argument: the folder; {@code /data} if omitted. */
    public static void main(String[] args) {
        Path folder = Path.of(args.length == 0 ? "/data" : args[0]);
        TrainingProgram.run(args, () -> training(folder, data -> data));
    }

    /**
     * Returns the training.
     *
     * @param folder folder with the data, to which checkpoints and model are written
     * @param reading returns a view of the training data, for example a paced one
     */
    public static Training training(Path folder, UnaryOperator<Dataset> reading) {
        return builder(folder, reading).build();
    }

    /** Returns the builder of {@link #training}. */
    public static TrainingBuilder builder(Path folder, UnaryOperator<Dataset> reading) {
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
                .export(folder.resolve("model.npz"));
    }

    /** Opens the images of a folder, each of 8 x 8 pixels whose values 0 to 16 become 0 to 1. */
    static RecordIoDataset images(Path files) throws IOException {
        return RecordIoDataset.open(files, new LabelledPixels(PIXELS, 1 / 16f));
    }
}
