package dev.edl.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.ps.PushResult;
import dev.edl.runtime.ps.ShardGroup;
import dev.edl.runtime.task.TaskLedger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TrainingMasterTest {
    @Test
    void a_version_that_is_reached_after_the_master_has_left_disturbs_nobody() throws Exception {
        Training training =
                Fixture.training(new LogisticModel(Fixture.FEATURES)).build();
        try (TrainingStore store = TrainingStore.open(training, 1);
                EventHub events = new EventHub("unit", List.of())) {
            ShardGroup shards = new ShardGroup(List.of(store.newShard(0)), Duration.ofSeconds(1));
            TrainingServices services =
                    new TrainingServices("master", training, shards, store, events, null, null, () -> Instant.EPOCH);
            TaskLedger ledger = TaskLedger.start(store.ledgerSpec(), event -> {});
            TrainingMaster master = new TrainingMaster(services, ledger, new ArrayList<>());
            shards.pinEvery(1, 4, master::versionReached);
            float[] gradient = new float[Fixture.FEATURES + 1];

            assertThat(shards.push("worker-0", 0, new long[] {0}, gradient).version())
                    .isEqualTo(1);
            master.retire();
            PushResult after = shards.push("worker-0", 1, new long[] {1}, gradient);

            assertThat(after.version()).isEqualTo(2);
            assertThat(ledger.progress().evaluationsOpen()).isEqualTo(1);
        }
    }

    @Test
    void only_a_parameter_server_that_comes_back_can_have_lost_something() throws Exception {
        Training training =
                Fixture.training(new LogisticModel(Fixture.FEATURES)).build();
        try (TrainingStore store = TrainingStore.open(training, 2);
                EventHub events = new EventHub("unit", List.of())) {
            ShardGroup shards = new ShardGroup(List.of(store.newShard(0), store.newShard(1)), Duration.ofSeconds(1));
            TrainingServices services =
                    new TrainingServices("master", training, shards, store, events, null, null, () -> Instant.EPOCH);
            shards.detach(0);
            shards.detach(1);

            assertThat(services.attach(1)).isFalse();
            assertThat(services.attach(0)).isFalse();
            shards.detach(0);
            assertThat(services.attach(0)).isTrue();
        }
    }
}
