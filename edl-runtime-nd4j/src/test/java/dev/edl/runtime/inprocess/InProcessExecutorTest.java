package dev.edl.runtime.inprocess;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.exec.JobStatus;
import dev.edl.exec.ReplicaStatus;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.TrainingResult;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InProcessExecutorTest {
    private static TrainingResult train(Training training, Job job) throws InterruptedException {
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(job)) {
            JobStatus end = run.await(Fixture.LIMIT);
            assertThat(end.phase()).as(end.message()).isEqualTo(JobPhase.SUCCEEDED);
            return run.result().orElseThrow();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"unbounded", "3", "0"})
    void a_job_learns_and_applies_each_record_exactly_once(String staleness) throws Exception {
        Training training = Fixture.training(new LogisticModel(Fixture.FEATURES))
                .consistency(Consistency.parse(staleness))
                .epochs(20)
                .build();

        TrainingResult result = train(training, Fixture.job(2, 3));

        assertThat(result.exactlyOnce()).as(result.proof()).isTrue();
        assertThat(result.metrics().get("accuracy")).isGreaterThan(0.9);
        assertThat(result.pushesExpected()).isEqualTo(20L * (200 / 4 + 4 * 1 - 2));
    }

    @Test
    void one_worker_trains_to_the_same_bits_each_time() throws Exception {
        Training training =
                Fixture.training(new LogisticModel(Fixture.FEATURES)).build();

        float[] first = weights(train(training, Fixture.job(2, 1)));
        float[] second = weights(train(training, Fixture.job(2, 1)));
        float[] otherSharding = weights(train(training, Fixture.job(3, 1)));

        assertThat(second).containsExactly(first);
        assertThat(otherSharding).containsExactly(first);
    }

    static float[] weights(TrainingResult result) {
        return result.model().parameters();
    }

    @Test
    void an_evaluation_measures_exactly_its_version() throws Exception {
        Map<Long, Double> seen = new TreeMap<>();
        Training training = Fixture.training(new LogisticModel(Fixture.FEATURES))
                .shuffle(false)
                .epochs(2)
                .evaluationSteps(10)
                .onTraining(event -> {
                    if (event instanceof TrainingEvent.Evaluation e) {
                        seen.put(e.step(), e.metrics().get("loss"));
                    }
                })
                .build();
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(Fixture.job(2, 1))) {
            run.await(Fixture.LIMIT);
        }

        Map<Long, Double> expected = SequentialReference.losses(2, 10);
        assertThat(seen.keySet()).isEqualTo(expected.keySet());
        seen.forEach((step, loss) -> assertThat(loss)
                .as("step " + step)
                .isCloseTo(expected.get(step), org.assertj.core.api.Assertions.within(1e-5)));
    }

    @Test
    void a_deleted_worker_is_replaced_under_the_next_id_and_nothing_restarts() throws Exception {
        SteppedModel model = new SteppedModel(Fixture.FEATURES);
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        model.before(step -> {
            if (step == 40) {
                reached.countDown();
            }
            if (step >= 40) {
                Waits.on(goOn);
            }
        });
        try (InProcessExecutor executor =
                        InProcessExecutor.of(Fixture.training(model).build());
                TrainingRun run = executor.submit(Fixture.job(2, 4))) {
            CountDownLatch replaced = Waits.event(run, JobEvent.Type.REPLICA_RUNNING, "elasticdl-unit-worker-4");
            Waits.on(reached);
            run.delete("worker-0");
            Waits.on(replaced);
            List<String> names = run.status().replicas().stream()
                    .filter(r -> r.status().equals("Running"))
                    .map(ReplicaStatus::name)
                    .toList();
            goOn.countDown();
            run.await(Fixture.LIMIT);

            assertThat(names)
                    .containsExactly(
                            "elasticdl-unit-master",
                            "elasticdl-unit-ps-0",
                            "elasticdl-unit-ps-1",
                            "elasticdl-unit-worker-1",
                            "elasticdl-unit-worker-2",
                            "elasticdl-unit-worker-3",
                            "elasticdl-unit-worker-4");
            TrainingResult result = run.result().orElseThrow();
            assertThat(result.exactlyOnce()).as(result.proof()).isTrue();
            assertThat(run.status().replicas()).allMatch(r -> r.restarts() == 0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"master", "ps-0", "ps-1", "worker-1"})
    void any_replica_may_be_killed_midway(String victim) throws Exception {
        SteppedModel model = new SteppedModel(Fixture.FEATURES);
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        model.before(step -> {
            if (step >= 60) {
                reached.countDown();
                Waits.on(goOn);
            }
        });
        try (InProcessExecutor executor =
                        InProcessExecutor.of(Fixture.training(model).epochs(30).build());
                TrainingRun run = executor.submit(Fixture.job(2, 3))) {
            Waits.on(reached);
            run.kill(victim);
            goOn.countDown();
            JobStatus end = run.await(Fixture.LIMIT);

            assertThat(end.phase()).as(end.message()).isEqualTo(JobPhase.SUCCEEDED);
            TrainingResult result = run.result().orElseThrow();
            assertThat(result.exactlyOnce()).as(result.proof()).isTrue();
            assertThat(result.metrics().get("accuracy")).isGreaterThan(0.9);
        }
    }

    @Test
    void a_worker_may_be_deleted_right_after_the_job_was_submitted() throws Exception {
        for (int i = 0; i < 20; i++) {
            SteppedModel model = new SteppedModel(Fixture.FEATURES);
            CountDownLatch deleted = new CountDownLatch(1);
            model.before(step -> Waits.on(deleted));
            try (InProcessExecutor executor =
                            InProcessExecutor.of(Fixture.training(model).build());
                    TrainingRun run = executor.submit(Fixture.job(2, 3))) {
                run.delete("worker-0");
                deleted.countDown();
                run.await(Fixture.LIMIT);

                assertThat(run.result().orElseThrow().exactlyOnce()).isTrue();
            }
        }
    }

    @Test
    void workers_scale_out_and_in_while_it_trains() throws Exception {
        SteppedModel model = new SteppedModel(Fixture.FEATURES);
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        model.before(step -> {
            if (step == 30) {
                reached.countDown();
            }
            if (step >= 30) {
                Waits.on(goOn);
            }
        });
        try (InProcessExecutor executor =
                        InProcessExecutor.of(Fixture.training(model).build());
                TrainingRun run = executor.submit(Fixture.job(2, 2))) {
            Waits.on(reached);
            CountDownLatch sixth = Waits.event(run, JobEvent.Type.REPLICA_RUNNING, "elasticdl-unit-worker-5");
            run.scale("worker", 6);
            Waits.on(sixth);
            CountDownLatch in = Waits.event(run, JobEvent.Type.REPLICA_DELETED, "elasticdl-unit-worker-1");
            run.scale("worker", 1);
            Waits.on(in);
            goOn.countDown();
            run.await(Fixture.LIMIT);

            TrainingResult result = run.result().orElseThrow();
            assertThat(result.exactlyOnce()).as(result.proof()).isTrue();
        }
    }

    @Test
    void nothing_is_left_running_after_close() throws Exception {
        SteppedModel model = new SteppedModel(Fixture.FEATURES);
        CountDownLatch reached = new CountDownLatch(1);
        model.before(step -> reached.countDown());
        try (InProcessExecutor executor = InProcessExecutor.of(
                        Fixture.training(model).epochs(5000).build());
                TrainingRun run = executor.submit(Fixture.job(2, 3))) {
            Waits.on(reached);
            run.close();
        }

        ConcurrentLinkedQueue<String> left = new ConcurrentLinkedQueue<>();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().contains("edl-unit") || thread.getName().contains("elasticdl-unit")) {
                thread.join(TimeUnit.SECONDS.toMillis(10));
                if (thread.isAlive()) {
                    left.add(thread.getName());
                }
            }
        }
        assertThat(left).isEmpty();
    }

    @Test
    void an_export_to_a_directory_is_refused_before_anything_runs(@TempDir Path folder) throws IOException {
        Path directory = Files.createDirectory(folder.resolve("model.npz"));
        Training training = Fixture.training(new LogisticModel(Fixture.FEATURES))
                .export(directory)
                .build();
        try (InProcessExecutor executor = InProcessExecutor.of(training)) {
            assertThatThrownBy(() -> executor.submit(Fixture.job(1, 1)))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessage("job \"unit\": FileAlreadyExistsException: " + directory
                            + ": is a directory; export needs a file");
        }
    }

    @Test
    void a_second_job_of_the_name_is_refused_while_the_first_runs() throws Exception {
        SteppedModel model = new SteppedModel(Fixture.FEATURES);
        try (InProcessExecutor executor = InProcessExecutor.of(
                        Fixture.training(model).epochs(5000).build());
                TrainingRun run = executor.submit(Fixture.job(1, 1))) {
            assertThatThrownBy(() -> executor.submit(Fixture.job(2, 2)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("job \"unit\" is running here already; cancel it, or give the new one another name");
            run.cancel();
            assertThat(run.await(Fixture.LIMIT).phase()).isEqualTo(JobPhase.CANCELLED);
        }
    }

    @Test
    void a_job_of_another_framework_is_refused() {
        Job job = Job.builder().name("tf").tensorflow().chief().ps(1).workers(1).build();
        try (InProcessExecutor executor = InProcessExecutor.of(
                Fixture.training(new LogisticModel(Fixture.FEATURES)).build())) {
            assertThatThrownBy(() -> executor.submit(job))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "job \"tf\" cannot run in this JVM: its framework is tensorflow, but only elasticdl jobs"
                                    + " train in this JVM; use .elasticdl(); it has no master; add .master()");
        }
    }
}
