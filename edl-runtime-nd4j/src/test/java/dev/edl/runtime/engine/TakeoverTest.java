package dev.edl.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.InvalidTrainingException;
import dev.edl.runtime.TrainingBuilder;
import dev.edl.runtime.engine.decisions.CallbackEvent;
import dev.edl.runtime.engine.decisions.OpenEvaluation;
import dev.edl.runtime.engine.decisions.PendingCallback;
import dev.edl.runtime.inprocess.Fixture;
import dev.edl.runtime.inprocess.LogisticModel;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.proof.LedgerProof;
import dev.edl.runtime.ps.PushResult;
import dev.edl.runtime.ps.ShardTimeoutException;
import dev.edl.runtime.task.Assignment;
import dev.edl.runtime.task.Task;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A master in another process takes over. The tests show which losses the shards, the decision record and the
 * checkpoints make good.
 */
class TakeoverTest extends Takeover {
    @Test
    void a_takeover_compares_an_absent_shard_when_it_returns() throws Exception {
        try (MasterOf first = new MasterOf("first", training())) {
            first.lead();
            first.work("worker-0");
            // The first master does not compare this life, and the second does not see it begin.
            first.shards.detach(1, server(1));
            servers[1] = null;
            first.connect(1);
        }
        try (MasterOf second = new MasterOf("second", training())) {
            second.lead(List.of(0));
            assertThat(nanos).isZero();
            second.connect(1);
            second.master.runIteration(second.retry);

            assertThat(second.master.ledgerProgress().tasksDone()).isZero();
            assertThat(second.train().toString())
                    .contains("that the parameter servers held when a later master took over");
        }
    }

    @Test
    void a_shard_that_dies_with_the_master_and_returns_later_gets_its_pushes_again() throws Exception {
        try (MasterOf first = new MasterOf("first", training())) {
            first.lead();
            first.work("worker-0");
            first.work("worker-0");
        }
        servers[1] = null;
        try (MasterOf second = new MasterOf("second", training())) {
            second.services.follow(1);
            second.lead(List.of(0));
            assertThat(second.master.ledgerProgress().tasksDone()).isEqualTo(2);
            second.connect(1);
            second.master.runIteration(second.retry);

            assertThat(second.master.ledgerProgress().tasksDone()).isZero();
            assertThat(second.train().minibatches()).isEqualTo(312);
        }
    }

    @Test
    void a_shard_that_dies_with_the_master_gets_its_pushes_again() throws Exception {
        try (MasterOf first = new MasterOf("first", training())) {
            first.lead();
            first.work("worker-0");
            first.work("worker-0");
        }
        servers[1] = null;
        try (MasterOf second = new MasterOf("second", training())) {
            // The relaunched server registers after its master has found a term that the other server follows.
            second.services.follow(1);
            second.lead();

            assertThat(second.master.ledgerProgress().tasksDone()).isZero();
            assertThat(second.train().minibatches()).isEqualTo(312);
        }
    }

    /** Leads until the evaluation of version 4 has the results of its first task. */
    private void evaluateHalf() throws Exception {
        try (MasterOf first = new MasterOf("first", training().evaluationSteps(4))) {
            first.lead();
            first.work("worker-0");
            first.master.versionReached(4);
            first.master.runIteration(first.retry);
            first.work("worker-0");
            assertThat(open(first).merged()).isEqualTo(4);
        }
    }

    private List<String> heard(MasterOf by) throws InterruptedException {
        by.events.drain(Duration.ofSeconds(10));
        return heard;
    }

    private static OpenEvaluation open(MasterOf by) {
        return by.master.decisions().now().evaluation(4).orElseThrow();
    }

    @Test
    void an_open_evaluation_continues_when_an_absent_server_returns() throws Exception {
        evaluateHalf();
        try (MasterOf second = new MasterOf("second", training().evaluationSteps(4))) {
            second.lead(List.of(0));
            assertThat(second.master.openEvaluations()).isEmpty();
            second.connect(1);
            second.master.runIteration(second.retry);

            assertThat(second.master.openEvaluations()).containsExactly(4L);
            second.work("worker-0");
            assertThat(open(second).merged()).isEqualTo(8);
            second.train();
            assertThat(heard(second)).isEmpty();
        }
    }

