package dev.edl.runtime.task;

import static dev.edl.runtime.task.Ledgers.T0;
import static dev.edl.runtime.task.Ledgers.at;
import static dev.edl.runtime.task.Ledgers.drain;
import static dev.edl.runtime.task.Ledgers.lease;
import static dev.edl.runtime.task.Ledgers.numbered;
import static dev.edl.runtime.task.Ledgers.spec;
import static dev.edl.runtime.task.Ledgers.start;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ReportTest {
    @Test
    void a_completion_is_accepted_once() {
        TaskLedger ledger = start(spec());
        Task task = lease(ledger, "w0");

        assertThat(ledger.complete(task, T0)).isEqualTo(new CompletionOutcome(true, OptionalLong.empty()));
        assertThat(ledger.complete(task, T0)).isEqualTo(new CompletionOutcome(false, OptionalLong.empty()));
        assertThat(ledger.complete(numbered(99, task), T0).accepted()).isFalse();
        assertThat(ledger.proof().late()).isEqualTo(2);
    }

    @Test
    void a_dead_workers_task_is_next_and_its_late_report_is_ignored() {
        TaskLedger ledger = start(spec());
        Task task = lease(ledger, "w0");

        ledger.workerGone("w0");
        Task again = lease(ledger, "w1");

        assertThat(again.range()).isEqualTo(task.range());
        assertThat(again.attempt()).isEqualTo(1);
        assertThat(ledger.complete(task, T0).accepted()).isFalse();
        assertThat(ledger.complete(again, T0).accepted()).isTrue();
    }

    @Test
    void a_late_report_with_a_reused_id_is_ignored() {
        TaskLedger ledger = start(spec());
        Task first = lease(ledger, "w0");
        Task second = lease(ledger, "w1");
        Task old = numbered(second.id(), first);

        assertThat(ledger.complete(old, T0).accepted()).isFalse();
        assertThat(ledger.giveBack(old)).isFalse();
        assertThat(ledger.fail(old, "unreadable")).isFalse();
        assertThat(ledger.touch(old, at(30))).isFalse();
        assertThat(ledger.proof().late()).isEqualTo(3);
        assertThat(ledger.complete(first, T0).accepted()).isTrue();
        assertThat(ledger.expire(at(60))).containsExactly(second);
    }

    @Test
    void a_worker_without_a_task_may_go() {
        TaskLedger ledger = start(spec());

        ledger.workerGone("w7");

        assertThat(ledger.progress().recovered()).isZero();
    }

    @Test
    void deaths_are_no_failures_however_many() {
        TaskLedger ledger = start(spec().maxTaskFailures(1));
        for (int i = 0; i < 50; i++) {
            assertThat(lease(ledger, "w" + i).range()).isEqualTo(new RecordRange("a", 0, 4));
            ledger.workerGone("w" + i);
        }

        assertThat(drain(ledger, "w50")).isEqualTo(new Assignment.Finished());
        assertThat(ledger.proof())
                .hasToString("each of 13 records applied exactly once in 1 epoch (50 tasks recovered)");
    }

    @Test
    void a_returned_task_is_next_in_line_without_blame() {
        TaskLedger ledger = start(spec().maxTaskFailures(1));
        Task task = lease(ledger, "w0");

        assertThat(ledger.giveBack(task)).isTrue();
        assertThat(ledger.giveBack(task)).isFalse();

        Task again = lease(ledger, "w1");
        assertThat(again.range()).isEqualTo(task.range());
        assertThat(again.attempt()).isEqualTo(1);
        assertThat(ledger.failure()).isEmpty();
        assertThat(ledger.progress().recovered()).isZero();
    }

    @Test
    void a_failed_task_goes_to_the_end() {
        TaskLedger ledger = start(spec());
        Task task = lease(ledger, "w0");

        assertThat(ledger.fail(task, "out of memory")).isTrue();

        assertThat(lease(ledger, "w0").range()).isEqualTo(new RecordRange("a", 4, 8));
        assertThat(lease(ledger, "w1").range()).isEqualTo(new RecordRange("a", 8, 10));
        assertThat(lease(ledger, "w2").range()).isEqualTo(new RecordRange("b", 0, 3));
        assertThat(lease(ledger, "w3").range()).isEqualTo(task.range());
        assertThat(ledger.fail(task, "late")).isFalse();
        assertThat(ledger.proof().late()).isEqualTo(1);
    }

    @Test
    void a_range_that_fails_too_often_fails_the_training() {
        TaskLedger ledger = start(spec().maxTaskFailures(2).epochs(3));
        Task first = lease(ledger, "w0");
        ledger.fail(first, "loss is NaN");
        for (int i = 0; i < 3; i++) {
            ledger.complete(lease(ledger, "w0"), T0);
        }
        assertThat(ledger.failure()).isEmpty();
        Task second = lease(ledger, "w0");
        assertThat(second.range()).isEqualTo(first.range());

        ledger.fail(second, "loss is NaN at step 4");

        String message = "a[0..4) of epoch 1 failed 2 times, maxTaskFailures is 2; last error: loss is NaN at step 4";
        assertThat(ledger.failure()).contains(message);
        assertThat(ledger.next("w0", T0)).isEqualTo(new Assignment.Failed(message));
        assertThat(ledger).hasToString("failed: " + message);
        assertThat(ledger.finished()).isFalse();
        assertThat(ledger.progress().queued()).isEqualTo(1);
        assertThat(ledger.proof())
                .hasToString("NOT each of 13 records applied exactly once in each of 3 epochs (2 failures retried):"
                        + " epoch 1: 9 records once, 4 never, 0 more than once;"
                        + " epoch 2: 0 records once, 13 never, 0 more than once;"
                        + " epoch 3: 0 records once, 13 never, 0 more than once");
    }

    @Test
    void failures_of_different_ranges_do_not_add_up() {
        TaskLedger ledger = start(spec().maxTaskFailures(2));
        for (int i = 0; i < 4; i++) {
            ledger.fail(lease(ledger, "w0"), "unlucky");
        }

        assertThat(drain(ledger, "w0")).isEqualTo(new Assignment.Finished());
    }

    @Test
    void a_silent_lease_expires_at_its_timeout_and_not_before() {
        TaskLedger ledger = start(spec());
        Task task = lease(ledger, "w0");

        assertThat(ledger.expire(at(60).minusNanos(1))).isEmpty();
        assertThat(ledger.expire(at(60))).containsExactly(task);
        assertThat(ledger.complete(task, at(61)).accepted()).isFalse();
        assertThat(lease(ledger, "w1").attempt()).isEqualTo(1);
    }

    @Test
    void a_report_after_the_timeout_counts_until_the_task_is_taken_back() {
        TaskLedger ledger = start(spec());
        Task task = lease(ledger, "w0");

        assertThat(ledger.complete(task, at(100)).accepted()).isTrue();
    }

    @Test
    void a_sign_of_life_renews_the_lease() {
        TaskLedger ledger = start(spec());
        Task silent = lease(ledger, "w0");
        Task alive = lease(ledger, "w1");

        assertThat(ledger.touch(alive, at(30))).isTrue();
        assertThat(ledger.touch(alive, at(10))).isTrue();

        assertThat(ledger.expire(at(80))).containsExactly(silent);
        assertThat(ledger.touch(silent, at(81))).isFalse();
        assertThat(ledger.expire(at(90).minusNanos(1))).isEmpty();
        assertThat(ledger.expire(at(90))).containsExactly(alive);
    }

    @Test
    void expired_tasks_come_back_the_longest_silent_first() {
        TaskLedger ledger = start(spec());
        Task first = lease(ledger, "w0");
        Task second = lease(ledger, "w1");

        assertThat(ledger.expire(at(60))).containsExactly(first, second);

        assertThat(lease(ledger, "w2").range()).isEqualTo(first.range());
        assertThat(lease(ledger, "w3").range()).isEqualTo(second.range());
    }
}
