package dev.edl.runtime.inprocess;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.exec.AwaitTimeoutException;
import dev.edl.exec.JobFailedException;
import dev.edl.runtime.Evaluation;
import dev.edl.runtime.EvaluationResult;
import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingResult;
import dev.edl.runtime.data.ArrayDataset;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.data.Datasets;
import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.Metric;
import dev.edl.status.JobEvent;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class AwaitResultTest {
    @Test
    void a_training_that_succeeds_gives_its_result() throws Exception {
        try (InProcessExecutor executor = InProcessExecutor.of(
                        Fixture.training(new LogisticModel(Fixture.FEATURES)).build());
                TrainingRun run = executor.submit(Fixture.job(2, 2))) {
            TrainingResult result = run.awaitResult(Fixture.LIMIT);

            assertThat(result.exactlyOnce()).isTrue();
            assertThat(run.result()).contains(result);
        }
    }

    @Test
    void a_training_that_fails_throws_the_reason() throws Exception {
        float[][] rows = new float[40][Fixture.FEATURES];
        int[] labels = new int[40];
        labels[39] = 2;
        Dataset badLabel = Datasets.take(ArrayDataset.of("labels", rows, labels), 40);
        Training training = Training.builder()
                .model(new LogisticModel(Fixture.FEATURES) {
                    @Override
                    public float gradient(float[] parameters, Batch batch, float[] gradient) {
                        for (int row = 0; row < batch.size(); row++) {
                            batch.classLabel(row, 2);
                        }
                        return super.gradient(parameters, batch, gradient);
                    }
                })
                .data(badLabel)
                .shuffle(false)
                .minibatch(10)
                .build();
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(Fixture.job(1, 1))) {
            assertThatThrownBy(() -> run.awaitResult(Fixture.LIMIT))
                    .isInstanceOf(JobFailedException.class)
                    .hasMessageStartingWith("job \"unit\" failed: ")
                    .hasMessageContaining("batch labels-00000[30..40), row 9")
                    .hasMessageContaining("the label must be a whole number from 0 to 1, was 2.0");
        }
    }

    @Test
    void a_training_that_is_cancelled_or_takes_longer_says_so() throws Exception {
        SteppedModel model = new SteppedModel(Fixture.FEATURES);
        CountDownLatch goOn = new CountDownLatch(1);
        model.before(step -> Waits.on(goOn));
        try (InProcessExecutor executor =
                        InProcessExecutor.of(Fixture.training(model).build());
                TrainingRun run = executor.submit(Fixture.job(1, 1))) {
            assertThatThrownBy(() -> run.awaitResult(Duration.ofMillis(1))).isInstanceOf(AwaitTimeoutException.class);
            run.cancel();
            // Otherwise the training may succeed before the cancellation takes effect.
            Waits.on(Waits.event(run, JobEvent.Type.JOB_CANCELLED));
            goOn.countDown();
            assertThatThrownBy(() -> run.awaitResult(Fixture.LIMIT))
                    .isInstanceOf(JobFailedException.class)
                    .hasMessageStartingWith("job \"unit\" was cancelled");
        }
    }

    @Test
    void an_evaluation_gives_its_result() throws Exception {
        LogisticModel model = new LogisticModel(Fixture.FEATURES);
        TrainedModel trained = TrainedModel.of(model.layout(), new float[Fixture.FEATURES + 1], 1);
        Evaluation evaluation = Evaluation.builder()
                .model(model)
                .from(trained)
                .data(Fixture.data(2))
                .metrics(Metric.crossEntropy())
                .build();
        try (PassExecutor<EvaluationResult> executor = InProcessExecutor.of(evaluation);
                PassRun<EvaluationResult> run = executor.submit(Fixture.job(1, 2))) {
            assertThat(run.awaitResult(Fixture.LIMIT).metrics().get("loss"))
                    .isCloseTo(Math.log(2), org.assertj.core.api.Assertions.within(1e-6));
        }
    }
}
