package dev.edl.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.ps.ShardGroup;
import dev.edl.runtime.task.TaskLedger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EarlyStopTest {
    @Test
    void the_best_evaluation_is_kept_also_when_it_ends_behind_that_of_a_later_version() throws Exception {
        Training training =
                Fixture.training(new LogisticModel(Fixture.FEATURES)).build();
        try (TrainingStore store = TrainingStore.open(training, 1);
                EventHub events = new EventHub("unit", List.of())) {
            ShardGroup shards = new ShardGroup(List.of(store.newShard(0)), Duration.ofSeconds(1));
            TrainingServices services =
                    new TrainingServices("master", training, shards, store, events, null, null, () -> Instant.EPOCH);
            TaskLedger ledger = TaskLedger.start(store.ledgerSpec(), event -> {});
            TrainingMaster master = new TrainingMaster(services, ledger, new ArrayList<>());
            TrainingCallback watch =
                    EarlyStop.on("loss").patience(5).restoreBest(true).begin("");

            for (Map.Entry<Long, Double> told :
                    List.of(Map.entry(20L, 0.5), Map.entry(40L, 0.4), Map.entry(30L, 0.3), Map.entry(35L, 0.6))) {
                TrainedModel model =
                        TrainedModel.of(training.model().layout(), new float[Fixture.FEATURES + 1], told.getKey());
                watch.onEvaluation(
                        told.getKey(),
                        Map.of("loss", told.getValue()),
                        new TrainingControl(services, master, () -> model));
            }

            assertThat(services.callbacks().kept().orElseThrow().version()).isEqualTo(30);
            assertThat(services.callbacks().keptMetrics()).isEqualTo(Map.of("loss", 0.3));
            // Best value, its version, the last version, evaluations since.
            assertThat(watch.state()).isEqualTo("0.3 30 40 0");
        }
    }
}
