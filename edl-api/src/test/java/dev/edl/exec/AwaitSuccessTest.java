package dev.edl.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.edl.plan.SeedJob;
import dev.edl.status.JobPhase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AwaitSuccessTest {
    private static final String MASTER = "elasticdl-test-mnist-master";

    private final SimPlace place = new SimPlace();
    private final ControlLoop job = ControlLoop.of(SeedJob.plan(), place)
            .clock(() -> Instant.parse("2026-01-01T00:00:00Z"))
            .manual();

    private void running() {
        job.step();
        place.startAll();
        job.step();
    }

    @Test
    void a_job_that_succeeds_returns_its_final_status() throws InterruptedException {
        running();
        place.exit(MASTER, 0, "");
        job.step();

        assertThat(job.awaitSuccess(Duration.ZERO)).isEqualTo(job.status());
        assertThat(job.status().phase()).isEqualTo(JobPhase.SUCCEEDED);
    }

    @Test
    void a_job_that_fails_throws_its_reason_and_its_final_status() {
        running();
        place.exit(MASTER, 10, "");
        job.step();
        place.sweep();
        running();
        place.exit(MASTER, 10, "");
        job.step();

        JobFailedException failure =
                catchThrowableOfType(JobFailedException.class, () -> job.awaitSuccess(Duration.ZERO));

        assertThat(failure)
                .hasMessage("job \"test-mnist\" failed: " + MASTER + ": exit code 10, and is not relaunched");
        assertThat(failure.status()).isEqualTo(job.status());
    }

    @Test
    void a_cancelled_job_throws_that_it_was_cancelled() {
        running();
        job.cancel();
        job.step();

        assertThatThrownBy(() -> job.awaitSuccess(Duration.ZERO))
                .isInstanceOf(JobFailedException.class)
                .hasMessageStartingWith("job \"test-mnist\" was cancelled");
    }

    @Test
    void a_job_that_continues_throws_a_timeout_with_the_status_so_far() {
        running();

        AwaitTimeoutException timeout =
                catchThrowableOfType(AwaitTimeoutException.class, () -> job.awaitSuccess(Duration.ZERO));

        assertThat(timeout.status()).isEqualTo(job.status());
        assertThat(timeout.status().phase()).isEqualTo(JobPhase.RUNNING);
    }

    @Test
    void the_exception_rejects_a_job_that_has_not_failed() {
        JobStatus running = new JobStatus(
                "j",
                JobPhase.RUNNING,
                "",
                Optional.empty(),
                Optional.empty(),
                List.of(),
                List.of(),
                List.of(),
                Duration.ZERO);

        assertThatThrownBy(() -> new JobFailedException(running))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("status.phase must be FAILED or CANCELLED, was RUNNING");
    }
}
