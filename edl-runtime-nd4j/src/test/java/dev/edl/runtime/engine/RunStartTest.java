package dev.edl.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.Training;
import dev.edl.runtime.engine.files.TrainingStore;
import dev.edl.runtime.inprocess.Fixture;
import dev.edl.runtime.inprocess.LogisticModel;
import dev.edl.runtime.ps.group.TestShards;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Elapsed time of a run whose master was killed with its process. */
@Timeout(60)
class RunStartTest {
    private static final Instant START = Instant.EPOCH.plusSeconds(1000);

    private static TrainingMaster leads(SharedTrainingState services) throws InterruptedException {
        TrainingMaster master = MasterRunner.master(services, services.lead(), event -> {});
        MasterRunner.comeUp(master, services, master.shards(), services.waits(() -> {}));
        return master;
    }

    @Test
    void elapsed_time_counts_from_the_first_master_of_the_run() throws Exception {
        Training training =
                Fixture.training(new LogisticModel(Fixture.FEATURES)).build();
        try (TrainingStore store = TrainingStore.open(training, 1);
                EventHub events = new EventHub("unit", List.of())) {
            TestShards shards = new TestShards(List.of(store.newShard(0)), Duration.ofMillis(5));
            SharedTrainingState first = new SharedTrainingState(
                    "master", training, shards, store, events, null, null, RunClock.of(() -> START));
            leads(first).decisions().stop("enough", first.waits(() -> {}));
            Instant later = START.plusSeconds(60);
            SharedTrainingState second = new SharedTrainingState(
                    "master", training, shards, store, events, null, null, RunClock.of(() -> later));
            second.follow(1);
            leads(second);

            assertThat(second.history().elapsed(later)).isEqualTo(Duration.ofSeconds(60));
        }
    }
}