    @Test
    void an_open_evaluation_is_lost_with_an_absent_server_that_begins_a_new_life() throws Exception {
        evaluateHalf();
        servers[1] = null;
        try (MasterOf second = new MasterOf("second", training().evaluationSteps(4))) {
            second.services.follow(1);
            second.lead(List.of(0));
            assertThat(heard(second)).isEmpty();
            second.connect(1);
            second.master.runIteration(second.retry);

            assertThat(heard(second)).containsExactly("EvaluationLost");
            second.train();
        }
    }

    @Test
    void a_training_whose_last_server_returns_late_ends_with_its_open_evaluation() throws Exception {
        try (MasterOf first = new MasterOf("first", training())) {
            first.lead();
            while (first.master.finalCut().isEmpty()) {
                first.work("worker-0");
                first.master.runIteration(first.retry);
            }
            assertThat(first.master.openEvaluations()).hasSize(1);
        }
        try (MasterOf second = new MasterOf("second", training())) {
            second.lead(List.of(0));
            second.master.runIteration(second.services.waits(() -> second.shards.attach(1, server(1))));
            assertThat(second.master.finalCut()).isEmpty();

            assertThat(second.train().evaluations()).hasSize(1);
            assertThat(heard(second)).isEmpty();
        }
    }

    @Test
    void a_push_of_an_open_round_counts_once() throws Exception {
        try (MasterOf first = new MasterOf("first", training().consistency(Consistency.synchronous()))) {
            TrainingMaster master = first.lead();
            master.begins("worker-0");
            master.begins("worker-1");
            Task task = ((Assignment.Lease) master.next("worker-0")).task();
            master.next("worker-1");
            assertThat(push("worker-0", task.pushId(0))).containsOnly(PushResult.Outcome.ACCUMULATED);
        }
        try (MasterOf second = new MasterOf("second", training().consistency(Consistency.synchronous()))) {
            // Its lease has ended with the first master.
            second.lead().workerGone("worker-1");
            second.master.begins("worker-0");

            assertThat(second.train().minibatches()).isEqualTo(312);
        }
    }

    @Test
    void shards_that_hold_pushes_are_asked_although_no_record_is_left() throws Exception {
        try (MasterOf first = new MasterOf("first", training())) {
            first.lead();
            for (int i = 0; i < SERVERS; i++) {
                first.shards.detach(i, server(i));
                servers[i] = null;
                first.connect(i);
            }
            // Before the first master's next turn, which would write its record again.
            push("worker-0", 0);
            assertThat(server(0).decided()).isEmpty();
        }
        try (MasterOf second = new MasterOf("second", training())) {
            second.lead();

            assertThat(second.master.proof().origin()).isEqualTo(LedgerProof.Origin.SHARDS);
            assertThat(heard).isEmpty();
            assertThat(second.train().minibatches()).isEqualTo(312);
        }
    }

    @Test
    void a_restart_from_scratch_is_reported_by_no_successor_in_another_process() throws Exception {
        TrainingBuilder training = training();
        try (MasterOf first = new MasterOf("first", training)) {
            first.lead();
            first.work("worker-0");
        }
        Arrays.fill(servers, null);
        try (MasterOf second = new MasterOf("second", training)) {
            second.lead();

            // The run's id shows that an earlier master has led, but the master does not use it for that.
            assertThat(second.store.continues()).isTrue();
            assertThat(heard).isEmpty();
            assertThat(second.master.proof().origin()).isEqualTo(LedgerProof.Origin.HISTORY);
            assertThat(second.master.proof().reopened()).isEqualTo(0);
            second.train();
        }
    }

    @Test
    void a_failure_of_the_last_turn_is_forgotten() throws Exception {
        try (MasterOf first = new MasterOf("first", training())) {
            TrainingMaster master = first.lead();
            master.report(((Assignment.Lease) master.next("worker-0")).task(), UNREADABLE);
            master.runIteration(first.retry);
            master.report(((Assignment.Lease) master.next("worker-1")).task(), UNREADABLE);
            assertThat(master.failures()).hasSize(2);
        }
        try (MasterOf second = new MasterOf("second", training())) {
            assertThat(second.lead().failures()).hasSize(1);
            assertThat(second.train().failed()).isEqualTo(0);
        }
    }

