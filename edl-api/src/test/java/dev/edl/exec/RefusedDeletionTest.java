package dev.edl.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.plan.JobPlan;
import dev.edl.spec.Backoff;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** A deletion that the caller requested and the substrate refuses. */
class RefusedDeletionTest {
    private final SimPlace place = new SimPlace();
    private final JobPlan plan = Job.named("large")
            .image("i")
            .master()
            .workers(4, workers -> workers.elastic(1, 300))
            .build()
            .plan();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final ControlLoop job = ControlLoop.of(plan, place)
            .clock(() -> now)
            .retry(RetryPolicy.of(Backoff.doubling(Duration.ofSeconds(1), Duration.ofSeconds(30))))
            .manual();

    private void refused(String replica) {
        job.step();
        place.startAll();
        job.step();
        place.refusing = ("elasticdl-large-" + replica)::equals;
        job.delete(replica);
        job.step();
    }

    @Test
    void many_replicas_are_created_meanwhile() {
        refused("worker-3");
        job.scale("worker", 104);
        job.step();

        assertThat(place.objects).hasSize(105);
        assertThat(job.status().requestFailures())
                .singleElement()
                .satisfies(failure -> assertThat(failure.request()).isEqualTo(RequestFailure.Request.DELETE));
    }

    @Test
    void a_repeated_deletion_is_made_once_it_is_accepted() {
        refused("worker-3");
        job.delete("worker-3");
        job.step();
        place.refusing = replica -> false;
        place.applied.clear();
        now = now.plusSeconds(30);
        job.step();

        assertThat(place.applied).containsOnlyOnce("delete worker-3: requested");
        assertThat(job.status().requestFailures()).isEmpty();
    }
}
