package dev.edl.runtime.task;

import static dev.edl.runtime.task.Ledgers.T0;
import static dev.edl.runtime.task.Ledgers.drain;
import static dev.edl.runtime.task.Ledgers.lease;
import static dev.edl.runtime.task.Ledgers.spec;
import static dev.edl.runtime.task.Ledgers.start;
import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.proof.TaskType;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LedgerRecoveryTest {
    private static BitSet bits(int... numbers) {
        BitSet bits = new BitSet();
        for (int n : numbers) {
            bits.set(n);
        }
        return bits;
    }

    @Test
    void an_evaluation_continues_from_its_record_and_leased_tasks_stay() {
        List<LedgerEvent> journal = new ArrayList<>();
        TaskLedger ledger = TaskLedger.start(spec().build(), journal::add);
        ledger.evaluate(20);
        Task first = lease(ledger, "w0");
        Task second = lease(ledger, "w1");
        ledger.complete(first, T0);

        ledger.recovery().resumeEvaluation(20, List.of());

        assertThat(ledger.leases()).containsValue(List.of(second));
        assertThat(lease(ledger, "w2").range()).isEqualTo(first.range());
        ledger.complete(second, T0);
        assertThat(ledger.openEvaluations()).containsExactly(20L);
        drain(ledger, "w2");
        assertThat(ledger.openEvaluations()).isEmpty();
        TaskLedger again = Ledgers.replay(spec().build(), journal, event -> {});
        assertThat(again.proof()).isEqualTo(ledger.proof());
        assertThat(again.proof().holds()).isTrue();
    }

    @Test
    void a_known_range_is_taken_back_and_not_evaluated_again() {
        TaskLedger ledger = start(spec());
        ledger.evaluate(20);
        Task first = lease(ledger, "w0");
        Task second = lease(ledger, "w1");

        ledger.recovery().resumeEvaluation(20, List.of(first.range()));

        assertThat(ledger.leases()).containsOnlyKeys("w1");
        assertThat(ledger.complete(first, T0).accepted()).isFalse();
        assertThat(ledger.complete(second, T0).evaluatedVersion()).hasValue(20);
    }

    @Test
    void an_evaluation_with_lost_parameters_is_discarded_and_can_be_requested_again() {
        TaskLedger ledger = start(spec());
        ledger.evaluate(20);
        Task out = lease(ledger, "w0");

        ledger.recovery().loseEvaluation(20);

        assertThat(ledger.openEvaluations()).isEmpty();
        assertThat(ledger.complete(out, T0).accepted()).isFalse();
        drain(ledger, "w1");
        assertThat(ledger.finished()).isTrue();
        assertThat(ledger.proof().holds()).isTrue();
        assertThat(ledger.proof().evaluations()).isEmpty();
        assertThat(ledger.evaluateAgain(20)).isTrue();
        drain(ledger, "w1");
        assertThat(ledger.proof().evaluations()).hasSize(1);
    }

    @Test
    void without_evaluation_records_nothing_is_asked_for_again() {
        TaskLedger ledger = start(spec().evaluation(List.of()));

        assertThat(ledger.evaluateAgain(20)).isFalse();

        assertThat(ledger.openEvaluations()).isEmpty();
    }

    @Test
    void a_left_out_range_is_due_if_partly_held() {
        List<LedgerEvent> journal = new ArrayList<>();
        TaskLedger ledger = TaskLedger.start(spec().epochs(2).build(), journal::add);
        ledger.resume(epoch -> epoch == 0 ? bits(0, 1) : bits(), epoch -> epoch == 0 ? bits(0, 1) : bits());
        ledger.stop("enough");
        assertThat(ledger.trainingComplete()).isTrue();

        // An earlier worker has pushed minibatch 5 of epoch 1, and 2 of the epoch that this ledger has not begun.
        assertThat(ledger.recovery().reinstate(epoch -> epoch == 0 ? bits(0, 1, 5) : bits(2)))
                .isEqualTo(2);

        assertThat(ledger.trainingComplete()).isFalse();
        assertThat(lease(ledger, "w0")).hasToString("task 1: b[0..3) of epoch 1, attempt 1");
        assertThat(lease(ledger, "w1")).hasToString("task 2: a[4..8) of epoch 2, attempt 1");
        ledger.leases().values().forEach(held -> held.forEach(task -> ledger.complete(task, T0)));
        assertThat(ledger.finished()).isTrue();
        assertThat(ledger.proof().holds()).isTrue();
        assertThat(ledger.progress().minibatchesTotal()).isEqualTo(6);
        assertThat(ledger.recovery().reinstate(epoch -> epoch == 0 ? bits(0, 1, 5) : bits(2)))
                .isZero();
        assertThat(Ledgers.replay(spec().epochs(2).build(), journal, event -> {})
                        .proof())
                .isEqualTo(ledger.proof());
    }

    @Test
    void a_push_of_an_epoch_far_behind_a_stop_makes_its_range_due() {
        List<LedgerEvent> journal = new ArrayList<>();
        TaskLedger ledger = TaskLedger.start(spec().epochs(4).build(), journal::add);
        ledger.complete(lease(ledger, "w0"), T0);
        ledger.stop("enough");

        assertThat(ledger.recovery().reinstate(epoch -> epoch == 0 ? bits(0, 1) : epoch == 3 ? bits(2) : bits()))
                .isEqualTo(1);

        Task due = lease(ledger, "w0");
        assertThat(due).hasToString("task 2: a[4..8) of epoch 4, attempt 1");
        ledger.complete(due, T0);
        assertThat(ledger.finished()).isTrue();
        assertThat(ledger.proof().holds()).as(ledger.proof().toString()).isTrue();
        assertThat(ledger.proof().minibatches()).isEqualTo(4);
        assertThat(ledger.progress().minibatchesTotal()).isEqualTo(4);
        assertThat(Ledgers.replay(spec().epochs(4).build(), journal, event -> {})
                        .proof())
                .isEqualTo(ledger.proof());
    }

    @Test
    void failures_of_before_a_lost_journal_count() {
        TaskLedger before = start(spec().maxTaskFailures(2));
        Task failed = lease(before, "w0");
        before.fail(failed, "no disk");
        assertThat(before.failures())
                .containsExactly(new RangeFailureCount(TaskType.TRAINING, 0, new RecordRange("a", 0, 4), 1));

        TaskLedger ledger = start(spec().maxTaskFailures(2));
        ledger.resume(epoch -> bits(), epoch -> bits());
        ledger.recovery().rebuild(before.failures(), LongStream.empty());
        ledger.fail(lease(ledger, "w0"), "no disk");

        assertThat(ledger.failure())
                .contains("a[0..4) of epoch 1 failed 2 times, maxTaskFailures is 2; last error: no disk");
    }

    @Test
    void a_failure_count_of_a_complete_range_is_not_restored() {
        TaskLedger ledger = start(spec().maxTaskFailures(2));
        ledger.resume(epoch -> bits(0, 1), epoch -> bits(0, 1));
        ledger.recovery()
                .rebuild(
                        List.of(new RangeFailureCount(TaskType.TRAINING, 0, new RecordRange("a", 0, 4), 1)),
                        LongStream.empty());

        assertThat(ledger.progress().recordsDone()).isEqualTo(4);
        assertThat(ledger.failures()).isEmpty();
    }

    @Test
    void a_failure_count_ends_with_the_recorded_result_of_its_range() {
        TaskLedger ledger = start(spec());
        RecordRange first = new RecordRange("test", 0, 4);
        ledger.recovery().rebuild(List.of(new RangeFailureCount(TaskType.EVALUATION, 5, first, 1)), LongStream.empty());
        ledger.recovery().resumeEvaluation(5, List.of(first));

        assertThat(ledger.failures()).isEmpty();
    }

    @Test
    void the_proof_says_what_a_history_begins_with() {
        TaskLedger rebuilt = start(spec());
        rebuilt.resume(epoch -> bits(0, 1), epoch -> bits(0, 1));
        rebuilt.recovery().rebuild(List.of(), LongStream.empty());
        drain(rebuilt, "w0");
        TaskLedger anew = start(spec());
        anew.recovery().beginAnew();
        drain(anew, "w0");

        assertThat(rebuilt.proof())
                .hasToString("each of 13 records applied exactly once in 1 epoch"
                        + " (4 records that the parameter servers held when a later master took over)");
        assertThat(anew.proof())
                .hasToString("each of 13 records applied exactly once in 1 epoch"
                        + " (restarted, because no shard and no checkpoint of an earlier master exists)");
    }
}
