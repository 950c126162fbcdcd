package dev.edl.runtime.inprocess;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.exec.JobStatus;
import dev.edl.runtime.Evaluation;
import dev.edl.runtime.EvaluationResult;
import dev.edl.runtime.InvalidTrainingException;
import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingBuilder;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.TrainingResult;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.spec.SuccessPolicy;
import dev.edl.status.JobPhase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs that the caller uses in unusual ways, or whose model fails. */
class UnkindMomentsTest {
    @TempDir
    Path folder;

    @Test
    void a_job_may_wait_for_all_its_workers() throws Exception {
        Job job = Job.builder()
                .name("unit")
                .elasticdl()
                .success(SuccessPolicy.ALL_WORKERS)
                .master()
                .ps(2)
                .workers(3)
                .build();
        Training training =
                Fixture.training(new LogisticModel(Fixture.FEATURES)).build();
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(job)) {
            JobStatus end = run.await(Fixture.LIMIT);

            assertThat(end.phase()).as(end.message()).isEqualTo(JobPhase.SUCCEEDED);
            assertThat(run.result().orElseThrow().exactlyOnce()).isTrue();
        }
    }

    @Test
    void a_hanging_worker_does_not_block_a_round_forever() throws Exception {
        SteppedModel model = new SteppedModel(Fixture.FEATURES);
        CountDownLatch end = new CountDownLatch(1);
        AtomicBoolean first = new AtomicBoolean(true);
        model.before(step -> {
            if (first.getAndSet(false)) {
                Waits.on(end);
            }
        });
        Training training = Fixture.training(model)
                .consistency(Consistency.synchronous())
                .taskTimeout(Duration.ofMillis(400))
                .build();
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(Fixture.job(2, 3))) {
            JobStatus status = run.await(Fixture.LIMIT);
            end.countDown();

            assertThat(status.phase()).as(status.message()).isEqualTo(JobPhase.SUCCEEDED);
            assertThat(run.result().orElseThrow().exactlyOnce()).isTrue();
        }
    }

    @Test
    void rounds_continue_without_a_hanging_worker_which_rejoins_later() throws Exception {
        SteppedModel model = new SteppedModel(Fixture.FEATURES);
        CountDownLatch othersWentOn = new CountDownLatch(100);
        AtomicReference<Thread> hanging = new AtomicReference<>();
        AtomicInteger later = new AtomicInteger();
        model.before(step -> {
            if (hanging.compareAndSet(null, Thread.currentThread())) {
                Waits.on(othersWentOn);
            } else if (hanging.get() == Thread.currentThread()) {
                later.incrementAndGet();
            } else {
                othersWentOn.countDown();
            }
        });
        Training training = Fixture.training(model)
                .consistency(Consistency.synchronous())
                .roundTimeout(Duration.ofMillis(200))
                .build();
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(Fixture.job(2, 3))) {
            JobStatus end = run.await(Fixture.LIMIT);

            assertThat(end.phase()).as(end.message()).isEqualTo(JobPhase.SUCCEEDED);
            assertThat(run.result().orElseThrow().exactlyOnce()).isTrue();
            assertThat(later.get()).isPositive();
            // Its lease is still its own: none was taken back.
            assertThat(run.result().orElseThrow().ledgerProof().recovered()).isZero();
        }
    }

    @Test
    void an_interrupted_worker_harms_no_other_worker() throws Exception {
        SteppedModel model = new SteppedModel(Fixture.FEATURES);
        model.before(step -> {
            if (step == 30) {
                Thread.currentThread().interrupt();
            }
        });
        try (InProcessExecutor executor =
                        InProcessExecutor.of(Fixture.training(model).build());
                TrainingRun run = executor.submit(Fixture.job(2, 3))) {
            JobStatus end = run.await(Fixture.LIMIT);

            assertThat(end.phase()).as(end.message()).isEqualTo(JobPhase.SUCCEEDED);
            assertThat(run.result().orElseThrow().exactlyOnce()).isTrue();
        }
    }

    @Test
    void an_interrupted_caller_cancels_with_a_whole_checkpoint() throws Exception {
        SteppedModel model = new SteppedModel(Fixture.FEATURES);
        CountDownLatch reached = new CountDownLatch(1);
        model.before(step -> {
            if (step == 20) {
                reached.countDown();
            }
        });
        Training training =
                Fixture.training(model).epochs(5000).checkpointDirectory(folder).build();
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(Fixture.job(2, 2))) {
            Waits.on(reached);
            Thread.currentThread().interrupt();
            run.cancel();

            assertThat(Thread.interrupted()).isTrue();
            assertThat(run.await(Fixture.LIMIT).phase()).isEqualTo(JobPhase.CANCELLED);
        }
        assertThat(folder.toFile().list())
                .anyMatch(n -> n.startsWith("version-"))
                .noneMatch(n -> n.startsWith("."));
    }

    @Test
    void a_throwing_listener_does_not_fail_the_run_and_is_removed() throws Exception {
        SteppedModel model = new SteppedModel(Fixture.FEATURES);
        CountDownLatch listening = new CountDownLatch(1);
        model.before(step -> Waits.on(listening));
        CountDownLatch heard = new CountDownLatch(3);
        AtomicInteger calls = new AtomicInteger();
        try (InProcessExecutor executor =
                        InProcessExecutor.of(Fixture.training(model).build());
                TrainingRun run = executor.submit(Fixture.job(1, 2))) {
            run.onTraining(event -> {
                calls.incrementAndGet();
                throw new AssertionError("a listener's own mistake");
            });
            run.onTraining(event -> heard.countDown());
            listening.countDown();

            assertThat(run.await(Fixture.LIMIT).phase()).isEqualTo(JobPhase.SUCCEEDED);
            Waits.on(heard);
            assertThat(calls).hasValue(1);
        }
    }

    @Test
    void a_closed_run_frees_its_name_and_a_closed_executor_rejects_jobs() throws Exception {
        Training training = Fixture.training(new LogisticModel(Fixture.FEATURES))
                .epochs(5000)
                .build();
        InProcessExecutor executor = InProcessExecutor.of(training);
        executor.submit(Fixture.job(1, 1)).close();
        executor.submit(Fixture.job(1, 1)).close();
        executor.close();

        assertThatThrownBy(() -> executor.submit(Fixture.job(1, 1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the executor is closed; job \"unit\" needs a new one");
    }

    @Test
    void two_runs_do_not_share_a_checkpoint_directory() throws Exception {
        SteppedModel model = new SteppedModel(Fixture.FEATURES);
        Training training =
                Fixture.training(model).epochs(5000).checkpointDirectory(folder).build();
        try (InProcessExecutor one = InProcessExecutor.of(training);
                InProcessExecutor two = InProcessExecutor.of(training);
                TrainingRun run = one.submit(Fixture.job(1, 1))) {
            assertThatThrownBy(() -> two.submit(Fixture.job(1, 1)))
                    .isInstanceOf(InvalidTrainingException.class)
                    .hasMessage("training: checkpointDirectory " + folder
                            + " is in use by another run; give each run its own directory");
            run.cancel();
            assertThat(run.await(Fixture.LIMIT).phase()).isEqualTo(JobPhase.CANCELLED);
        }
    }

    @Test
    void a_checkpoint_of_more_epochs_is_refused() throws Exception {
        Training five = Fixture.training(new LogisticModel(Fixture.FEATURES))
                .epochs(5)
                .checkpointDirectory(folder)
                .build();
        try (InProcessExecutor executor = InProcessExecutor.of(five);
                TrainingRun run = executor.submit(Fixture.job(1, 1))) {
            run.await(Fixture.LIMIT);
        }
        Training three = Fixture.training(new LogisticModel(Fixture.FEATURES))
                .epochs(3)
                .checkpointDirectory(folder)
                .resumeFrom(folder)
                .build();
        try (InProcessExecutor executor = InProcessExecutor.of(three)) {
            assertThatThrownBy(() -> executor.submit(Fixture.job(1, 1)))
                    .isInstanceOf(InvalidTrainingException.class)
                    .hasMessageEndingWith("belongs to another training: epochs was 5 and may only grow, is 3");
        }
    }

    @Test
    void a_finished_training_may_be_given_more_epochs() throws Exception {
        for (int epochs : new int[] {3, 5}) {
            TrainingBuilder training = Fixture.training(new LogisticModel(Fixture.FEATURES))
                    .epochs(epochs)
                    .checkpointDirectory(folder);
            if (epochs == 5) {
                training.resumeFrom(folder);
            }
            try (InProcessExecutor executor = InProcessExecutor.of(training.build());
                    TrainingRun run = executor.submit(Fixture.job(2, 2))) {
                assertThat(run.await(Fixture.LIMIT).phase()).isEqualTo(JobPhase.SUCCEEDED);
                TrainingResult result = run.result().orElseThrow();
                assertThat(result.exactlyOnce()).as(result.proof()).isTrue();
                assertThat(result.steps()).isEqualTo(epochs * 52L);
            }
        }
    }

    @Test
    void the_last_version_is_evaluated_although_lost_parameters_had_its_number() throws Exception {
        SteppedModel model = new SteppedModel(Fixture.FEATURES);
        TrainingRun[] running = new TrainingRun[1];
        CountDownLatch second = new CountDownLatch(1);
        AtomicReference<Thread> first = new AtomicReference<>();
        // By one worker 306 of 312 updates; then all is lost. Two workers make fewer, since most rounds have two
        // gradients.
        model.before(step -> {
            first.compareAndSet(null, Thread.currentThread());
            if (Thread.currentThread() != first.get()) {
                second.countDown();
            } else if (step == 306) {
                running[0].kill("ps-0");
                running[0].scale("worker", 2);
            } else if (step > 306) {
                Waits.on(second);
            }
        });
        Training training = Fixture.training(model)
                .consistency(Consistency.synchronous())
                .evaluationSteps(1)
                .build();
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(Fixture.job(1, 1))) {
            running[0] = run;
            JobStatus end = run.await(Fixture.LIMIT);

            assertThat(end.phase()).as(end.message()).isEqualTo(JobPhase.SUCCEEDED);
            TrainingResult result = run.result().orElseThrow();
            assertThat(result.exactlyOnce()).as(result.proof()).isTrue();
            assertThat(result.steps()).isLessThan(305);
            assertThat(result.metrics()).isEqualTo(measured(training, result.model()));
        }
    }

    @Test
    void the_step_follows_the_present_parameters_after_a_loss() throws Exception {
        SteppedModel model = new SteppedModel(Fixture.FEATURES);
        List<Long> steps = new ArrayList<>();
        CountDownLatch back = new CountDownLatch(1);
        Training training = Fixture.training(model)
                .onTraining(event -> {
                    if (event instanceof TrainingEvent.TasksRecovered) {
                        back.countDown();
                    }
                })
                .build();
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(Fixture.job(1, 1))) {
            model.before(step -> {
                if (step == 100) {
                    steps.add(run.progress().step());
                    run.kill("ps-0");
                    Waits.on(back);
                    steps.add(run.progress().step());
                }
            });
            JobStatus end = run.await(Fixture.LIMIT);

            assertThat(end.phase()).as(end.message()).isEqualTo(JobPhase.SUCCEEDED);
            // The shard came back with the first values, and the only worker waits.
            assertThat(steps).containsExactly(99L, 0L);
            assertThat(run.progress().step())
                    .isEqualTo(run.result().orElseThrow().steps());
        }
    }

    private static Map<String, Double> measured(Training training, TrainedModel trained) throws InterruptedException {
        Evaluation evaluation = Evaluation.builder()
                .model(training.model())
                .data(training.validation().orElseThrow())
                .from(trained)
                .minibatch(training.minibatch())
                .minibatchesPerTask(training.minibatchesPerTask())
                .build();
        try (PassExecutor<EvaluationResult> executor = InProcessExecutor.of(evaluation);
                PassRun<EvaluationResult> run = executor.submit(Fixture.job(1, 1))) {
            run.await(Fixture.LIMIT);
            return run.result().orElseThrow().metrics();
        }
    }
}
