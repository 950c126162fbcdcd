package dev.edl.runtime.inprocess;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.CurvePoint;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.TrainingResult;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class CurveTest {
    @Test
    void a_result_has_the_curve_of_its_training_with_each_evaluation() throws Exception {
        Map<Long, Map<String, Double>> told = new ConcurrentSkipListMap<>();
        Training training = Fixture.training(new LogisticModel(Fixture.FEATURES))
                .evaluationSteps(50)
                .onTraining(event -> {
                    if (event instanceof TrainingEvent.Evaluation evaluation) {
                        told.put(evaluation.step(), evaluation.metrics());
                    }
                })
                .build();
        TrainingResult result;
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(Fixture.job(1, 1))) {
            result = run.awaitResult(Fixture.LIMIT);
        }

        List<CurvePoint> curve = result.curve();
        Map<Long, Map<String, Double>> evaluated = new LinkedHashMap<>();
        curve.stream()
                .filter(point -> !point.metrics().isEmpty())
                .forEach(point -> evaluated.put(point.step(), point.metrics()));
        assertThat(evaluated).isEqualTo(told).hasSizeGreaterThan(4).containsEntry(result.steps(), result.metrics());
        assertThat(curve).extracting(CurvePoint::step).isSortedAccordingTo(Comparator.naturalOrder());
        assertThat(curve).extracting(CurvePoint::records).isSortedAccordingTo(Comparator.naturalOrder());
        assertThat(curve).extracting(CurvePoint::workers).containsOnly(1);
        CurvePoint end = curve.get(curve.size() - 1);
        // 200 records, six times.
        assertThat(end.records()).isEqualTo(1200);
        assertThat(end.loss()).isLessThan(curve.get(0).loss());
    }

    @Test
    void a_curve_counts_the_workers_that_train() throws Exception {
        Set<Thread> workers = ConcurrentHashMap.newKeySet();
        CountDownLatch all = new CountDownLatch(3);
        SteppedModel model = new SteppedModel(Fixture.FEATURES);
        model.before(step -> {
            if (workers.add(Thread.currentThread())) {
                all.countDown();
            }
            Waits.on(all);
        });
        Training training = Fixture.training(model).build();
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(Fixture.job(2, 3))) {
            assertThat(run.awaitResult(Fixture.LIMIT).curve())
                    .extracting(CurvePoint::workers)
                    .allMatch(count -> count >= 1 && count <= 3)
                    .contains(3);
        }
    }

    @Test
    void a_result_and_a_subscription_print_as_one_line() throws Exception {
        Training training =
                Fixture.training(new LogisticModel(Fixture.FEATURES)).build();
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(Fixture.job(1, 1))) {
            assertThat(run.awaitResult(Fixture.LIMIT).toString())
                    .matches(
                            "version 312, \\{.*loss=0\\.\\d+.*}, 1,200 records in \\d+\\.\\d s, each applied exactly once");
            assertThat(run.onTraining(event -> {})).hasToString("a listener of the training");
        }
    }
}
