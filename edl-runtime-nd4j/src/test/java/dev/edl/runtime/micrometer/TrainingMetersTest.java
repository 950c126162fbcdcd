package dev.edl.runtime.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.runtime.Progress;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.TrainingResult;
import dev.edl.runtime.inprocess.Fixture;
import dev.edl.runtime.inprocess.InProcessExecutor;
import dev.edl.runtime.inprocess.LogisticModel;
import dev.edl.runtime.inprocess.TrainingRun;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class TrainingMetersTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private double gauge(String name, String... tags) {
        return registry.get("edl.training." + name).tags(tags).gauge().value();
    }

    private double counter(String name) {
        return registry.get("edl.training." + name).counter().count();
    }

    @Test
    void events_become_values() {
        TrainingMeters meters = TrainingMeters.of(registry, Tags.of("job", "mnist"));
        assertThat(gauge("loss", "job", "mnist")).isNaN();

        meters.accept(new TrainingEvent.Progressed(
                new Progress(2, 5, 7, 10, 700, 1000, 44, 0.25, 350.5, Duration.ofMillis(2500))));
        meters.accept(new TrainingEvent.Evaluation(40, Map.of("accuracy", 0.5, "loss", 0.75)));
        meters.accept(new TrainingEvent.Evaluation(44, Map.of("accuracy", 0.875, "loss", 0.5)));
        meters.accept(new TrainingEvent.TasksRecovered("worker-1", 2));
        meters.accept(new TrainingEvent.TasksRecovered("worker-0", 1));
        meters.accept(new TrainingEvent.CheckpointWritten(40, Path.of("version-40")));
        meters.accept(new TrainingEvent.BegunAnew());
        meters.accept(new TrainingEvent.ReplicaAbsent("ps-0", Duration.ofSeconds(10), "2 workers wait for it", false));
        meters.accept(new TrainingEvent.ReplicaAbsent("ps-0", Duration.ofSeconds(20), "2 workers wait for it", true));
        meters.accept(new TrainingEvent.ReplicaAbsent("ps-1", Duration.ofSeconds(10), "2 workers wait for it", false));
        meters.accept(new TrainingEvent.ReplicaReturned("ps-0", Duration.ofSeconds(25)));

        assertThat(gauge("records")).isEqualTo(700);
        assertThat(gauge("records.total")).isEqualTo(1000);
        assertThat(gauge("throughput")).isEqualTo(350.5);
        assertThat(gauge("version")).isEqualTo(44);
        assertThat(gauge("epoch")).isEqualTo(2);
        assertThat(gauge("loss")).isEqualTo(0.25);
        assertThat(gauge("elapsed")).isEqualTo(2.5);
        assertThat(gauge("evaluation", "metric", "accuracy")).isEqualTo(0.875);
        assertThat(gauge("evaluation", "metric", "loss")).isEqualTo(0.5);
        assertThat(gauge("replicas.absent")).isEqualTo(1);
        assertThat(counter("tasks.recovered")).isEqualTo(3);
        assertThat(counter("checkpoints")).isEqualTo(1);
        assertThat(counter("restarts")).isEqualTo(1);
    }

    @Test
    void closed_meters_leave_the_registry_and_those_of_other_runs_stay() {
        TrainingMeters first = TrainingMeters.of(registry, Tags.of("job", "first"));
        TrainingMeters second = TrainingMeters.of(registry, Tags.of("job", "second"));
        first.accept(new TrainingEvent.Evaluation(1, Map.of("accuracy", 0.5)));
        int each = registry.getMeters().size() / 2;

        first.close();

        assertThat(registry.getMeters()).hasSize(each);
        assertThat(registry.find("edl.training.loss").tag("job", "first").gauge())
                .isNull();
        second.close();
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void a_training_fills_them() throws Exception {
        Job job =
                Job.builder().name("unit").elasticdl().master().ps(1).workers(1).build();
        try (TrainingMeters meters = TrainingMeters.of(registry, Tags.empty());
                InProcessExecutor executor = InProcessExecutor.of(
                        Fixture.training(new LogisticModel(Fixture.FEATURES)).build());
                TrainingRun run = executor.submit(job)) {
            run.onTraining(meters);
            TrainingResult result = run.awaitResult(Duration.ofSeconds(50));

            assertThat(gauge("records")).isEqualTo((double) result.records());
            assertThat(gauge("version")).isEqualTo((double) result.steps());
            assertThat(gauge("evaluation", "metric", "accuracy"))
                    .isEqualTo(result.metrics().get("accuracy"));
        }
    }
}
