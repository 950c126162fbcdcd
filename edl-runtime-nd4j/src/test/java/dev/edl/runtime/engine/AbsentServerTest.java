package dev.edl.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.Progress;
import dev.edl.runtime.TrainingResult;
import dev.edl.runtime.engine.ports.TryAgainException;
import dev.edl.runtime.inprocess.Fixture;
import dev.edl.runtime.inprocess.SteppedModel;
import dev.edl.runtime.inprocess.Waits;
import dev.edl.runtime.ps.group.LocalShards;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Effects of an absent parameter server on the other replicas. */
class AbsentServerTest {
    private final SteppedModel model = new SteppedModel(Fixture.FEATURES);
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);

    /** Lets workers run to a step, then holds them. */
    private void holdAt(long held) {
        model.before(step -> {
            if (step == held) {
                reached.countDown();
            }
            if (step >= held) {
                Waits.on(goOn);
            }
        });
    }

    @Test
    void a_server_that_returns_waits_for_no_other_and_delays_no_worker() throws Exception {
        holdAt(40);
        try (Replicas replicas = new Replicas(Fixture.training(model).build())) {
            Replicas.Replica master = replicas.start("master", 0);
            Replicas.Replica ps0 = replicas.start("ps", 0);
            Replicas.Replica ps1 = replicas.start("ps", 1);
            List<Replicas.Replica> workers = List.of(replicas.start("worker", 0), replicas.start("worker", 1));
            Waits.on(reached);
            ps1.stop();
            ps0.stop();
            Replicas.Replica back = replicas.start("ps", 0);
            goOn.countDown();

            Progress asked = CompletableFuture.supplyAsync(
                            () -> {
                                // The master has compared the shard, or is about to: it responds in either case.
                                while (replicas.services.missingShard() == 0) {
                                    Thread.onSpinWait();
                                }
                                return replicas.services.progress();
                            },
                            Waits.THREADS)
                    .get(30, TimeUnit.SECONDS);
            assertThat(asked.tasks()).isPositive();
            assertThat(replicas.services.missingShard()).isEqualTo(1);
            replicas.start("ps", 1);

            assertThat(master.end()).isNull();
            for (Replicas.Replica worker : workers) {
                assertThat(worker.end()).isNull();
            }
            back.stop();
            assertThat(back.end()).isNull();
            TrainingResult result = replicas.services.history().result().orElseThrow();
            assertThat(result.exactlyOnce()).as(result.proof()).isTrue();
        }
    }

    @Test
    void a_master_comes_up_while_a_server_is_away() throws Exception {
        holdAt(40);
        try (Replicas replicas =
                new Replicas(Fixture.training(model).evaluationSteps(20).build())) {
            Replicas.Replica first = replicas.start("master", 0);
            replicas.start("ps", 0);
            Replicas.Replica ps1 = replicas.start("ps", 1);
            replicas.start("worker", 0);
            replicas.start("worker", 1);
            Waits.on(reached);
            ps1.stop();
            first.stop();
            Replicas.Replica second = replicas.start("master", 0);

            TrainingMaster present = CompletableFuture.supplyAsync(
                            () -> {
                                while (replicas.services.masterSlot().peek() == null) {
                                    Thread.onSpinWait();
                                }
                                return replicas.services.masterSlot().peek();
                            },
                            Waits.THREADS)
                    .get(30, TimeUnit.SECONDS);
            assertThat(present.failure()).isEmpty();
            assertThat(replicas.services.missingShard()).isEqualTo(1);
            replicas.start("ps", 1);
            goOn.countDown();

            assertThat(second.end()).isNull();
            TrainingResult result = replicas.services.history().result().orElseThrow();
            assertThat(result.exactlyOnce()).as(result.proof()).isTrue();
        }
    }

    @Test
    void a_worker_exits_for_a_restart_if_a_server_stays_absent() throws Exception {
        holdAt(40);
        try (Replicas replicas =
                new Replicas(Fixture.training(model).maxTaskFailures(1).build())) {
            Replicas.Replica master = replicas.start("master", 0);
            replicas.start("ps", 0);
            Replicas.Replica ps1 = replicas.start("ps", 1);
            List<Replicas.Replica> workers = List.of(replicas.start("worker", 0), replicas.start("worker", 1));
            Waits.on(reached);
            ps1.stop();
            replicas.tick(Duration.ofMinutes(1));
            goOn.countDown();

            for (Replicas.Replica worker : workers) {
                assertThat(worker.end())
                        .isInstanceOf(TryAgainException.class)
                        .hasMessage(
                                "parameter server ps-1 did not come back within 10m, the training's absenceTimeout");
            }
            replicas.tick(Duration.ZERO);
            replicas.start("ps", 1);
            replicas.start("worker", 2);

            assertThat(master.end()).isNull();
            TrainingResult result = replicas.services.history().result().orElseThrow();
            assertThat(result.exactlyOnce()).as(result.proof()).isTrue();
        }
    }

    @Test
    void a_worker_that_waits_too_long_for_a_master_exits_for_a_restart() throws Exception {
        try (Replicas replicas = new Replicas(
                Fixture.training(model).absenceTimeout(Duration.ofSeconds(90)).build())) {
            replicas.tick(Duration.ofSeconds(10));

            assertThat(replicas.start("worker", 0).end())
                    .isInstanceOf(TryAgainException.class)
                    .hasMessage("elasticdl-unit-master did not come back within 1m30s, the absenceTimeout");
        }
    }

    @Test
    void a_master_exits_for_a_restart_if_a_server_stays_absent() throws Exception {
        try (Replicas replicas =
                new Replicas(Fixture.training(model).evaluationSteps(20).build())) {
            replicas.start("ps", 1);
            replicas.tick(Duration.ofMinutes(1));

            assertThat(replicas.start("master", 0).end())
                    .isInstanceOf(TryAgainException.class)
                    .hasMessage("parameter server ps-0 did not come back within 10m, the training's absenceTimeout");
        }
    }

    @Test
    void master_and_servers_that_are_all_away_return_in_any_order() throws Exception {
        holdAt(40);
        try (Replicas replicas =
                new Replicas(Fixture.training(model).evaluationSteps(20).build())) {
            Replicas.Replica first = replicas.start("master", 0);
            Replicas.Replica ps0 = replicas.start("ps", 0);
            Replicas.Replica ps1 = replicas.start("ps", 1);
            replicas.start("worker", 0);
            replicas.start("worker", 1);
            Waits.on(reached);
            first.stop();
            ps0.stop();
            ps1.stop();
            replicas.start("ps", 1);
            Replicas.Replica second = replicas.start("master", 0);
            goOn.countDown();
            replicas.start("ps", 0);

            assertThat(second.end()).isNull();
            TrainingResult result = replicas.services.history().result().orElseThrow();
            assertThat(result.exactlyOnce()).as(result.proof()).isTrue();
            assertThat(((LocalShards) replicas.services.shards())
                            .shard(1)
                            .orElseThrow()
                            .life()
                            .term())
                    .isEqualTo(2);
        }
    }

    @Test
    void servers_can_register_while_a_master_waits_for_all_servers() throws Exception {
        model.before(step -> {});
        // The first master pins versions for evaluations on every shard before a worker sees it.
        try (Replicas replicas =
                new Replicas(Fixture.training(model).evaluationSteps(20).build())) {
            replicas.start("ps", 1);
            Replicas.Replica master = replicas.start("master", 0);
            replicas.start("ps", 0);
            replicas.start("worker", 0);

            assertThat(master.end()).isNull();
        }
    }

    @Test
    void a_server_exits_for_a_restart_if_no_master_comes() throws Exception {
        try (Replicas replicas = new Replicas(
                Fixture.training(model).absenceTimeout(Duration.ofSeconds(90)).build())) {
            replicas.tick(Duration.ofSeconds(10));

            assertThat(replicas.start("ps", 0).end())
                    .isInstanceOf(TryAgainException.class)
                    .hasMessage("elasticdl-unit-master did not come back within 1m30s, the absenceTimeout");
        }
    }
}
