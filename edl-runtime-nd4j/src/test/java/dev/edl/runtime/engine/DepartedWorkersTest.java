package dev.edl.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.plan.JobPlan;
import dev.edl.plan.ReplicaPlan;
import dev.edl.runtime.engine.files.TrainingStore;
import dev.edl.runtime.inprocess.Fixture;
import dev.edl.runtime.inprocess.LogisticModel;
import dev.edl.runtime.inprocess.Waits;
import dev.edl.runtime.ps.group.TestShards;
import dev.edl.runtime.task.Assignment;
import dev.edl.runtime.task.TaskLedger;
import dev.edl.spec.RoleType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DepartedWorkersTest {
    private static final JobPlan PLAN = Fixture.job(1, 1).plan();

    private static ReplicaPlan worker(int id) {
        return PLAN.replica(RoleType.WORKER, id, 0);
    }

    @Test
    void a_departed_worker_is_stored_until_a_master_is_notified() throws Exception {
        try (TrainingStore store = TrainingStore.open(
                        Fixture.training(new LogisticModel(Fixture.FEATURES)).build(), 1);
                EventHub events = new EventHub("unit", List.of())) {
            SharedTrainingState services = new SharedTrainingState(
                    "master",
                    Fixture.training(new LogisticModel(Fixture.FEATURES)).build(),
                    new TestShards(List.of(store.newShard(0)), Duration.ofSeconds(1)),
                    store,
                    events,
                    null,
                    null,
                    new RunClock(() -> Instant.EPOCH, () -> 0));
            TaskLedger ledger = TaskLedger.start(store.ledgerSpec(), event -> {});
            TrainingMaster master = TrainingMasterTest.master(services, ledger);
            AtomicReference<@Nullable LedgerMaster> present = new AtomicReference<>();
            CountDownLatch left = new CountDownLatch(1002);
            DepartedWorkers departed = new DepartedWorkers("unit", present::get, name -> left.countDown());

            assertThat(master.next(worker(0).name())).isInstanceOf(Assignment.Lease.class);
            departed.gone(worker(0));
            assertThat(departed.unreported()).isEqualTo(1);
            departed.tellAll(master);
            assertThat(departed.unreported()).isZero();
            assertThat(ledger.leases()).isEmpty();

            present.set(master);
            for (int id = 1; id <= 1001; id++) {
                departed.gone(worker(id));
            }
            Waits.on(left);
            // The master may be processing the last one.
            assertThat(departed.unreported()).isLessThanOrEqualTo(1);
            departed.close();
        }
    }
}
