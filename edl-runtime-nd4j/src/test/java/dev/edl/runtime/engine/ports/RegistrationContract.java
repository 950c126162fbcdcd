package dev.edl.runtime.engine.ports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.TrainingBuilder;
import dev.edl.runtime.engine.files.ShardFactory;
import dev.edl.runtime.inprocess.Fixture;
import dev.edl.runtime.inprocess.LogisticModel;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.WeightVersions;
import dev.edl.runtime.ps.ports.ShardsPort;
import dev.edl.runtime.ps.ports.StaleTermException;
import dev.edl.runtime.ps.shard.ParameterShard;
import dev.edl.runtime.task.Assignment;
import dev.edl.runtime.task.Task;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Contract of a parameter server's client of a master, local or remote. A subclass supplies a master of term 1 over
 * two shards, which have no server yet.
 */
public abstract class RegistrationContract {
    private static final int FLOATS = Fixture.FEATURES + 1;

    /** Four shards of 50 records, four records a minibatch. */
    private static final int PER_EPOCH = 52;

    /** Master with the test hooks of its host. */
    protected interface Run extends AutoCloseable {
        /** Returns a server's client of the present master. */
        RegistrationPort registration();

        /** Returns the slot of a shard. */
        ShardSlot slot(int shard);

        /** Returns a worker's client of the present master. */
        MasterPort master(String worker);

        /** Returns a worker's client of the shards. */
        ShardsPort shards(String worker);

        /** Runs one iteration of the master's work. */
        void watch() throws InterruptedException;

        /** Replaces the master by another one with the same ledger. */
        void replace() throws InterruptedException;

        /** Writes a checkpoint. */
        void checkpoint() throws InterruptedException, IOException;

        /** Returns the common prefix of all lives of the run. */
        String run();

        @Override
        void close();
    }

    private final TrainingBuilder training = Fixture.training(new LogisticModel(Fixture.FEATURES));
    private @Nullable Run started;

    /** Starts a master of a training, with a checkpoint directory that it adds. */
    protected abstract Run start(TrainingBuilder with) throws Exception;

    private Run begin() throws Exception {
        Run run = start(training);
        started = run;
        return run;
    }

    @AfterEach
    void stop() {
        if (started != null) {
            started.close();
        }
    }

    private ParameterShard shard(int index, ShardAssignment assignment) throws IOException {
        return new ShardFactory(training.build(), 2).shard(index, assignment);
    }

    /** Does the start-up work of a server. */
    private ShardAssignment serve(Run run, int shard) throws IOException {
        ShardAssignment shardAssignment = run.registration().register(shard);
        run.slot(shard).install(shard(shard, shardAssignment), shardAssignment);
        run.registration().ready(shard, shardAssignment.life());
        return shardAssignment;
    }

    /** Returns the fingerprint of the lives from which a worker pulls now. */
    private static long pulled(ShardsPort shards, WeightVersions base) throws InterruptedException {
        shards.pull(new float[FLOATS], List.of(), base);
        return ShardLife.fingerprint(List.of(base.life(0), base.life(1)));
    }

    /** Pushes and returns the fingerprint of the lives that took the push. */
    private static long push(ShardsPort shards, long id) throws InterruptedException {
        WeightVersions base = new WeightVersions(shards.count());
        long lives = pulled(shards, base);
        shards.push(id, base, new float[FLOATS], List.of());
        return lives;
    }

    private static Task task(Assignment assignment) {
        assertThat(assignment).isInstanceOf(Assignment.Lease.class);
        return ((Assignment.Lease) assignment).task();
    }

    private static Task trained(Run run, String worker) throws InterruptedException {
        MasterPort master = run.master(worker);
        ShardsPort shards = run.shards(worker);
        Task task = task(master.next());
        long lives = ShardLife.UNKNOWN_LIVES;
        for (int k = 0; k < task.minibatches(); k++) {
            lives = push(shards, task.pushId(k));
        }
        master.trained(task, lives);
        return task;
    }

    @Test
    void an_assignment_has_everything_that_a_server_needs_without_data() throws Exception {
        Run run = begin();
        ShardAssignment shardAssignment = run.registration().register(1);

        assertThat(shardAssignment.life()).isEqualTo(new ShardLife(run.run(), 1, 0));
        assertThat(shardAssignment.term().number()).isEqualTo(1);
        assertThat(shardAssignment.minibatchesPerEpoch()).isEqualTo(PER_EPOCH);
        assertThat(shardAssignment).hasToString("life 0 of term 1, from the initial values");
    }

    @Test
    void each_registration_of_a_shard_begins_another_life() throws Exception {
        Run run = begin();

        assertThat(run.registration().register(0).life().number()).isZero();
        assertThat(run.registration().register(0).life().number()).isEqualTo(1);
        assertThat(run.registration().register(1).life().number()).isZero();
    }

