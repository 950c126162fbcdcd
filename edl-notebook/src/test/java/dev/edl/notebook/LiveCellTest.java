package dev.edl.notebook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.exec.AwaitTimeoutException;
import dev.edl.runtime.CurvePoint;
import dev.edl.runtime.TrainingEvent;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class LiveCellTest {
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final Scenario NOTHING = live -> {};

    private final ScriptedRun run = new ScriptedRun();
    private final List<String> pages = new ArrayList<>();
    private final List<String> lines = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    private LiveCell cell() {
        LiveDisplay display = (html, text) -> {
            pages.add(html);
            lines.add(text);
            threads.add(Thread.currentThread());
        };
        return new LiveCell(run, run::onTraining, display, () -> run.nanos);
    }

    private void watch(Scenario scenario) throws InterruptedException {
        cell().watch(LIMIT, scenario, () -> {});
    }

    private String last() {
        return pages.get(pages.size() - 1);
    }

    @Test
    void a_cell_shows_progress_loss_curve_workers_and_events() throws InterruptedException {
        run.then(() -> run.progress(100, 0.9))
                .then(() -> run.progress(300, 0.6))
                .then(() -> run.workers(1, JobEvent.Type.REPLICA_FAILED, "exit code 137"))
                .then(() -> {
                    run.tell(new TrainingEvent.TasksRecovered("worker-1", 2));
                    run.tell(new TrainingEvent.Evaluation(100, Map.of("loss", 0.5)));
                    run.progress(500, 0.4);
                })
                .then(() -> run.progress(1000, 0.2));
        watch(NOTHING);

        Pages.check("live", pages.get(pages.size() - 2));
        assertThat(last()).contains("Job mnist SUCCEEDED", "<progress value=\"1000\" max=\"1000\">");
        assertThat(lines.get(lines.size() - 2)).startsWith("Job mnist RUNNING: task 100/100, epoch 1/1");
    }

    @Test
    void it_waits_for_a_first_task() throws InterruptedException {
        watch(NOTHING);

        assertThat(pages.get(0)).contains("waits for its first task").doesNotContain("<img", "<progress");
    }

    @Test
    void it_updates_at_most_four_times_a_second() throws InterruptedException {
        // As a replay of what was missed.
        run.then(() -> {
            for (int record = 1; record <= 1000; record++) {
                run.progress(record, 0.5);
            }
        });
        watch(NOTHING);

        assertThat(run.nanos).isEqualTo(Duration.ofMillis(250).toNanos());
        assertThat(pages).hasSize(3);
    }

    @Test
    void it_shows_nothing_again_when_nothing_is_new() throws InterruptedException {
        run.then(() -> run.progress(100, 0.9));
        for (int i = 0; i < 20; i++) {
            run.then(() -> {});
        }
        watch(NOTHING);

        assertThat(pages).hasSize(3);
    }

    @Test
    void an_interrupt_cancels_the_run_and_shows_it() {
        run.then(() -> run.progress(100, 0.9))
                .then(() -> Thread.currentThread().interrupt())
                .then(() -> {});

        assertThatThrownBy(() -> watch(NOTHING)).isInstanceOf(InterruptedException.class);

        assertThat(run.status().phase()).isEqualTo(JobPhase.CANCELLED);
        assertThat(last()).contains("Job mnist CANCELLED", "Interrupted: the job is cancelled.");
        assertThat(run.listeners()).isZero();
    }

    @Test
    void a_run_slower_than_the_limit_continues() {
        for (int i = 0; i < 10; i++) {
            run.then(() -> {});
        }

        assertThatThrownBy(() -> cell().watch(Duration.ofSeconds(1), NOTHING, () -> {}))
                .isInstanceOf(AwaitTimeoutException.class)
                .hasMessageContaining("1s");

        assertThat(run.status().phase()).isEqualTo(JobPhase.RUNNING);
        assertThat(run.listeners()).isZero();
    }

    @Test
    void a_scenario_is_played_at_its_share_and_shown_by_the_cell() throws InterruptedException {
        CountDownLatch scaled = new CountDownLatch(1);
        run.then(() -> run.progress(290, 0.9))
                .then(() -> run.progress(300, 0.8))
                .then(() -> awaitQuietly(scaled));
        watch(live -> {
            live.awaitShare(0.3);
            assertThat(live.progress().orElseThrow().recordsDone()).isEqualTo(300);
            run.scale("worker", 4);
            scaled.countDown();
        });

        assertThat(last()).contains("SCALED", "worker to 4");
        assertThat(threads).containsOnly(Thread.currentThread());
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void a_failed_scenario_is_reported_when_the_job_has_ended() {
        run.then(() -> run.progress(100, 0.9));

        assertThatThrownBy(() -> watch(live -> {
                    throw new IllegalArgumentException("no replica worker-9");
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("The scenario failed: java.lang.IllegalArgumentException: no replica worker-9");

        assertThat(last()).contains("SUCCEEDED", "no replica worker-9");
    }

    @Test
    void a_scenario_whose_share_is_not_reached_is_reported() {
        run.then(() -> run.progress(100, 0.9));

        assertThatThrownBy(() -> watch(live -> live.awaitShare(0.5)))
                .hasMessageContaining("the job has ended after 100 of 1000 records, before the share of 0.5");
    }

    @Test
    void a_share_is_a_number_from_0_to_1() {
        assertThatThrownBy(() -> new LiveTraining().awaitShare(30))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("share must be a number from 0 to 1, was 30.0; for example awaitShare(0.3)");
    }

    @Test
    void a_failed_job_shows_its_reason_without_waiting_for_more_output() throws InterruptedException {
        run.then(() -> run.end(JobPhase.FAILED));
        cell().watch(LIMIT, NOTHING, () -> {
            throw new IllegalStateException("nothing is left to tell");
        });

        assertThat(last()).contains("Job mnist FAILED");
    }

    @Test
    void events_after_the_end_are_shown() throws InterruptedException {
        cell().watch(LIMIT, NOTHING, () -> {
            run.progress(1000, 0.1);
            run.tell(new TrainingEvent.Exported(Path.of("<model>.npz")));
        });

        assertThat(last()).contains("value=\"1000\"", "&lt;model&gt;.npz").doesNotContain("<model>");
    }

    @Test
    void a_long_curve_is_thinned_and_keeps_its_ends_and_evaluations() {
        LiveTraining live = new LiveTraining();
        live.heard(ScriptedRun.progressed(1, 0.5));
        live.heard(new TrainingEvent.Evaluation(0, Map.of("loss", 0.4)));
        for (int record = 2; record <= 100_000; record++) {
            live.heard(ScriptedRun.progressed(record, 0.5));
        }

        assertThat(live.curve()).hasSizeLessThanOrEqualTo(LiveTraining.MOST_POINTS);
        assertThat(live.curve().get(0).records()).isEqualTo(1);
        assertThat(live.curve().get(live.curve().size() - 1).records()).isEqualTo(100_000);
        assertThat(live.curve()).anySatisfy(point -> assertThat(point.metrics()).containsKey("loss"));
    }

    @Test
    void an_evaluation_is_drawn_at_its_own_step() {
        LiveTraining live = new LiveTraining();
        live.heard(ScriptedRun.progressed(100, 0.9));
        long evaluated = live.curve().get(0).step();
        live.heard(ScriptedRun.progressed(300, 0.6));
        live.heard(new TrainingEvent.Evaluation(evaluated, Map.of("loss", 0.8)));

        assertThat(live.curve()).extracting(CurvePoint::loss).containsExactly(0.9, 0.9, 0.6);
        assertThat(live.curve().get(1).metrics()).containsEntry("loss", 0.8);
    }
}
