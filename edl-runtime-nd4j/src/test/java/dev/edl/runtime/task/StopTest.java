package dev.edl.runtime.task;

import static dev.edl.runtime.task.Ledgers.T0;
import static dev.edl.runtime.task.Ledgers.drain;
import static dev.edl.runtime.task.Ledgers.lease;
import static dev.edl.runtime.task.Ledgers.spec;
import static dev.edl.runtime.task.Ledgers.start;
import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.proof.TaskType;
import java.util.BitSet;
import org.junit.jupiter.api.Test;

class StopTest {
    @Test
    void a_stop_leaves_out_unleased_ranges_and_finishes_the_others() {
        TaskLedger ledger = start(spec().epochs(3));
        ledger.complete(lease(ledger, "w0"), T0);
        Task out = lease(ledger, "w0");
        Task failed = lease(ledger, "w1");
        ledger.fail(failed, "no disk");

        assertThat(ledger.stop("loss is good enough")).isTrue();

        assertThat(ledger.trainingComplete()).isFalse();
        assertThat(lease(ledger, "w2").range()).isEqualTo(failed.range());
        assertThat(ledger.next("w3", T0)).isEqualTo(new Assignment.Wait("2 tasks are with w0, w2"));
        ledger.complete(out, T0);
        ledger.workerGone("w2");
        assertThat(drain(ledger, "w4")).isEqualTo(new Assignment.Finished());
        assertThat(ledger.stopped()).contains("loss is good enough");
        assertThat(ledger.proof().holds()).isTrue();
        assertThat(ledger.proof())
                .hasToString("10 of 13 records applied at most once in epoch 1: 5 minibatches in all, stopped early:"
                        + " loss is good enough (1 task recovered, 1 failure retried)");
        assertThat(ledger.progress())
                .hasToString("stopped, all epochs complete: 3 of 3 tasks, 10 of 10 records done, 0 leased, 0 queued,"
                        + " 2 retries, 1 task recovered");
        assertThat(ledger.progress().minibatchesTotal()).isEqualTo(5);
    }

    @Test
    void a_stop_is_once_and_not_of_what_is_complete() {
        TaskLedger ledger = start(spec().epochs(2));
        lease(ledger, "w0");
        assertThat(ledger.stop("one")).isTrue();
        assertThat(ledger.stop("two")).isFalse();
        assertThat(ledger.stopped()).contains("one");

        TaskLedger complete = start(spec());
        drain(complete, "w0");
        assertThat(complete.stop("late")).isFalse();
        assertThat(complete.stopped()).isEmpty();
    }

    @Test
    void a_training_stopped_before_its_first_task_has_trained_nothing() {
        TaskLedger ledger = start(spec());
        ledger.stop("not today");

        assertThat(ledger.next("w0", T0)).isEqualTo(new Assignment.Finished());
        assertThat(ledger.proof().holds()).isTrue();
        assertThat(ledger.progress().tasksTotal()).isZero();
    }

    @Test
    void evaluations_go_on_after_a_stop() {
        TaskLedger ledger = start(spec());
        ledger.complete(lease(ledger, "w0"), T0);
        ledger.stop("enough");
        assertThat(ledger.finished()).isTrue();

        assertThat(ledger.evaluate(2)).isTrue();
        assertThat(ledger.finished()).isFalse();
        assertThat(lease(ledger, "w0").type()).isEqualTo(TaskType.EVALUATION);
    }

    @Test
    void lost_work_is_repeated_even_after_a_stop() {
        TaskLedger ledger = start(spec().epochs(2));
        ledger.complete(lease(ledger, "w0"), T0);
        ledger.complete(lease(ledger, "w0"), T0);
        ledger.stop("enough");
        assertThat(ledger.finished()).isTrue();
        BitSet applied = new BitSet();
        applied.set(0, 3);

        assertThat(ledger.reopen(0, applied::get)).isEqualTo(1);

        assertThat(ledger.finished()).isFalse();
        assertThat(lease(ledger, "w0")).hasToString("task 3: a[4..8) of epoch 1, attempt 1");
        drain(ledger, "w0");
        assertThat(ledger.proof())
                .hasToString("8 of 13 records applied at most once in epoch 1: 4 minibatches in all, stopped early:"
                        + " enough (1 task recovered, work reopened 1 time)");
        assertThat(ledger.proof().holds()).isTrue();
    }

    @Test
    void a_new_master_knows_of_the_stop() {
        TaskLedger old = TaskLedger.start(spec().epochs(2).build(), event -> {});
        Task out = lease(old, "w0");
        old.stop("enough");

        TaskLedger next = old.handedTo(event -> {});

        assertThat(next.stopped()).contains("enough");
        assertThat(StateImage.of(next)).isEqualTo(StateImage.of(old));
        next.complete(out, T0);
        assertThat(next.next("w1", T0)).isEqualTo(new Assignment.Finished());
    }
}
