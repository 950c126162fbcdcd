package dev.edl.runtime.inprocess;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.exec.JobStatus;
import dev.edl.runtime.Training;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.group.LocalShards;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A job whose parameter server is absent for longer than its workers wait. */
class TryAgainTest {
    @Test
    void workers_exit_with_75_until_the_server_is_back_without_failures() throws Exception {
        SteppedModel model = new SteppedModel(Fixture.FEATURES);
        Training training = Fixture.training(model)
                .absenceTimeout(Duration.ofMillis(150))
                .maxTaskFailures(1)
                .build();
        Job job =
                Job.builder().name("unit").elasticdl().master().ps(2).workers(2).build();
        AtomicBoolean away = new AtomicBoolean();
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(job)) {
            CountDownLatch first = Waits.event(run, JobEvent.Type.RELAUNCHED, "elasticdl-unit-worker-0");
            CountDownLatch second = Waits.event(run, JobEvent.Type.RELAUNCHED, "elasticdl-unit-worker-1");
            model.before(step -> {
                if (step >= 40 && !away.getAndSet(true)) {
                    ((LocalShards) run.services().shards()).detach(1);
                }
            });
            Waits.on(first);
            Waits.on(second);
            ((LocalShards) run.services().shards())
                    .attach(1, run.services().store().newShard(1), null, ShardLife.UNORDERED.next());
            JobStatus end = run.await(Fixture.LIMIT);

            assertThat(end.phase()).as(end.message()).isEqualTo(JobPhase.SUCCEEDED);
            assertThat(run.result().orElseThrow().exactlyOnce()).isTrue();
            assertThat(run.events())
                    .filteredOn(event -> event.replica()
                            .filter("elasticdl-unit-worker-0"::equals)
                            .isPresent())
                    .extracting(JobEvent::message)
                    .anyMatch(text -> text.startsWith("worker elasticdl-unit-worker-0 requested a retry (exit code 75);"
                            + " elasticdl-unit-worker-"));
        }
    }
}
