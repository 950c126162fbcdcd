package {{package}};

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.TrainingResult;
import dev.edl.runtime.inprocess.InProcessExecutor;
import dev.edl.runtime.inprocess.TrainingRun;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PointsTrainingTest {
    @Test
    void it_learns_the_circle_in_this_jvm() throws Exception {
        try (InProcessExecutor executor = InProcessExecutor.of(PointsTraining.training());
                TrainingRun run = executor.submit(PointsJob.here())) {
            TrainingResult result = run.awaitResult(Duration.ofMinutes(5));

            assertThat(result.metrics().get("accuracy")).isGreaterThan(0.9);
            assertThat(result.exactlyOnce()).isTrue();
        }
    }
}
