package dev.edl.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.exec.internal.LoopState;
import dev.edl.exec.internal.PassThrottle;
import dev.edl.plan.JobPlan;
import dev.edl.reconcile.JobState;
import dev.edl.status.JobPhase;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PassThrottleTest {
    private final PassThrottle throttle = new PassThrottle();

    @Test
    void looks_take_a_fifth_of_the_time_at_most() {
        throttle.recordPass(PassThrottle.LARGE, Duration.ofMillis(5));

        assertThat(throttle.pause()).isEqualTo(Duration.ofMillis(20));
    }

    @Test
    void the_pause_after_a_slow_pass_is_at_most_100_ms() {
        throttle.recordPass(PassThrottle.LARGE, Duration.ofSeconds(3));

        assertThat(throttle.pause()).isEqualTo(Duration.ofMillis(100));
    }

    @Test
    void a_job_of_fewer_replicas_is_looked_at_when_it_changes() {
        throttle.recordPass(PassThrottle.LARGE, Duration.ofMillis(5));
        throttle.recordPass(PassThrottle.LARGE - 1, Duration.ofSeconds(3));

        assertThat(throttle.pause()).isZero();
    }

    @Test
    void only_the_loop_of_a_large_job_pauses() {
        ControlLoop large = job(PassThrottle.LARGE);
        ControlLoop small = job(10);
        for (int i = 0; i < 2; i++) {
            large.step();
            small.step();
        }

        assertThat(large.rest()).isPositive();
        assertThat(small.rest()).isZero();
    }

    @Test
    void a_request_ends_the_rest() throws InterruptedException {
        LoopState state = new LoopState(JobState.initial(plan(1)));
        state.request(before -> before);

        // Would outlast the test.
        state.rest(Duration.ofHours(1));
    }

    @Test
    void a_large_job_runs_to_its_end() throws InterruptedException {
        SimPlace place = new SimPlace();
        try (ControlLoop job = ControlLoop.of(plan(PassThrottle.LARGE), place).start()) {
            job.cancel();
            assertThat(job.await(Duration.ofSeconds(50)).phase()).isEqualTo(JobPhase.CANCELLED);
        }
    }

    @Test
    void the_thread_of_a_busy_large_job_pauses_between_passes() {
        SimPlace place = new SimPlace();
        try (ControlLoop job = ControlLoop.of(plan(PassThrottle.LARGE), place).start()) {
            Thread loop = Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().equals("edl-large"))
                    .findFirst()
                    .orElseThrow();
            boolean rested = false;
            // If no pass pauses, the time limit of the test interrupts.
            while (!rested && !Thread.interrupted()) {
                place.change();
                rested = rests(loop);
            }
            assertThat(rested).isTrue();
            assertThat(job.status().phase().ended()).isFalse();
        }
    }

    private static boolean rests(Thread loop) {
        return Stream.of(loop.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals(LoopState.class.getName())
                        && frame.getMethodName().equals("rest"));
    }

    private static ControlLoop job(int workers) {
        Instant now = Instant.parse("2026-01-01T00:00:00Z");
        return ControlLoop.of(plan(workers), new SimPlace()).clock(() -> now).manual();
    }

    private static JobPlan plan(int workers) {
        return Job.named("large").image("i").master().workers(workers).build().plan();
    }
}
