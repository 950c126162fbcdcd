package dev.edl.cli.elasticdl;

import dev.edl.elasticdl.ElasticDlCommand;
import dev.edl.runtime.Evaluation;
import dev.edl.runtime.PassBuilder;
import dev.edl.runtime.Prediction;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingBuilder;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.data.PredictionWriter;
import dev.edl.runtime.data.RecordFormat;
import dev.edl.runtime.data.recordio.RecordIoDataset;
import dev.edl.runtime.data.tfrecord.TfRecordDataset;
import dev.edl.runtime.model.Metric;
import dev.edl.runtime.optimizers.Consistency;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** Carries the flags of an ElasticDL command line over to a training, an evaluation or a prediction. */
final class ElasticDlTraining {
    private static final String MODEL = "model.npz";

    private final ElasticDlCommand command;
    private final ModelDefinition definition;

    ElasticDlTraining(ElasticDlCommand command) {
        this.command = command;
        this.definition = ModelDefinitions.named(required("model_def", "com.acme.Mnist"));
    }

    private String required(String flag, String example) {
        return command.text(flag)
                .orElseThrow(() -> new IllegalArgumentException(
                        "--" + flag + " is missing; for example --" + flag + "=" + example));
    }

    /** Returns the training; opens no data. */
    Training training() {
        String strategy = command.text("distribution_strategy").orElse("Local");
        if (!strategy.equals("Local") && !strategy.equals("ParameterServerStrategy")) {
            throw new IllegalArgumentException("--distribution_strategy must be ParameterServerStrategy or Local, was "
                    + strategy + "; EDL trains with parameter servers, and plans Horovod's jobs");
        }
        int epochs = command.number("num_epochs");
        if (epochs < 1) {
            throw new IllegalArgumentException("--num_epochs must be at least 1, was " + epochs
                    + ", which is without end in ElasticDL; for example --num_epochs=5");
        }
        Path data = Path.of(required("training_data", "/data/mnist/train"));
        TrainingBuilder training = Training.builder()
                .model(definition.model())
                .optimizer(definition.optimizer())
                .data(() -> open(data, definition.format()))
                .minibatch(command.number("minibatch_size"))
                .minibatchesPerTask(command.number("num_minibatches_per_task"))
                .epochs(epochs)
                .consistency(consistency())
                .stalenessModulation(command.truth("lr_staleness_modulation"));
        command.text("validation_data")
                .map(Path::of)
                .ifPresent(path -> training.validation(() -> open(path, definition.format()))
                        .metrics(definition.metrics().toArray(Metric[]::new))
                        .evaluationSteps(command.number("evaluation_steps")));
        if (has("max_step") && command.number("max_step") > 0) {
            training.maxSteps(command.number("max_step"));
        }
        if (has("log_loss_steps")) {
            training.logLossSteps(command.number("log_loss_steps"));
        }
        if (has("tensorboard_log_dir")) {
            command.text("tensorboard_log_dir").map(Path::of).ifPresent(training::tensorboard);
        }
        command.text("checkpoint_dir").map(Path::of).ifPresent(training::checkpointDirectory);
        if (command.number("checkpoint_steps") > 0) {
            training.checkpointSteps(command.number("checkpoint_steps"));
        }
        if (command.number("keep_checkpoint_max") > 0) {
            training.keepCheckpoints(command.number("keep_checkpoint_max"));
        }
        command.text("checkpoint_dir_for_init").ifPresent(from -> {
            if (from.matches(".*\\.(npz|safetensors)")) {
                training.from(Path.of(from));
            } else {
                training.resumeFrom(Path.of(from));
            }
        });
        output().map(folder -> folder.resolve(MODEL)).ifPresent(training::export);
        return training.build();
    }

    /** Returns the evaluation of {@code --validation_data}. */
    Evaluation evaluation() throws IOException {
        return pass(Evaluation.builder(), "validation_data")
                .metrics(definition.metrics().toArray(Metric[]::new))
                .build();
    }

    /** Returns the prediction of {@code --prediction_data}, written to {@code predictions.csv} in {@code --output}. */
    Prediction prediction() throws IOException {
        Path folder = predictions();
        Files.createDirectories(folder);
        return pass(Prediction.builder(), "prediction_data")
                .to(PredictionWriter.csv(folder.resolve("predictions.csv")))
                .build();
    }

    /** Returns {@code --output}, which a prediction requires. */
    Path predictions() {
        return Path.of(required("output", "/data/predictions"));
    }

    private <B extends PassBuilder<B>> B pass(B builder, String data) throws IOException {
        return builder.model(definition.model())
                .data(open(Path.of(required(data, "/data/mnist/test")), definition.format()))
                .from(Path.of(required("checkpoint_dir_for_init", "/data/checkpoints/version-1000")))
                .minibatch(command.number("minibatch_size"))
                .minibatchesPerTask(command.number("num_minibatches_per_task"));
    }

    private Optional<Path> output() {
        return command.text("output").map(Path::of);
    }

    /** Returns whether the command's version has a flag. */
    private boolean has(String flag) {
        return ElasticDlCommand.known(command.era(), command.verb()).contains(flag);
    }

    private Consistency consistency() {
        if (command.truth("use_async")) {
            return Consistency.asynchronous();
        }
        return Consistency.staleness(command.number("sync_version_tolerance"))
                .withGradsToWait(command.number("grads_to_wait"));
    }

    /** Opens a file or folder of TFRecord files, if their names end so, or of RecordIO files. */
    private static Dataset open(Path path, RecordFormat format) throws IOException {
        return isTfRecord(path) ? TfRecordDataset.open(path, format) : RecordIoDataset.open(path, format);
    }

    private static boolean isTfRecord(Path path) throws IOException {
        if (!Files.isDirectory(path)) {
            return path.toString().contains(".tfrecord");
        }
        try (Stream<Path> files = Files.list(path)) {
            return files.anyMatch(file -> file.toString().contains(".tfrecord"));
        }
    }
}