    @Test
    void a_life_says_under_which_master_it_began() throws Exception {
        Run run = begin();
        ShardLife first = serve(run, 0).life();
        run.slot(0).remove();
        run.replace();
        ShardLife second = serve(run, 0).life();

        assertThat(List.of(first, second))
                .containsExactly(new ShardLife(run.run(), 1, 0), new ShardLife(run.run(), 2, 0));
    }

    @Test
    void workers_see_the_life_that_the_master_gave() throws Exception {
        Run run = begin();
        serve(run, 1);
        ShardLife life = serve(run, 0).life();
        ShardsPort shards = run.shards("a");
        WeightVersions base = new WeightVersions(shards.count());
        shards.pull(new float[FLOATS], List.of(), base);

        assertThat(base.life(0)).isEqualTo(life);
        assertThat(base.life(1)).isEqualTo(new ShardLife(run.run(), 1, 0));
    }

    @Test
    void a_server_starts_and_returns_while_all_others_are_away() throws Exception {
        Run run = begin();
        serve(run, 1);
        run.slot(1).remove();

        assertThat(serve(run, 1).life().number()).isEqualTo(1);
    }

    @Test
    void a_server_that_returns_restores_the_newest_saved_state() throws Exception {
        Run run = begin();
        serve(run, 0);
        serve(run, 1);
        trained(run, "a");
        run.checkpoint();
        run.slot(1).remove();
        ShardAssignment shardAssignment = serve(run, 1);

        assertThat(shardAssignment).hasToString("life 1 of term 1, from version 4");
        assertThat(Objects.requireNonNull(shardAssignment.saved()).read().appliedPushes())
                .hasSize(4);
    }

    @Test
    void the_present_lives_complete_a_task_without_a_query() throws Exception {
        Run run = begin();
        serve(run, 0);
        serve(run, 1);
        ShardsPort shards = run.shards("a");
        MasterPort a = run.master("a");
        Task task = task(a.next());
        // No shard has a push of the task, so a query would take it back.
        a.trained(task, pulled(shards, new WeightVersions(shards.count())));

        assertThat(task(run.master("b").next()).range()).isNotEqualTo(task.range());
    }

    @Test
    void lives_before_the_return_of_a_shard_complete_nothing() throws Exception {
        Run run = begin();
        serve(run, 0);
        serve(run, 1);
        ShardsPort shards = run.shards("a");
        MasterPort a = run.master("a");
        Task task = task(a.next());
        long lives = ShardLife.UNKNOWN_LIVES;
        for (int k = 0; k < task.minibatches(); k++) {
            lives = push(shards, task.pushId(k));
        }
        run.slot(1).remove();
        serve(run, 1);
        run.watch();
        a.trained(task, lives);

        assertThat(task(run.master("b").next()).range()).isEqualTo(task.range());
    }

    @Test
    void lost_work_is_handed_out_again_once_the_shard_is_ready() throws Exception {
        Run run = begin();
        serve(run, 0);
        serve(run, 1);
        Task lost = trained(run, "a");
        run.slot(1).remove();
        run.watch();
        ShardAssignment shardAssignment = run.registration().register(1);
        run.slot(1).install(shard(1, shardAssignment), shardAssignment);
        run.watch();
        assertThat(task(run.master("b").next()).range()).isNotEqualTo(lost.range());
        run.registration().ready(1, shardAssignment.life());
        run.watch();

        assertThat(task(run.master("c").next()).range()).isEqualTo(lost.range());
    }

    @Test
    void a_later_master_accepts_a_life_assigned_by_an_earlier_one() throws Exception {
        Run run = begin();
        serve(run, 0);
        serve(run, 1);
        Task lost = trained(run, "a");
        run.slot(1).remove();
        ShardAssignment shardAssignment = run.registration().register(1);
        run.slot(1).install(shard(1, shardAssignment), shardAssignment);
        run.replace();
        run.registration().ready(1, shardAssignment.life());
        run.watch();

        assertThat(task(run.master("c").next()).range()).isEqualTo(lost.range());
    }

    @Test
    void the_slot_rejects_an_assignment_of_a_replaced_master() throws Exception {
        Run run = begin();
        ShardAssignment late = run.registration().register(1);
        run.replace();

        assertThatThrownBy(() -> run.slot(1).install(shard(1, late), late))
                .isInstanceOf(StaleTermException.class)
                .hasMessageMatching(
                        "parameter shard ps-1 follows term 2 of \\S+ and refuses a request of term 1 of \\S+");
        assertThat(serve(run, 1).life()).isEqualTo(new ShardLife(run.run(), 2, 0));
    }

    @Test
    void every_call_of_a_master_that_has_left_says_so() throws Exception {
        Run run = begin();
        RegistrationPort old = run.registration();
        ShardLife life = old.register(0).life();
        run.replace();

        assertThatThrownBy(() -> old.register(0)).isInstanceOf(MasterGoneException.class);
        assertThatThrownBy(() -> old.ready(0, life)).isInstanceOf(MasterGoneException.class);
    }
}
