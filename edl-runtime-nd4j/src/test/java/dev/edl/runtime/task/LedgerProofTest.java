package dev.edl.runtime.task;

import static dev.edl.runtime.task.Ledgers.T0;
import static dev.edl.runtime.task.Ledgers.drain;
import static dev.edl.runtime.task.Ledgers.lease;
import static dev.edl.runtime.task.Ledgers.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.proof.LedgerProof;
import dev.edl.runtime.proof.RecordCoverage;
import dev.edl.runtime.proof.TaskType;
import dev.edl.runtime.task.LedgerEvent.Completed;
import dev.edl.runtime.task.LedgerEvent.LateReport;
import dev.edl.runtime.task.LedgerEvent.Reopened;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LedgerProofTest {
    @Test
    void a_ledger_that_drops_work_as_done_is_found_out() {
        LedgerState dropping = new LedgerState(spec().build()) {
            @Override
            void comeBack(PassRange range) {
                complete(range);
            }
        };
        TaskLedger ledger = new TaskLedger(dropping, event -> {});
        lease(ledger, "w0");
        ledger.workerGone("w0");

        assertThat(drain(ledger, "w1")).isEqualTo(new Assignment.Finished());

        assertThat(ledger.progress().recordsDone()).isEqualTo(13);
        assertThat(ledger.proof().holds()).isFalse();
        assertThat(ledger.proof())
                .hasToString("NOT each of 13 records applied exactly once in 1 epoch (1 task recovered):"
                        + " epoch 1: 9 records once, 4 never, 0 more than once");
    }

    @Test
    void a_ledger_that_repeats_work_is_found_out() {
        LedgerState repeating = new LedgerState(spec().build()) {
            private boolean once;

            @Override
            void complete(PassRange range) {
                if (once) {
                    super.complete(range);
                } else {
                    once = true;
                    comeBack(range);
                }
            }
        };
        TaskLedger ledger = new TaskLedger(repeating, event -> {});

        assertThat(drain(ledger, "w0")).isEqualTo(new Assignment.Finished());

        assertThat(ledger.progress().recordsDone()).isEqualTo(13);
        assertThat(ledger.proof().epochs()).containsExactly(new RecordCoverage(TaskType.TRAINING, 0, 9, 0, 4));
    }

    @Test
    void a_history_can_be_checked_without_a_ledger() {
        List<LedgerEvent> journal = new ArrayList<>();
        TaskLedger ledger = TaskLedger.start(spec().epochs(2).build(), journal::add);
        ledger.evaluate(3);
        drain(ledger, "w0");

        assertThat(ProofCalculator.of(ledger.spec(), journal)).isEqualTo(ledger.proof());

        journal.removeIf(e -> e instanceof Completed done && done.task().id() == 5);
        assertThat(ProofCalculator.of(ledger.spec(), journal).holds()).isFalse();
    }

    @Test
    void overlapping_ranges_count_by_record() {
        Task first = new Task(1, TaskType.TRAINING, 0, -1, "a", 0, 6, 2, 0, 7, 0);
        Task second = new Task(2, TaskType.TRAINING, 0, -1, "a", 4, 10, 2, 2, 7, 0);

        LedgerProof proof =
                ProofCalculator.of(spec().build(), List.of(new Completed(first, T0), new Completed(second, T0)));

        assertThat(proof.epochs()).containsExactly(new RecordCoverage(TaskType.TRAINING, 0, 8, 3, 2));
    }

    @Test
    void a_withdrawn_completion_does_not_count() {
        Task task = new Task(1, TaskType.TRAINING, 0, -1, "a", 0, 4, 2, 0, 7, 0);

        LedgerProof proof = ProofCalculator.of(
                spec().build(),
                List.of(
                        new Completed(task, T0),
                        new Reopened(0, List.of(task.range()), List.of()),
                        new Completed(task, T0)));

        assertThat(proof.epochs()).containsExactly(new RecordCoverage(TaskType.TRAINING, 0, 4, 9, 0));
        assertThat(proof.reopened()).isEqualTo(1);
    }

    @Test
    void an_evaluation_that_counts_a_record_twice_breaks_the_proof() {
        List<LedgerEvent> journal = new ArrayList<>();
        TaskLedger ledger = TaskLedger.start(spec().build(), journal::add);
        ledger.evaluate(200);
        Task task = lease(ledger, "w0");
        ledger.complete(task, T0);
        drain(ledger, "w0");
        assertThat(ledger.proof().holds()).isTrue();

        journal.add(new Completed(task, T0));

        assertThat(ProofCalculator.of(ledger.spec(), journal))
                .hasToString("NOT each of 13 records applied exactly once in 1 epoch:"
                        + " evaluation of version 200: 2 records once, 0 never, 4 more than once");
    }

    @Test
    void reads_as_a_line_with_the_incidents_and_the_first_faults() {
        List<RecordCoverage> epochs = new ArrayList<>();
        for (int e = 0; e < 5; e++) {
            epochs.add(new RecordCoverage(TaskType.TRAINING, e, 1436, 1, 0));
        }
        assertThat(new LedgerProof(
                        1437, epochs, List.of(), 3, 1, 2, 2, 0, 7, 7, Optional.empty(), LedgerProof.Origin.HISTORY))
                .hasToString("NOT each of 1,437 records applied exactly once in each of 5 epochs (3 tasks recovered,"
                        + " 2 failures retried, 1 late report ignored, work reopened 2 times):"
                        + " epoch 1: 1,436 records once, 1 never, 0 more than once;"
                        + " epoch 2: 1,436 records once, 1 never, 0 more than once;"
                        + " epoch 3: 1,436 records once, 1 never, 0 more than once; and 2 more");
    }

    @Test
    void records_that_the_spec_does_not_have_are_refused() {
        Task task = new Task(1, TaskType.TRAINING, 0, -1, "a", 8, 12, 2, 4, 7, 0);

        assertThatThrownBy(
                        () -> ProofCalculator.of(spec().build(), List.of(new LateReport(1), new Completed(task, T0))))
                .hasMessage("the history names records that the spec does not have: a[8..12)");
    }
}
