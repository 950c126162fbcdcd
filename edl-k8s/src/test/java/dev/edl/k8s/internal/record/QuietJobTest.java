package dev.edl.k8s.internal.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.exec.ControlLoop;
import dev.edl.exec.ControlLoopBuilder;
import dev.edl.exec.RequestFailure;
import dev.edl.k8s.internal.pods.PodSubstrate;
import dev.edl.k8s.render.PodTemplates;
import dev.edl.k8s.spi.PaperApi;
import dev.edl.plan.JobPlan;
import dev.edl.reconcile.JobState;
import dev.edl.status.JobPhase;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How the driver of a quiet job detects the state of its API server. Time passes only when a test advances it. */
class QuietJobTest {
    private static final JobPlan PLAN = Job.named("mnist")
            .namespace("test")
            .image("mnist:1")
            .tensorflow()
            .workers(2)
            .build()
            .plan();

    private final PaperApi api = new PaperApi();
    private final JobRecord record = JobRecord.create(api, PLAN, JobState.initial(PLAN), "first", Optional.empty())
            .clock(() -> api.now);
    private final PodSubstrate pods =
            new PodSubstrate(api, PLAN, PodTemplates.of(PLAN), record, Optional.empty(), Runnable::run);

    @AfterEach
    void close() {
        pods.close();
    }

    private ControlLoop running(UnaryOperator<ControlLoopBuilder> options) {
        ControlLoop job = options.apply(
                        ControlLoop.of(PLAN, pods).clock(() -> api.now).journal(record::save, Duration.ofSeconds(5)))
                .manual();
        job.step();
        pods.resync();
        job.step();
        assertThat(job.status().phase()).isEqualTo(JobPhase.RUNNING);
        return job;
    }

    /** Resyncs once a minute, as the informer does. */
    private void minutes(ControlLoop job, int minutes) {
        for (int i = 0; i < minutes; i++) {
            api.now = api.now.plus(Duration.ofMinutes(1));
            pods.resync();
            job.step();
        }
    }

    @Test
    void one_request_a_minute_shows_that_the_server_answers() {
        try (ControlLoop job = running(loop -> loop)) {
            long before = api.count("get record");

            minutes(job, 10);

            assertThat(api.count("get record") - before).isEqualTo(10);
            assertThat(job.status().observedAge()).isZero();
            assertThat(job.status().requestFailures()).isEmpty();
        }
    }

    @Test
    void an_unanswered_request_is_a_failure_and_the_view_gets_stale() {
        try (ControlLoop job = running(loop -> loop)) {
            api.away = true;

            minutes(job, 10);

            assertThat(job.status().phase()).isEqualTo(JobPhase.RUNNING);
            assertThat(job.status().observedAge()).isEqualTo(Duration.ofMinutes(10));
            assertThat(job.status().requestFailures())
                    .extracting(RequestFailure::request)
                    .containsExactly(RequestFailure.Request.OBSERVE);

            api.away = false;
            minutes(job, 2);

            assertThat(job.status().observedAge()).isZero();
            assertThat(job.status().requestFailures()).isEmpty();
            assertThat(api.count("delete")).isZero();
        }
    }

    @Test
    void the_view_gets_stale_while_the_watch_cannot_be_renewed() {
        try (ControlLoop job = running(loop -> loop)) {
            api.unwatched = Optional.of(api.now);

            minutes(job, 10);

            assertThat(job.status().observedAge()).isEqualTo(Duration.ofMinutes(10));
            assertThat(job.status().toString()).contains("last observed 10m ago");

            api.unwatched = Optional.empty();

            assertThat(job.status().observedAge()).isZero();
        }
    }

    @Test
    void an_unreachable_timeout_holds_for_a_watch_that_cannot_be_renewed() {
        try (ControlLoop job = running(loop -> loop.unreachableTimeout(Duration.ofMinutes(5)))) {
            api.unwatched = Optional.of(api.now);

            minutes(job, 4);
            assertThat(job.lost()).isFalse();
            minutes(job, 2);

            assertThat(job.lost()).isTrue();
            assertThat(api.count("delete")).isZero();
        }
    }

    @Test
    void an_unreachable_timeout_holds_for_a_quiet_job() {
        StringBuilder lost = new StringBuilder();
        try (ControlLoop job = running(loop ->
                loop.unreachableTimeout(Duration.ofMinutes(5)).onEvent(event -> lost.append(event.message())))) {
            api.away = true;

            minutes(job, 7);

            assertThat(job.lost()).isTrue();
            assertThat(lost.toString()).contains("unreachable for 5m");
            assertThat(api.count("delete")).isZero();
        }
    }

    @Test
    void a_driver_learns_within_a_minute_that_it_was_replaced() {
        try (ControlLoop job = running(loop -> loop)) {
            assertThat(JobRecord.takeOver(api, "mnist", "second", found -> {})).isPresent();

            minutes(job, 1);

            assertThat(job.lost()).isTrue();
        }
    }
}
