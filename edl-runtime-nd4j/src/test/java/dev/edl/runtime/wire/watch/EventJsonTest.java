package dev.edl.runtime.wire.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.Progress;
import dev.edl.runtime.ResumedProgress;
import dev.edl.runtime.TrainingEvent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EventJsonTest {
    private static final List<TrainingEvent> EVENTS = List.of(
            new TrainingEvent.Loss("worker-3", 100, 0.1f),
            new TrainingEvent.Loss("worker-3", 100, Float.NaN),
            new TrainingEvent.Evaluation(40, Map.of("accuracy", 0.1, "loss", Double.NaN)),
            new TrainingEvent.Progressed(
                    new Progress(1, 3, 31, 360, 480, 1437, 120, Double.NaN, 48120.5, Duration.ofMillis(1500))),
            new TrainingEvent.EpochStarted(2, 45),
            new TrainingEvent.Resumed(
                    new ResumedProgress(Path.of("checkpoints", "version-120"), 120, 480, Duration.ofSeconds(12))),
            new TrainingEvent.Stopped(152, "loss has not improved"),
            new TrainingEvent.CheckpointWritten(500, Path.of("checkpoints", "version-500")),
            new TrainingEvent.Exported(Path.of("model.npz")),
            new TrainingEvent.EvaluationLost(40),
            new TrainingEvent.BestVersionLost(40),
            new TrainingEvent.CallbackCutOff("EarlyStop", "evaluation 40"),
            new TrainingEvent.BegunAnew(),
            new TrainingEvent.TasksRecovered("worker-3", 2),
            new TrainingEvent.ReplicaAbsent("ps-0", Duration.ofSeconds(20), "3 workers wait for it", true),
            new TrainingEvent.ReplicaReturned("ps-0", Duration.ofSeconds(35)));

    @Test
    void each_event_is_read_as_it_was_written() {
        for (TrainingEvent event : EVENTS) {
            String line = EventJson.write(event).orElseThrow();

            assertThat(line).doesNotContain("\n");
            assertThat(EventJson.read(line)).contains(event);
        }
    }

    @Test
    void every_kind_of_event_of_a_training_is_among_them() {
        assertThat(EVENTS.stream().map(Object::getClass).distinct())
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(TrainingEvent.class.getPermittedSubclasses())
                        .filter(kind -> kind != TrainingEvent.Predicted.class)
                        .toList());
    }

    @Test
    void an_event_of_a_later_version_is_read_as_none() {
        assertThat(EventJson.read("{\"kind\":\"Renumbered\",\"from\":3}")).isEmpty();
    }

    @Test
    void a_property_of_a_later_version_is_left_out() {
        assertThat(EventJson.read("{\"kind\":\"EvaluationLost\",\"step\":3,\"why\":\"a server left\"}"))
                .contains(new TrainingEvent.EvaluationLost(3));
    }

    @Test
    void a_line_of_something_else_is_refused() {
        assertThatThrownBy(() -> EventJson.read("Loss = 0.5"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no event of a training: Loss = 0.5");
        assertThatThrownBy(() -> EventJson.read("{\"kind\":\"Stopped\",\"steps\":3}"))
                .hasMessage(
                        "an event of a training must have the text \"reason\", was {\"kind\":\"Stopped\",\"steps\":3}");
    }
}
