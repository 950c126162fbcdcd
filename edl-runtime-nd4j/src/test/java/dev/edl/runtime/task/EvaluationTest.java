package dev.edl.runtime.task;

import static dev.edl.runtime.task.Ledgers.T0;
import static dev.edl.runtime.task.Ledgers.drain;
import static dev.edl.runtime.task.Ledgers.lease;
import static dev.edl.runtime.task.Ledgers.spec;
import static dev.edl.runtime.task.Ledgers.start;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.proof.RecordCoverage;
import dev.edl.runtime.proof.TaskType;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class EvaluationTest {
    @Test
    void goes_before_training_and_completes_with_its_last_task() {
        TaskLedger ledger = start(spec());
        lease(ledger, "w0");

        assertThat(ledger.evaluate(200)).isTrue();
        Task first = lease(ledger, "w1");
        Task second = lease(ledger, "w2");

        assertThat(first).isEqualTo(new Task(2, TaskType.EVALUATION, -1, 200, "test", 0, 4, 2, 0, 3, 0));
        assertThat(second).isEqualTo(new Task(3, TaskType.EVALUATION, -1, 200, "test", 4, 6, 2, 2, 3, 0));
        assertThat(ledger.complete(second, T0)).isEqualTo(new CompletionOutcome(true, OptionalLong.empty()));
        assertThat(ledger.complete(first, T0)).isEqualTo(new CompletionOutcome(true, OptionalLong.of(200)));
        assertThat(ledger.complete(first, T0)).isEqualTo(new CompletionOutcome(false, OptionalLong.empty()));
    }

    @Test
    void a_version_is_evaluated_once() {
        TaskLedger ledger = start(spec());

        assertThat(ledger.evaluate(200)).isTrue();
        assertThat(ledger.evaluate(200)).isFalse();
        drain(ledger, "w0");
        assertThat(ledger.evaluate(200)).isFalse();
        assertThat(ledger.evaluate(100)).isTrue();
    }

    @Test
    void a_reused_version_number_is_evaluated_again_once_it_is_not_open() {
        List<LedgerEvent> journal = new ArrayList<>();
        TaskLedger ledger = TaskLedger.start(spec().build(), journal::add);
        ledger.evaluate(200);

        assertThat(ledger.evaluateAgain(200)).isFalse();
        drain(ledger, "w0");
        assertThat(ledger.evaluateAgain(200)).isTrue();
        assertThat(ledger.finished()).isFalse();
        Task first = lease(ledger, "w0");
        Task second = lease(ledger, "w1");
        assertThat(first.modelVersion()).isEqualTo(200);
        ledger.complete(first, T0);
        assertThat(ledger.proof().holds()).isFalse();
        assertThat(ledger.complete(second, T0)).isEqualTo(new CompletionOutcome(true, OptionalLong.of(200)));

        assertThat(ledger.finished()).isTrue();
        assertThat(ledger.proof().holds()).as("%s", ledger.proof()).isTrue();
        assertThat(ProofCalculator.of(ledger.spec(), journal)).isEqualTo(ledger.proof());
    }

    @Test
    void several_run_in_the_order_they_were_asked_for() {
        TaskLedger ledger = start(spec());
        ledger.evaluate(400);
        ledger.evaluate(200);

        assertThat(List.of(
                        lease(ledger, "w0").modelVersion(),
                        lease(ledger, "w1").modelVersion(),
                        lease(ledger, "w2").modelVersion()))
                .containsExactly(400L, 400L, 200L);
    }

    @Test
    void an_open_one_keeps_the_ledger_from_being_finished() {
        TaskLedger ledger = start(spec());
        drain(ledger, "w0");
        ledger.evaluate(7);

        assertThat(ledger.finished()).isFalse();
        assertThat(drain(ledger, "w0")).isEqualTo(new Assignment.Finished());
        assertThat(ledger.finished()).isTrue();
    }

    @Test
    void a_dead_evaluator_does_not_make_a_record_count_twice() {
        TaskLedger ledger = start(spec());
        ledger.evaluate(200);
        Task lost = lease(ledger, "w0");
        ledger.workerGone("w0");

        Task again = lease(ledger, "w1");

        assertThat(again.range()).isEqualTo(lost.range());
        assertThat(ledger.complete(again, T0).accepted()).isTrue();
        assertThat(ledger.complete(lost, T0).accepted()).isFalse();
        drain(ledger, "w1");
        assertThat(ledger.proof().evaluations()).containsExactly(new RecordCoverage(TaskType.EVALUATION, 200, 6, 0, 0));
    }

    @Test
    void a_range_of_one_that_fails_too_often_fails_the_training() {
        TaskLedger ledger = start(spec().maxTaskFailures(1));
        ledger.evaluate(200);

        ledger.fail(lease(ledger, "w0"), "cannot read test");

        assertThat(ledger.failure())
                .contains("test[0..4) at version 200 failed once, maxTaskFailures is 1; last error: cannot read test");
    }

    @Test
    void without_evaluation_records_there_is_nothing_to_ask_for() {
        assertThat(start(spec().evaluation(List.of())).evaluate(1)).isFalse();
    }

    @Test
    void a_version_is_not_negative() {
        assertThatThrownBy(() -> start(spec()).evaluate(-1)).hasMessage("modelVersion must be at least 0, was -1");
    }
}
