package dev.edl.cli.elasticdl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.cli.EdlCommand;
import dev.edl.elasticdl.ElasticDlCommand;
import dev.edl.elasticdl.ElasticDlVerb;
import dev.edl.elasticdl.ElasticDlVersion;
import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.Training;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.zoo.DeepFm;
import dev.edl.runtime.zoo.MnistCnn;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ElasticDlRunTest {
    private static final String DEFINITION = "--model_def=" + Quadrant.class.getName();

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(List<String> args) {
        return EdlCommand.run(new PrintWriter(out, true), new PrintWriter(err, true), args.toArray(String[]::new));
    }

    @Test
    void a_model_trains_is_evaluated_and_predicts() throws IOException {
        Path points = Quadrant.points(folder.resolve("points"));
        Path output = folder.resolve("out");

        int trained = run(List.of(
                "train",
                DEFINITION,
                "--training_data=" + points,
                "--num_epochs=20",
                "--minibatch_size=32",
                "--num_ps_pods=1",
                "--num_workers=2",
                "--output=" + output,
                "--job_name=quadrant"));
        assertThat(err.toString()).isEmpty();
        assertThat(out.toString()).contains("each applied exactly once");
        assertThat(trained).isZero();

        Path safetensors = output.resolve("model.safetensors");
        assertThat(run(List.of("export", DEFINITION, output.resolve("model.npz").toString(), safetensors.toString())))
                .isZero();
        assertThat(run(List.of("export", DEFINITION, safetensors.toString(), output + "/model.onnx")))
                .isZero();
        assertThat(out.toString()).contains("wrote " + safetensors, "wrote " + output.resolve("model.onnx"));
        assertThat(TrainedModel.load(safetensors).parameters())
                .isEqualTo(TrainedModel.load(output.resolve("model.npz")).parameters());
        // The first field of an ONNX model is its IR version, 7.
        assertThat(Files.readAllBytes(output.resolve("model.onnx"))).startsWith(8, 7);

        String model = "--checkpoint_dir_for_init=" + safetensors;
        out.getBuffer().setLength(0);
        int evaluated =
                run(List.of("evaluate", DEFINITION, "--validation_data=" + points, model, "--job_name=quadrant"));
        assertThat(out.toString()).containsPattern("accuracy=(0\\.9|1\\.0)");
        assertThat(evaluated).isZero();

        int predicted = run(List.of(
                "predict",
                DEFINITION,
                "--prediction_data=" + points,
                model,
                "--output=" + output,
                "--job_name=quadrant"));
        assertThat(output.resolve("predictions.csv")).content().hasLineCount(641);
        assertThat(predicted).isZero();

        Path processes = folder.resolve("processes");
        out.getBuffer().setLength(0);
        int evaluatedByProcesses = run(List.of(
                "evaluate",
                "--on=processes",
                DEFINITION,
                "--validation_data=" + points,
                model,
                "--num_workers=2",
                "--job_name=quadrant"));
        assertThat(out.toString())
                .containsPattern("accuracy=(0\\.9|1\\.0)")
                .contains("each of 640 records evaluated exactly once");
        assertThat(evaluatedByProcesses).isZero();

        int predictedByProcesses = run(List.of(
                "predict",
                "--on=processes",
                DEFINITION,
                "--prediction_data=" + points,
                model,
                "--output=" + processes,
                "--job_name=quadrant"));
        assertThat(out.toString()).contains("each of 640 records predicted exactly once");
        assertThat(processes.resolve("predictions.csv")).hasSameTextualContentAs(output.resolve("predictions.csv"));
        assertThat(predictedByProcesses).isZero();
    }

    @Test
    void a_prediction_in_pods_without_output_is_refused_before_it_starts() {
        int refused = run(List.of(
                "predict",
                "--image_name=a:1",
                DEFINITION,
                "--prediction_data=/data/test",
                "--checkpoint_dir_for_init=/data/model.npz",
                "--job_name=quadrant"));

        assertThat(err.toString()).contains("--output is missing; for example --output=/data/predictions");
        assertThat(refused).isNotZero();
    }

    @Test
    void flags_become_settings_of_the_training() {
        Training training = training(
                ElasticDlVersion.JULY_2020,
                "--model_zoo=zoo",
                "--model_def=mnist_functional_api.mnist_functional_api.custom_model",
                "--image_name=a:1",
                "--training_data=/data/train",
                "--validation_data=/data/test",
                "--num_epochs=5",
                "--minibatch_size=64",
                "--num_minibatches_per_task=16",
                "--evaluation_steps=200",
                "--grads_to_wait=2",
                "--sync_version_tolerance=1",
                "--lr_staleness_modulation=true",
                "--checkpoint_dir=/data/checkpoints",
                "--checkpoint_dir_for_init=/data/earlier",
                "--checkpoint_steps=100",
                "--keep_checkpoint_max=3",
                "--log_loss_steps=50",
                "--tensorboard_log_dir=/data/logs",
                "--output=/data/out",
                "--job_name=mnist");

        assertThat(training.model()).isInstanceOf(MnistCnn.class);
        assertThat(training.epochs()).isEqualTo(5);
        assertThat(training.minibatch()).isEqualTo(64);
        assertThat(training.minibatchesPerTask()).isEqualTo(16);
        assertThat(training.evaluationSteps()).isEqualTo(200);
        assertThat(training.consistency()).isEqualTo(Consistency.staleness(1).withGradsToWait(2));
        assertThat(training.stalenessModulation()).isTrue();
        assertThat(training.checkpointDirectory()).contains(Path.of("/data/checkpoints"));
        assertThat(training.checkpointSteps()).isEqualTo(100);
        assertThat(training.resumeFrom()).contains(Path.of("/data/earlier"));
        assertThat(training.keepCheckpoints()).isEqualTo(3);
        assertThat(training.logLossSteps()).isEqualTo(50);
        assertThat(training.tensorboard()).contains(Path.of("/data/logs"));
        assertThat(training.export()).contains(Path.of("/data/out/model.npz"));
    }

    @Test
    void asynchronous_training_and_the_zoos_deepfm_have_counterparts() {
        Training training = training(
                ElasticDlVersion.RELEASE_1_0,
                "--model_def=deepfm_functional_api.deepfm_functional_api.custom_model",
                "--training_data=/data/train",
                "--use_async=true",
                "--max_step=100",
                "--job_name=clicks");

        assertThat(training.model()).isInstanceOf(DeepFm.class);
        assertThat(training.consistency()).isEqualTo(Consistency.asynchronous());
        assertThat(training.maxSteps()).isEqualTo(100);
    }

    @Test
    void an_exported_model_gives_the_first_parameters() {
        Training training = training(
                ElasticDlVersion.RELEASE_1_0,
                DEFINITION,
                "--training_data=/data/train",
                "--checkpoint_dir_for_init=/data/model.safetensors",
                "--job_name=mnist");

        assertThat(training.from()).map(Object::toString).contains("/data/model.safetensors");
        assertThat(training.resumeFrom()).isEmpty();
    }

    private static Training training(ElasticDlVersion version, String... flags) {
        return new ElasticDlTraining(ElasticDlCommand.parse(version, ElasticDlVerb.TRAIN, List.of(flags))).training();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --num_workers=1                                | --job_name is missing
            --job_name=a                                   | --model_def is missing; for example --model_def=com.acme.Mnist
            --job_name=a --model_def=com.acme.None         | must name a class of the class path or a network of the zoo
            --job_name=a --model_def=mnist.mnist_subclas.CustomModel | did you mean mnist.mnist_subclass.CustomModel?
            --job_name=a --model_def=java.lang.String      | must name a class that implements dev.edl.cli.elasticdl.ModelDefinition
            --job_name=a --model_def=java.lang.Math        | must be a public class with a public constructor without parameters
            --job_name=a --traning_data=b                  | --traning_data is not a flag of train in ElasticDL 1.0; did you mean --training_data?
            --job_name=a DEFINITION                        | --training_data is missing; for example --training_data=/data/mnist/train
            --job_name=a DEFINITION --training_data=b --num_epochs=0 | --num_epochs must be at least 1, was 0
            --job_name=a DEFINITION --training_data=b --distribution_strategy=AllreduceStrategy | must be ParameterServerStrategy or Local
            --job_name=a DEFINITION --training_data=b --num_ps_pods=1 | b: there is no such RecordIO file or directory
            --job_name=a DEFINITION --training_data=b --use_async=true --grads_to_wait=2 | warning: --grads_to_wait=2 is 1, as in ElasticDL
            """)
    void a_mistake_names_the_flag(String flags, String message) {
        List<String> args = new ArrayList<>(List.of("train"));
        args.addAll(List.of(flags.replace("DEFINITION", DEFINITION).split(" +")));

        assertThat(run(args)).isEqualTo(1);
        assertThat(err.toString()).contains(message).doesNotContain("\tat ");
    }

    @Test
    void a_flag_that_is_not_carried_over_is_a_warning() {
        run(List.of(
                "train",
                "--job_name=a",
                DEFINITION,
                "--training_data=none",
                "--model_zoo=zoo",
                "--loss=my_loss",
                "--evaluation_steps=10",
                "--need_pod_manager=false",
                "--image_pull_policy=Always",
                "--get_model_steps=4",
                "--log_level=INFO"));

        assertThat(err.toString().lines().filter(line -> line.startsWith("warning: ")))
                .containsExactlyInAnyOrder(
                        "warning: --model_zoo=zoo is not carried over: the class path has the model that --model_def names",
                        "warning: --loss=my_loss is not carried over: it names a Python function; the model definition"
                                + " has its own",
                        "warning: --get_model_steps=4 is not carried over: a worker pulls before each minibatch",
                        "warning: --need_pod_manager=false is not carried over: EDL's master always does its work",
                        "warning: --evaluation_steps=10 has no effect: there is no --validation_data",
                        "warning: --num_ps_pods=0 is 1 here: EDL trains with parameter servers",
                        "warning: images and volumes have no effect here: the command starts no pods, and its paths are"
                                + " those of this machine");
    }
}
