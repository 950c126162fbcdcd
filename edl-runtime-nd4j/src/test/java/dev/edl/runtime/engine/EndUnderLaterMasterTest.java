package dev.edl.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.edl.runtime.Training;
import dev.edl.runtime.engine.files.TrainingStore;
import dev.edl.runtime.engine.ports.RegistrationPort;
import dev.edl.runtime.inprocess.Fixture;
import dev.edl.runtime.inprocess.LogisticModel;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.group.TestShards;
import dev.edl.runtime.ps.ports.MasterShardGroup;
import dev.edl.runtime.ps.ports.StaleTermException;
import dev.edl.runtime.ps.ports.Term;
import dev.edl.runtime.task.Assignment;
import dev.edl.runtime.task.Task;
import dev.edl.runtime.task.TaskLedger;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A shard follows a later master when the result is written. */
@Timeout(60)
class EndUnderLaterMasterTest {
    @TempDir
    Path folder;

    private volatile BooleanSupplier over = () -> false;

    /** Returns shards that, once the training is over, report that they follow a later master. */
    private MasterShardGroup taken(TestShards shards) {
        return (MasterShardGroup) Proxy.newProxyInstance(
                MasterShardGroup.class.getClassLoader(),
                new Class<?>[] {MasterShardGroup.class},
                (proxy, call, arguments) -> {
                    if (call.getName().equals("newestVersion") && over.getAsBoolean()) {
                        throw new StaleTermException("ps-0", new Term(2, "master.2"), new Term(3, "other.3"));
                    }
                    try {
                        return call.invoke(shards, arguments);
                    } catch (InvocationTargetException failure) {
                        throw failure.getCause();
                    }
                });
    }

    @Test
    void a_master_that_has_written_the_result_ends_well() throws Exception {
        Training training = Fixture.training(new LogisticModel(Fixture.FEATURES))
                .checkpointDirectory(folder)
                .build();
        try (TrainingStore store = TrainingStore.open(training, 1);
                EventHub events = new EventHub("unit", training.listeners())) {
            TestShards shards = new TestShards(List.of(store.newShard(0)), Duration.ofMillis(5));
            SharedTrainingState services = new SharedTrainingState(
                    "master", training, taken(shards), store, events, null, null, RunClock.of(() -> Instant.EPOCH));
            trained(services);
            over = services::isOver;

            new MasterRunner(new ReplicaContext("master", 0), services).run();

            assertThat(services.history().result()).isPresent();
        }
    }

    @Test
    void a_server_may_register_with_a_master_of_an_earlier_term() throws Exception {
        Training training =
                Fixture.training(new LogisticModel(Fixture.FEATURES)).build();
        try (TrainingStore store = TrainingStore.open(training, 1);
                EventHub events = new EventHub("unit", training.listeners())) {
            TestShards shards = new TestShards(List.of(store.newShard(0)), Duration.ofMillis(5));
            SharedTrainingState services = new SharedTrainingState(
                    "master", training, taken(shards), store, events, null, null, RunClock.of(() -> Instant.EPOCH));
            RegistrationPort registration = new LocalRegistrationPort(
                    TrainingMasterTest.master(services, TaskLedger.start(store.ledgerSpec(), event -> {})), services);
            over = () -> true;
            ShardLife life = registration.register(0).life();

            assertThatCode(() -> registration.ready(0, life)).doesNotThrowAnyException();
        }
    }

    @Test
    void a_finished_training_needs_no_worker_and_no_lost_server_again() throws Exception {
        Training training = Fixture.training(new LogisticModel(Fixture.FEATURES))
                .absenceTimeout(Duration.ofSeconds(1))
                .build();
        try (TrainingStore store = TrainingStore.open(training, 2);
                TrainingStore secondStore = TrainingStore.open(training, 2);
                EventHub events = new EventHub("unit", training.listeners())) {
            TestShards shards = new TestShards(List.of(store.newShard(0), store.newShard(1)), Duration.ofMillis(5));
            SharedTrainingState services = new SharedTrainingState(
                    "master", training, shards, store, events, null, null, RunClock.of(() -> Instant.EPOCH));
            trained(services);
            new MasterRunner(new ReplicaContext("master", 0), services).run();
            shards.detach(1);
            SharedTrainingState second = new SharedTrainingState(
                    "master", training, shards, secondStore, events, null, null, RunClock.of(() -> Instant.EPOCH));
            second.follow(2);

            new MasterRunner(new ReplicaContext("master", 0), second).run();

            assertThat(second.isOver()).isTrue();
        }
    }

    /** Runs a first master that stops the training and has it evaluated. */
    private static void trained(SharedTrainingState services) throws Exception {
        AbsentServerRetry retry = services.waits(() -> {});
        TrainingMaster master = MasterRunner.master(services, services.lead(), event -> {});
        MasterRunner.comeUp(master, services, master.shards(), retry);
        services.publish(master);
        master.decisions().stop("enough", retry);
        master.runIteration(retry);
        while (!master.openEvaluations().isEmpty()) {
            Task task = ((Assignment.Lease) master.next("worker-0")).task();
            long records = task.records();
            master.evaluated(task, new double[][] {{records, records}, {records, records}});
        }
        services.masterSlot().retire(master);
        master.retire();
    }
}