    @Test
    void a_stop_leaves_out_a_range_without_a_push() throws Exception {
        try (MasterOf first = new MasterOf("first", training())) {
            TrainingMaster master = first.lead();
            first.work("worker-0");
            master.next("worker-0");
            master.decisions().stop("enough", first.retry);
        }
        try (MasterOf second = new MasterOf("second", training())) {
            second.lead();

            assertThat(second.train().epochs().get(0).once()).isEqualTo(16);
        }
    }

    @Test
    void a_late_push_of_a_range_that_a_stop_left_out_makes_it_due() throws Exception {
        long late;
        try (MasterOf first = new MasterOf("first", training())) {
            TrainingMaster master = first.lead();
            late = ((Assignment.Lease) master.next("worker-0")).task().pushId(0);
            master.decisions().stop("enough", first.retry);
        }
        try (MasterOf second = new MasterOf("second", training())) {
            second.lead();
            push("worker-0", late);

            assertThat(second.train().minibatches()).isEqualTo(4);
        }
    }

    @Test
    void the_proof_has_the_evaluations_that_ended_before() throws Exception {
        try (MasterOf first = new MasterOf("first", training())) {
            first.lead().decisions().stop("enough", first.retry);
            assertThat(first.train().evaluations()).hasSize(1);
        }
        try (MasterOf second = new MasterOf("second", training())) {
            second.lead();

            assertThat(second.master.decisions().now().newest()).isPresent();
            assertThat(second.master.proof().evaluations()).hasSize(1);
            assertThat(second.master.proof().holds()).isTrue();
        }
    }

    @Test
    void a_successor_needs_servers_behind_the_end_if_there_is_no_directory() throws Exception {
        TrainingBuilder training = Fixture.training(new LogisticModel(Fixture.FEATURES));
        try (MasterOf first = new MasterOf("first", training)) {
            TrainingMaster master = first.lead();
            first.train();
            new MasterRunner(new ReplicaContext("master", 0), first.services).finish(master);
        }
        try (MasterOf second = new MasterOf("second", training)) {
            assertThatThrownBy(() -> second.lead(List.of())).isInstanceOf(ShardTimeoutException.class);
            second.lead(List.of(1));
            assertThat(second.services.isOver()).isTrue();
        }
    }

    /** Trains one task in another run, which writes a checkpoint from which a run can resume. */
    private Path earlier(Path directory) throws Exception {
        try (MasterOf earlier = new MasterOf("run-0", "earlier", training(directory))) {
            earlier.lead();
            earlier.work("worker-0");
            Path checkpoint = earlier.checkpoint();
            Arrays.fill(servers, null);
            return checkpoint;
        }
    }

    @Test
    void a_successor_knows_the_records_of_the_checkpoint_that_its_run_resumed_from() throws Exception {
        TrainingBuilder training = training().resumeFrom(earlier(folder.resolve("earlier")));
        try (MasterOf first = new MasterOf("first", training)) {
            first.lead();
            assertThat(first.resumption().records()).isEqualTo(16);
            first.work("worker-0");
            first.checkpoint();
        }
        try (MasterOf second = new MasterOf("second", training)) {
            second.lead();
            assertThat(second.resumption().records()).isEqualTo(16);
            assertThat(second.master.proof().resumed()).isEqualTo(32);
        }
        Arrays.fill(servers, null);
        try (MasterOf third = new MasterOf("third", training)) {
            third.lead();
            assertThat(third.resumption().records()).isEqualTo(16);
            assertThat(third.master.proof().resumed()).isEqualTo(32);
            assertThat(third.train().minibatches()).isEqualTo(312);
        }
        assertThat(heard).containsExactly("Resumed");
    }

