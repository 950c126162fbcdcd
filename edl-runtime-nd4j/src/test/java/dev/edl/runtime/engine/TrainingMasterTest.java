package dev.edl.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.Training;
import dev.edl.runtime.engine.decisions.Decisions;
import dev.edl.runtime.engine.files.TrainingStore;
import dev.edl.runtime.engine.ports.MasterGoneException;
import dev.edl.runtime.engine.ports.RegistrationPort;
import dev.edl.runtime.inprocess.Fixture;
import dev.edl.runtime.inprocess.LogisticModel;
import dev.edl.runtime.ps.PushResult;
import dev.edl.runtime.ps.group.TestShards;
import dev.edl.runtime.ps.group.Workers;
import dev.edl.runtime.ps.ports.StaleTermException;
import dev.edl.runtime.task.Assignment;
import dev.edl.runtime.task.LedgerEvent;
import dev.edl.runtime.task.TaskLedger;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TrainingMasterTest {
    @Test
    void a_version_reached_after_the_master_has_left_causes_no_failure() throws Exception {
        Training training =
                Fixture.training(new LogisticModel(Fixture.FEATURES)).build();
        try (TrainingStore store = TrainingStore.open(training, 1);
                EventHub events = new EventHub("unit", List.of())) {
            TestShards shards = new TestShards(List.of(store.newShard(0)), Duration.ofSeconds(1));
            SharedTrainingState services = new SharedTrainingState(
                    "master", training, shards, store, events, null, null, RunClock.of(() -> Instant.EPOCH));
            TaskLedger ledger = TaskLedger.start(store.ledgerSpec(), event -> {});
            TrainingMaster master = master(services, ledger);
            shards.pins().pinEvery(1, 4, master::versionReached);
            float[] gradient = new float[Fixture.FEATURES + 1];

            assertThat(Workers.of(shards)
                            .push("worker-0", 0, new long[] {0}, gradient)
                            .version())
                    .isEqualTo(1);
            master.retire();
            PushResult after = Workers.of(shards).push("worker-0", 1, new long[] {1}, gradient);

            assertThat(after.version()).isEqualTo(2);
            assertThat(ledger.progress().evaluationsOpen()).isEqualTo(1);
        }
    }

    @Test
    void at_most_four_evaluations_are_open() throws Exception {
        try (Clocked run = new Clocked()) {
            TaskLedger ledger = TaskLedger.start(run.store.ledgerSpec(), event -> {});
            TrainingMaster master = master(run.services, ledger);
            TestShards shards = (TestShards) run.services.shards();
            shards.pins().pinEvery(1, 4, master::versionReached);
            for (int push = 0; push < 10; push++) {
                Workers.of(shards).push("worker-0", push, new long[] {push}, new float[Fixture.FEATURES + 1]);
            }

            assertThat(ledger.progress().evaluationsOpen()).isEqualTo(4);
        }
    }

    @Test
    void only_a_parameter_server_that_comes_back_can_have_lost_something() throws Exception {
        Training training =
                Fixture.training(new LogisticModel(Fixture.FEATURES)).build();
        try (TrainingStore store = TrainingStore.open(training, 2);
                EventHub events = new EventHub("unit", List.of())) {
            TestShards shards = new TestShards(List.of(store.newShard(0), store.newShard(1)), Duration.ofSeconds(1));
            SharedTrainingState services = new SharedTrainingState(
                    "master", training, shards, store, events, null, null, RunClock.of(() -> Instant.EPOCH));
            shards.detach(0);
            shards.detach(1);

            List<LedgerEvent> happened = new ArrayList<>();
            TaskLedger ledger = TaskLedger.start(store.ledgerSpec(), happened::add);
            TrainingMaster master = master(services, ledger);
            RegistrationPort registration = new LocalRegistrationPort(master, services);
            Servers.start(registration, services, 1);
            Servers.start(registration, services, 0);
            master.next("worker-0");

            master.reopen();
            assertThat(happened).noneMatch(LedgerEvent.Reopened.class::isInstance);
            shards.detach(0);
            Servers.start(registration, services, 0);
            master.reopen();
            assertThat(happened.get(happened.size() - 1)).isInstanceOf(LedgerEvent.Reopened.class);
        }
    }

    @Test
    void a_stop_leaves_out_what_workers_have_asked_for_ahead() throws Exception {
        try (Clocked run = new Clocked()) {
            TaskLedger ledger = TaskLedger.start(run.store.ledgerSpec(), event -> {});
            TrainingMaster master = master(run.services, ledger);
            Assignment.Lease begun = (Assignment.Lease) master.next("worker-0");
            Assignment.Lease ahead = (Assignment.Lease) master.prefetch("worker-0", begun.task());

            assertThat(master.applyStop("good enough")).isTrue();

            assertThat(master.startPrefetched(ahead.task())).isFalse();
            assertThat(ledger.leases()).hasToString("{worker-0=[" + begun.task() + "]}");
            assertThat(ledger.progress().tasksTotal()).isEqualTo(1);
        }
    }

    @Test
    void a_wall_clock_that_jumps_by_an_hour_ends_no_lease() throws Exception {
        try (Clocked run = new Clocked()) {
            TaskLedger ledger = TaskLedger.start(run.store.ledgerSpec(), event -> {});
            TrainingMaster master = master(run.services, ledger);
            master.next("worker-0");
            run.wall = run.wall.plus(Duration.ofHours(1));
            master.watch(run.retry);

            assertThat(ledger.leases()).containsKey("worker-0");
            run.nanos += Duration.ofMinutes(5).toNanos();
            master.watch(run.retry);
            assertThat(ledger.leases()).isEmpty();
        }
    }

    @Test
    void a_master_that_takes_over_gives_each_lease_its_full_timeout() throws Exception {
        try (Clocked run = new Clocked()) {
            TaskLedger first = TaskLedger.start(run.store.ledgerSpec(), event -> {});
            TrainingMaster one = master(run.services, first);
            run.nanos += Duration.ofMinutes(4).toNanos();
            one.next("worker-0");
            run.nanos += Duration.ofHours(3).toNanos();
            TaskLedger second = first.handedTo(event -> {});
            TrainingMaster master = master(run.services, second);
            run.nanos += Duration.ofMinutes(5).toNanos() - 1;
            master.watch(run.retry);

            assertThat(second.leases()).containsKey("worker-0");
            run.nanos++;
            master.watch(run.retry);
            assertThat(second.leases()).isEmpty();
        }
    }

    @Test
    void a_master_that_was_replaced_completes_no_task_and_ends() throws Exception {
        try (Clocked run = new Clocked()) {
            TaskLedger first = TaskLedger.start(run.store.ledgerSpec(), event -> {});
            TrainingMaster old = master(run.services, first);
            Assignment.Lease lease = (Assignment.Lease) old.next("worker-0");
            old.begins("worker-0");
            long lives = old.shards().lives();
            TaskLedger second = TaskLedger.start(run.store.ledgerSpec(), event -> {});
            master(run.services, second);

            assertThatThrownBy(() -> old.trained(lease.task(), lives))
                    .isInstanceOf(StaleTermException.class)
                    .hasMessage("parameter shard ps-0 follows term 2 of master.2"
                            + " and refuses a request of term 1 of master.1");
            assertThat(first.leases()).containsKey("worker-0");
            old.leave("worker-0");
            assertThatThrownBy(() -> old.next("worker-0")).isInstanceOf(MasterGoneException.class);
        }
    }

    static TrainingMaster master(SharedTrainingState services, TaskLedger ledger) {
        TrainingMaster master = new TrainingMaster(services, services.lead(), ledger, new ArrayList<>());
        master.begin(services.callbacks(Decisions.NONE), Decisions.NONE);
        return master;
    }

    /** Environment of a master, with a clock that the test sets. */
    private static final class Clocked implements AutoCloseable {
        private final TrainingStore store;
        private final EventHub events = new EventHub("unit", List.of());
        private final SharedTrainingState services;
        private final AbsentServerRetry retry;
        private Instant wall = Instant.EPOCH;
        private long nanos;

        private Clocked() throws IOException {
            Training training =
                    Fixture.training(new LogisticModel(Fixture.FEATURES)).build();
            store = TrainingStore.open(training, 1);
            TestShards shards = new TestShards(List.of(store.newShard(0)), Duration.ofSeconds(1));
            services = new SharedTrainingState(
                    "master", training, shards, store, events, null, null, new RunClock(() -> wall, () -> nanos));
            retry = services.waits(() -> {});
        }

        @Override
        public void close() throws IOException {
            events.close();
            store.close();
        }
    }
}
