package dev.edl.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.data.ArrayDataset;
import dev.edl.runtime.inprocess.Fixture;
import dev.edl.runtime.inprocess.LogisticModel;
import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.Metric;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.LearningRateSchedule;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TrainingBuilderTest {
    @Test
    void every_mistake_arrives_in_one_exception() {
        assertThatThrownBy(() -> Training.builder()
                        .minibatch(0)
                        .epochs(-1)
                        .evaluationSteps(10)
                        .checkpointSteps(5)
                        .taskTimeout(Duration.ZERO)
                        .roundTimeout(Duration.ZERO)
                        .absenceTimeout(Duration.ofSeconds(-1))
                        .resumeFrom(Path.of("no-such-folder"))
                        .export(Path.of("model.h5"))
                        .keepCheckpoints(2)
                        .metrics(Metric.accuracy(), Metric.accuracy())
                        .build())
                .isInstanceOf(InvalidTrainingException.class)
                .hasMessage("""
                        training: 13 mistakes
                          model is missing; for example .model(Mlp.of(64, 32, 10))
                          data is missing; for example .data(RecordIoDataset.open(folder, decoder))
                          minibatch must be at least 1, was 0; for example .minibatch(64)
                          epochs must be at least 1, was -1; for example .epochs(5)
                          taskTimeout must be positive and at most 365 days, for example Duration.ofMinutes(5); was PT0S
                          roundTimeout must be positive and at most 365 days, for example Duration.ofSeconds(10); was PT0S
                          absenceTimeout must be positive and at most 365 days, for example Duration.ofMinutes(10); was PT-1S
                          evaluationSteps is 10 but there is no validation data; add .validation(dataset)
                          metrics are set but there is no validation data to compute them on; add .validation(dataset)
                          metrics must have different names, was [accuracy, accuracy]
                          checkpointSteps is 5 but there is no checkpointDirectory; add .checkpointDirectory(path)
                          keepCheckpoints is 2 but there is no checkpointDirectory; add .checkpointDirectory(path)
                          export must name an .npz, .safetensors or .onnx file, for example out/model.npz; was model.h5
                        """.stripTrailing());
    }

    @Test
    void data_of_other_widths_than_the_model_are_refused() {
        ArrayDataset three = ArrayDataset.of(new float[][] {{1, 2, 3}, {4, 5, 6}}, new int[] {0, 1});

        assertThatThrownBy(() -> Training.builder()
                        .model(new LogisticModel(5))
                        .data(three)
                        .build())
                .hasMessage("training: data has 3 features per record, but the model takes 5");
    }

    @Test
    void a_task_too_large_for_memory_is_rejected() {
        assertThatThrownBy(() -> Fixture.training(new LogisticModel(Fixture.FEATURES))
                        .minibatch(4096)
                        .minibatchesPerTask(4096)
                        .build())
                .hasMessage("training: minibatch x minibatchesPerTask must be at most 1048576 records, because a worker"
                        + " holds a task in memory; was 4096 x 4096");
    }

    @Test
    void metrics_too_large_for_the_decision_record_are_rejected() {
        assertThatThrownBy(() -> Fixture.training(new LogisticModel(Fixture.FEATURES))
                        .metrics(new Wide())
                        .build())
                .hasMessage("training: the sums of the metrics [wide] are 501 numbers; at most 500 fit the record of"
                        + " decisions that every parameter server keeps");
    }

    /** A metric of many sums. */
    private static final class Wide implements Metric {
        @Override
        public String name() {
            return "wide";
        }

        @Override
        public Partial start() {
            return new Partial() {
                @Override
                public void add(float[] outputs, int outputWidth, Batch batch) {}

                @Override
                public void merge(double[] sums) {}

                @Override
                public double[] sums() {
                    return new double[501];
                }

                @Override
                public double value() {
                    return 0;
                }
            };
        }
    }

    @Test
    void only_one_early_stop_may_restore_the_best() {
        assertThatThrownBy(() -> Fixture.training(new LogisticModel(Fixture.FEATURES))
                        .evaluationSteps(20)
                        .callback(EarlyStop.on("loss").restoreBest(true))
                        .callback(EarlyStop.on("accuracy").patience(2))
                        .callback(EarlyStop.on("accuracy").patience(3).restoreBest(true))
                        .build())
                .isInstanceOf(InvalidTrainingException.class)
                .hasMessage("training: restoreBest must be set on at most one callback, was set on [EarlyStop on loss,"
                        + " patience 1, EarlyStop on accuracy, patience 3]; keep it on one, and use"
                        + " ExportCallback.best(...) for the others");
    }

    @Test
    void two_outputs_of_one_path_are_refused() {
        Path out = Path.of("out");
        assertThatThrownBy(() -> Fixture.training(new LogisticModel(Fixture.FEATURES))
                        .checkpointDirectory(out)
                        .tensorboard(out)
                        .export(Path.of("out/model.npz"))
                        .history(Path.of("out/run.id"))
                        .callback(ExportCallback.best("accuracy", Path.of("other/../out/model.npz")))
                        .callback(ExportCallback.best("loss", Path.of("out/model-7.npz")))
                        .callback(ExportCallback.every(10, out))
                        .callback(ExportCallback.every(15, out))
                        .build())
                .isInstanceOf(InvalidTrainingException.class)
                .hasMessage("""
                        training: 5 mistakes
                          the run's id and history would write to the same place: out/run.id; give each its own
                          export and Export of the best accuracy would write to the same place: out/model.npz and other/../out/model.npz; give each its own
                          Export of the best loss and Export every 10 steps would write to the same place: out/model-7.npz and out; give each its own
                          Export of the best loss and Export every 15 steps would write to the same place: out/model-7.npz and out; give each its own
                          Export every 10 steps and Export every 15 steps would write to the same place: out; give each its own""");
        assertThatThrownBy(() -> Fixture.training(new LogisticModel(Fixture.FEATURES))
                        .export(Path.of("out.npz"))
                        .history(Path.of("out.npz"))
                        .build())
                .hasMessage("training: export and history would write to the same place: out.npz; give each its own");
    }

    @Test
    void a_zero_or_invalid_rate_at_step_0_is_rejected() {
        Map<LearningRateSchedule, String> mistakes = new LinkedHashMap<>();
        mistakes.put(
                LearningRateSchedule.custom("rises", step -> 0.1 * (double) step / 500),
                "learningRate is 0 at step 0 of custom:rises, so that the first update would do nothing; a rate that"
                        + " rises from 0 is, for example, step -> 0.1 * (step + 1) / 500");
        mistakes.put(
                LearningRateSchedule.custom("below", step -> -1),
                "learningRate: the learning rate must be a finite number of at least 0, was -1.0 at step 0 of custom:below");
        mistakes.put(
                LearningRateSchedule.custom("root", step -> Math.sqrt(-1.0 - (double) step)),
                "learningRate: the learning rate must be a finite number of at least 0, was NaN at step 0 of custom:root");
        double[] none = {};
        mistakes.put(
                LearningRateSchedule.custom("table", step -> none[(int) step]),
                "learningRate: the learning rate schedule custom:table failed at step 0:"
                        + " java.lang.ArrayIndexOutOfBoundsException: Index 0 out of bounds for length 0");
        mistakes.forEach((schedule, message) -> assertThatThrownBy(
                        () -> Fixture.training(new LogisticModel(Fixture.FEATURES))
                                .learningRate(schedule)
                                .build())
                .isInstanceOf(InvalidTrainingException.class)
                .hasMessage("training: " + message));
    }

    @Test
    void to_string_is_one_line() {
        Training training = Fixture.training(new LogisticModel(Fixture.FEATURES))
                .consistency(Consistency.staleness(3))
                .build();

        assertThat(training)
                .hasToString(
                        "200 records x 6 epochs, minibatch 4, sgd:learning_rate=0.1, staleness 3, grads_to_wait 1");
    }
}
