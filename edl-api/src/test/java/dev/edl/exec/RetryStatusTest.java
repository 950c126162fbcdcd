package dev.edl.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.plan.SeedJob;
import dev.edl.reconcile.BothWays;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Status of replicas that requested a retry. */
class RetryStatusTest {
    private static final String WORKER_0 = "elasticdl-test-mnist-worker-0";
    private static final String WORKER_4 = "elasticdl-test-mnist-worker-4";

    private final SimPlace place = new SimPlace();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final ControlLoop job = ControlLoop.of(SeedJob.plan(), place)
            .reconciler(new BothWays())
            .clock(() -> now)
            .manual();

    private void passes(Duration time) {
        now = now.plus(time);
        job.step();
        place.sweep();
        place.startAll();
        job.step();
    }

    @Test
    void a_replica_in_backoff_is_pending_with_its_reason() {
        passes(Duration.ZERO);
        place.exit(WORKER_0, 75, "");
        job.step();

        assertThat(job.whyPending("worker-4"))
                .hasValue("waits 1s more before its relaunch, as its predecessor requested a retry");
        assertThat(job.status().roles().get(2)).hasToString("worker 3/4 running, 1 pending");

        passes(Duration.ofSeconds(1));
        assertThat(job.whyPending("worker-4")).isEmpty();
        place.exit(WORKER_4, 75, "");
        job.step();
        assertThat(job.whyPending("worker-5"))
                .hasValue("waits 2s more before its relaunch, as its predecessor requested a retry,"
                        + " 2 times in a row");
    }
}
