package dev.edl.runtime.task;

import static dev.edl.runtime.task.Ledgers.T0;
import static dev.edl.runtime.task.Ledgers.at;
import static dev.edl.runtime.task.Ledgers.drain;
import static dev.edl.runtime.task.Ledgers.lease;
import static dev.edl.runtime.task.Ledgers.spec;
import static dev.edl.runtime.task.Ledgers.start;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AheadTest {
    private static Task ahead(TaskLedger ledger, String worker, Task held) {
        Assignment assignment = ledger.prefetch(worker, held, T0);
        if (assignment instanceof Assignment.Lease lease) {
            return lease.task();
        }
        throw new AssertionError("expected a lease, was " + assignment);
    }

    @Test
    void a_worker_holds_the_task_behind_its_own_as_well() {
        List<LedgerEvent> journal = new ArrayList<>();
        TaskLedger ledger = TaskLedger.start(spec().build(), journal::add);
        Task first = lease(ledger, "w0");
        journal.clear();

        Task second = ahead(ledger, "w0", first);

        assertThat(second).hasToString("task 2: a[4..8) of epoch 1");
        assertThat(ledger.leases()).hasToString("{w0=[" + first + ", " + second + "]}");
        assertThat(journal).containsExactly(new LedgerEvent.Leased(second, "w0", T0));
        assertThat(ledger.complete(first, T0)).isEqualTo(CompletionOutcome.ACCEPTED);
        assertThat(ledger.complete(second, T0)).isEqualTo(CompletionOutcome.ACCEPTED);
        assertThat(drain(ledger, "w1")).isEqualTo(new Assignment.Finished());
        assertThat(ledger.proof()).hasToString("each of 13 records applied exactly once in 1 epoch");
    }

    @Test
    void a_worker_reads_one_task_ahead_and_no_more() {
        TaskLedger ledger = start(spec());
        Task first = lease(ledger, "w0");
        ahead(ledger, "w0", first);

        assertThat(ledger.prefetch("w0", first, T0))
                .isEqualTo(new Assignment.Wait("w0 does not hold task 1: a[0..4) of epoch 1 alone"));
    }

    @Test
    void there_is_nothing_ahead_of_a_task_that_was_taken_back() {
        TaskLedger ledger = start(spec());
        Task lost = lease(ledger, "w0");
        ledger.workerGone("w0");

        assertThat(ledger.prefetch("w0", lost, T0))
                .isEqualTo(new Assignment.Wait("w0 does not hold task 1: a[0..4) of epoch 1 alone"));
        assertThat(ledger.leases()).isEmpty();
    }

    @Test
    void an_epoch_begins_for_a_worker_that_reads_ahead() {
        TaskLedger ledger = start(spec().epochs(2));
        lease(ledger, "w0");
        lease(ledger, "w1");
        lease(ledger, "w2");
        Task last = lease(ledger, "w3");

        assertThat(ahead(ledger, "w3", last)).hasToString("task 5: a[0..4) of epoch 2");
    }

    @Test
    void with_nothing_queued_there_is_nothing_ahead() {
        TaskLedger ledger = start(spec().minibatchesPerTask(8));
        Task first = lease(ledger, "w0");
        Task second = lease(ledger, "w1");

        assertThat(ledger.prefetch("w0", first, T0)).isEqualTo(new Assignment.Wait("2 tasks are with w0, w1"));
        assertThat(ledger.leases()).hasToString("{w0=[" + first + "], w1=[" + second + "]}");
    }

    @Test
    void a_holder_of_two_tasks_is_named_once() {
        TaskLedger ledger = start(spec().minibatchesPerTask(8));
        ahead(ledger, "w0", lease(ledger, "w0"));

        assertThat(ledger.next("w1", T0)).isEqualTo(new Assignment.Wait("2 tasks are with w0"));
    }

    @Test
    void a_training_that_has_failed_hands_out_nothing_ahead() {
        TaskLedger ledger = start(spec().maxTaskFailures(1));
        Task held = lease(ledger, "w0");
        ledger.fail(lease(ledger, "w1"), "no disk");

        assertThat(ledger.prefetch("w0", held, T0))
                .isEqualTo(new Assignment.Failed(
                        "a[4..8) of epoch 1 failed once, maxTaskFailures is 1; last error: no disk"));
    }

    @Test
    void one_touch_entry_renews_both_leases() {
        List<LedgerEvent> journal = new ArrayList<>();
        TaskLedger ledger = TaskLedger.start(spec().build(), journal::add);
        Task first = lease(ledger, "w0");
        Task second = ahead(ledger, "w0", first);
        journal.clear();

        ledger.touch(first, at(50));

        assertThat(journal).containsExactly(new LedgerEvent.Touched(first.id(), at(50)));
        assertThat(ledger.expire(at(109))).isEmpty();
        assertThat(ledger.expire(at(110))).containsExactly(first, second);
    }

    @Test
    void tasks_of_a_silent_worker_are_handed_out_in_their_order() {
        TaskLedger ledger = start(spec());
        Task first = lease(ledger, "w0");
        Task second = ahead(ledger, "w0", first);
        ledger.expire(at(60));

        assertThat(lease(ledger, "w1").range()).isEqualTo(first.range());
        assertThat(lease(ledger, "w2").range()).isEqualTo(second.range());
    }

    @Test
    void a_worker_that_asks_for_work_has_lost_both_tasks() {
        TaskLedger ledger = start(spec());
        Task first = lease(ledger, "w0");
        ahead(ledger, "w0", first);

        assertThat(lease(ledger, "w0")).hasToString("task 3: a[0..4) of epoch 1, attempt 1");
        assertThat(ledger.progress().recovered()).isEqualTo(2);
        assertThat(ledger.leases().get("w0")).hasSize(1);
    }

    @Test
    void tasks_of_a_gone_worker_are_handed_out_in_their_order() {
        TaskLedger ledger = start(spec());
        Task first = lease(ledger, "w0");
        Task second = ahead(ledger, "w0", first);

        ledger.workerGone("w0");

        assertThat(lease(ledger, "w1").range()).isEqualTo(first.range());
        assertThat(lease(ledger, "w1").range()).isEqualTo(first.range());
        assertThat(lease(ledger, "w2").range()).isEqualTo(second.range());
    }

    @Test
    void a_recalled_task_is_next_and_counts_as_never_handed_out() {
        TaskLedger ledger = start(spec());
        Task first = lease(ledger, "w0");
        Task second = ahead(ledger, "w0", first);

        assertThat(ledger.recall(second)).isTrue();

        assertThat(ledger.recall(second)).isFalse();
        assertThat(lease(ledger, "w1")).hasToString("task 3: a[4..8) of epoch 1");
        assertThat(ledger.progress())
                .hasToString("epoch 1 of 1: 0 of 4 tasks, 0 of 13 records done, 2 leased, 2 queued");
        assertThat(ledger.complete(second, T0)).isEqualTo(CompletionOutcome.IGNORED);
    }

    @Test
    void a_recalled_part_is_lost_with_its_evaluation() {
        TaskLedger ledger = start(spec().minibatchesPerTask(1));
        ledger.evaluate(20);
        ledger.recall(ahead(ledger, "w0", lease(ledger, "w0")));
        ledger.recovery().loseEvaluation(20);
        ledger.evaluateAgain(20);

        assertThat(drain(ledger, "w0")).isEqualTo(new Assignment.Finished());
        assertThat(ledger.proof().evaluations()).hasSize(1);
        assertThat(ledger.proof().holds()).isTrue();
    }

    @Test
    void a_recalled_part_of_a_resumed_evaluation_is_handed_out_once() {
        TaskLedger ledger = start(spec().minibatchesPerTask(1));
        ledger.evaluate(20);
        Task first = lease(ledger, "w0");
        ledger.recall(ahead(ledger, "w0", first));

        ledger.recovery().resumeEvaluation(20, List.of());

        lease(ledger, "w1");
        lease(ledger, "w2");
        assertThat(ledger.leases().values())
                .flatExtracting(held -> held)
                .extracting(Task::range)
                .containsExactly(
                        new RecordRange("test", 0, 2), new RecordRange("test", 2, 4), new RecordRange("test", 4, 6));
    }

    @Test
    void a_stop_leaves_out_what_was_recalled() {
        TaskLedger ledger = start(spec().epochs(3));
        Task first = lease(ledger, "w0");
        Task second = ahead(ledger, "w0", first);
        ledger.recall(second);
        ledger.stop("enough");

        ledger.complete(first, T0);

        assertThat(ledger.finished()).isTrue();
        assertThat(ledger.proof())
                .hasToString(
                        "4 of 13 records applied at most once in epoch 1: 2 minibatches in all, stopped early: enough");
        assertThat(ledger.proof().holds()).isTrue();
    }

    @Test
    void a_fully_recalled_epoch_has_not_begun_for_a_stop() {
        TaskLedger ledger = start(spec().epochs(3));
        for (int i = 0; i < 3; i++) {
            ledger.complete(lease(ledger, "w0"), T0);
        }
        Task last = lease(ledger, "w0");
        ledger.recall(ahead(ledger, "w0", last));
        ledger.stop("enough");
        ledger.complete(last, T0);

        assertThat(ledger.finished()).isTrue();
        assertThat(ledger.epochsBegun()).isEqualTo(1);
        assertThat(ledger.progress())
                .hasToString("stopped, all epochs complete: 4 of 4 tasks, 13 of 13 records done, 0 leased, 0 queued");
        assertThat(ledger.proof().holds()).isTrue();
        assertThat(ledger.proof().epochs()).hasSize(1);
    }

    @Test
    void a_recalled_task_with_earlier_attempts_is_finished_after_a_stop() {
        TaskLedger ledger = start(spec());
        Task begun = lease(ledger, "w0");
        Task first = lease(ledger, "w1");
        ledger.workerGone("w0");
        Task again = ahead(ledger, "w1", first);
        ledger.recall(again);
        ledger.stop("enough");
        ledger.complete(first, T0);

        assertThat(again.range()).isEqualTo(begun.range());
        assertThat(ledger.finished()).isFalse();
        assertThat(lease(ledger, "w1")).hasToString("task 4: a[0..4) of epoch 1, attempt 1");
    }

    @Test
    void a_replayed_history_with_tasks_ahead_gives_the_same_ledger() {
        List<LedgerEvent> journal = new ArrayList<>();
        TaskLedger ledger = TaskLedger.start(spec().build(), journal::add);
        Task first = lease(ledger, "w0");
        ledger.recall(ahead(ledger, "w0", first));
        ahead(ledger, "w0", first);

        TaskLedger again = Ledgers.replay(spec().build(), journal, event -> {});

        assertThat(StateImage.of(again)).isEqualTo(StateImage.of(ledger));
    }
}
