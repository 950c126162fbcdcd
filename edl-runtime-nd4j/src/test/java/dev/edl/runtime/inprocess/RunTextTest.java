package dev.edl.runtime.inprocess;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.internal.text.SignificantDigits;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.status.JobEvent;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Text forms of a run and its result. */
class RunTextTest {
    @Test
    void a_run_prints_one_line_of_progress_or_result() throws Exception {
        SteppedModel model = new SteppedModel(Fixture.FEATURES);
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        model.before(step -> {
            if (step == 40) {
                reached.countDown();
                Waits.on(goOn);
            }
        });
        try (InProcessExecutor executor =
                        InProcessExecutor.of(Fixture.training(model).build());
                TrainingRun run = executor.submit(Fixture.job(1, 1))) {
            Waits.on(reached);
            Waits.on(Waits.event(run, JobEvent.Type.JOB_RUNNING));
            assertThat(run.toString())
                    .matches("job unit RUNNING: task \\d+/96, epoch 1/6, [\\d,]+ samples/s, loss [\\d.]+, ETA \\d+s");
            goOn.countDown();
            run.awaitResult(Fixture.LIMIT);
            assertThat(run.toString())
                    .matches("job unit SUCCEEDED: 1,200 records in \\d+\\.\\d s, \\{accuracy=[\\d.]+, loss=[\\d.]+}");
        }
    }

    @Test
    void a_result_says_how_it_is_had_again() throws Exception {
        Training training = Fixture.training(new LogisticModel(Fixture.FEATURES) {
                    @Override
                    public String toString() {
                        return "logistic";
                    }
                })
                .command("edl-examples/run unit --seed 7")
                .consistency(Consistency.staleness(3))
                .maxSteps(100)
                .build();
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(Fixture.job(2, 3))) {
            assertThat(run.awaitResult(Fixture.LIMIT).reproduce()).isEqualTo("""
                    command: edl-examples/run unit --seed 7
                    seed: 7
                    settings: .seed(7L).optimizer(Optimizer.parse("%s")).consistency(Consistency.staleness(3))\
                    .minibatch(4).minibatchesPerTask(4).epochs(6).shuffle(true).maxSteps(100)
                    model: logistic
                    data: ArrayDataset[table: 200 rows, 5 features, 2 classes]
                    validation: ArrayDataset[table: 200 rows, 5 features, 2 classes]
                    same numbers: about, since the order of the workers' pushes differs from run to run; one worker and \
                    Consistency.synchronous() give the same
                    job: unit: master x 1, ps x 2, worker x 3""".formatted(training.optimizer()));
        }
    }

    @Test
    void two_synchronous_runs_with_one_worker_give_identical_bits() throws Exception {
        assertThat(weights()).containsExactly(weights());
    }

    private static float[] weights() throws Exception {
        Training training = Fixture.training(new LogisticModel(Fixture.FEATURES))
                .consistency(Consistency.synchronous())
                .build();
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(Fixture.job(2, 1))) {
            return run.awaitResult(Fixture.LIMIT).model().parameters();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0.9611111111111111, 0.961111",
        "1, 1.0",
        "0.5, 0.5",
        "580000000000, 5.8E+11",
        "0.00001234567, 0.0000123457",
        "123456.789, 123457.0",
        "-2.25, -2.25",
        "NaN, NaN",
        "0, 0.0"
    })
    void figures_have_six_digits(double value, String text) {
        assertThat(SignificantDigits.of(value)).isEqualTo(text);
    }

    @Test
    void metrics_are_rounded_in_text_and_exact_in_results() {
        Map<String, Double> metrics = new LinkedHashMap<>();
        metrics.put("accuracy", 2 / 3.0);
        metrics.put("loss", 1 / 3.0);
        TrainingEvent.Evaluation evaluation = new TrainingEvent.Evaluation(200, metrics);

        assertThat(evaluation).hasToString("Evaluation metrics[step=200]: {accuracy=0.666667, loss=0.333333}");
        assertThat(evaluation.metrics().get("accuracy")).isEqualTo(2 / 3.0);
        assertThat(new TrainingEvent.Loss("w", 100, 0.6931472f)).hasToString("Loss = 0.693147, steps = 100");
    }
}