    @Test
    void a_successor_knows_which_checkpoint_of_its_own_directory_its_run_resumed_from() throws Exception {
        earlier(folder);
        TrainingBuilder training = training().resumeFrom(folder);
        try (MasterOf first = new MasterOf("first", training)) {
            first.lead();
            assertThat(first.resumption().version()).isEqualTo(4);
            first.work("worker-0");
            first.checkpoint();
        }
        try (MasterOf second = new MasterOf("second", training)) {
            second.lead();
            assertThat(second.resumption().version()).isEqualTo(4);
            assertThat(second.resumption().records()).isEqualTo(16);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_successor_needs_no_checkpoint_of_before_its_own_run(boolean serversToo) throws Exception {
        Path checkpoint = earlier(folder);
        TrainingBuilder training = training().resumeFrom(checkpoint).keepCheckpoints(1);
        try (MasterOf first = new MasterOf("first", training)) {
            first.lead();
            first.work("worker-0");
            first.checkpoint();
        }
        assertThat(checkpoint).doesNotExist();
        if (serversToo) {
            Arrays.fill(servers, null);
        }

        try (MasterOf second = new MasterOf("second", training)) {
            second.lead();
            assertThat(second.resumption().checkpoint()).isEqualTo(checkpoint);
            assertThat(second.resumption().version()).isEqualTo(4);
            assertThat(second.resumption().records()).isEqualTo(16);
            assertThat(second.train().minibatches()).isEqualTo(312);
        }
    }

    @Test
    void a_run_cannot_begin_without_the_checkpoint_that_it_resumes_from() {
        Path missing = folder.resolve("version-7");

        assertThatThrownBy(() -> new MasterOf("first", training().resumeFrom(missing)))
                .isInstanceOf(InvalidTrainingException.class)
                .hasMessageContaining(missing + ", which does not exist");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_successor_announces_the_checkpoint_of_a_killed_master_with_its_version(boolean resumes) throws Exception {
        TrainingBuilder training = training();
        if (resumes) {
            training.resumeFrom(earlier(folder.resolve("earlier")));
        }
        try (MasterOf first = new MasterOf("first", training)) {
            first.lead();
            first.work("worker-0");
            assertThat(first.checkpoint()).hasFileName("version-" + (resumes ? 8 : 4));
        }
        try (MasterOf second = new MasterOf("second", training)) {
            second.lead();

            assertThat(second.master.decisions().now().calls())
                    .extracting(PendingCallback::what)
                    .containsExactly(new CallbackEvent.Checkpointed(resumes ? 8 : 4, "version-" + (resumes ? 8 : 4)));
        }
    }

    private static TrainingBuilder withoutDirectory() {
        return Fixture.training(new LogisticModel(Fixture.FEATURES));
    }

    /** Loses a server; its successor gets a life from a master. */
    private void restart(int index, MasterOf by) throws IOException {
        by.shards.detach(index, server(index));
        servers[index] = null;
        by.connect(index);
    }

    @Test
    void a_server_that_is_lost_after_a_restart_from_scratch_gets_its_pushes_again() throws Exception {
        try (MasterOf first = new MasterOf("first", withoutDirectory())) {
            first.lead();
            // Their successors have no record.
            restart(0, first);
            restart(1, first);
        }
        try (MasterOf second = new MasterOf("second", withoutDirectory())) {
            second.lead();
            assertThat(second.master.proof().origin()).isEqualTo(LedgerProof.Origin.ANEW);
            second.work("worker-0");
            restart(1, second);
            second.master.runIteration(second.retry);

            assertThat(second.master.ledgerProgress().tasksDone()).isZero();
            second.train();
        }
    }

    @Test
    void a_life_that_a_replaced_master_began_gets_its_pushes_again() throws Exception {
        try (MasterOf first = new MasterOf("first", withoutDirectory());
                MasterOf second = new MasterOf("second", withoutDirectory())) {
            first.lead();
            first.work("worker-0");
            second.lead();
            // The first master's process has not ended yet.
            restart(1, first);
            second.shards.attach(1, server(1));

            second.train();
        }
    }

    @Test
    void a_successor_knows_the_failures_of_its_runs_checkpoint_if_all_servers_are_lost() throws Exception {
        try (MasterOf first = new MasterOf("first", training())) {
            first.lead();
            first.work("worker-0");
            first.master.report(((Assignment.Lease) first.master.next("worker-0")).task(), UNREADABLE);
            first.master.runIteration(first.retry);
            first.checkpoint();
        }
        Arrays.fill(servers, null);
        try (MasterOf second = new MasterOf("second", training())) {
            assertThat(second.lead().failures()).hasSize(1);
            second.train();
        }
    }
}
