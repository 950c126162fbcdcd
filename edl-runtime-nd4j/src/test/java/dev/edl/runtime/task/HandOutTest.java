package dev.edl.runtime.task;

import static dev.edl.runtime.task.Ledgers.T0;
import static dev.edl.runtime.task.Ledgers.drain;
import static dev.edl.runtime.task.Ledgers.lease;
import static dev.edl.runtime.task.Ledgers.spec;
import static dev.edl.runtime.task.Ledgers.start;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.proof.TaskType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HandOutTest {
    @Test
    void tasks_come_in_dataset_order_and_never_span_shards() {
        TaskLedger ledger = start(spec());

        assertThat(lease(ledger, "w0")).isEqualTo(new Task(1, TaskType.TRAINING, 0, -1, "a", 0, 4, 2, 0, 7, 0));
        assertThat(lease(ledger, "w1")).isEqualTo(new Task(2, TaskType.TRAINING, 0, -1, "a", 4, 8, 2, 2, 7, 0));
        assertThat(lease(ledger, "w2")).isEqualTo(new Task(3, TaskType.TRAINING, 0, -1, "a", 8, 10, 2, 4, 7, 0));
        assertThat(lease(ledger, "w3")).isEqualTo(new Task(4, TaskType.TRAINING, 0, -1, "b", 0, 3, 2, 5, 7, 0));
    }

    @Test
    void shuffled_epochs_have_each_task_once_in_orders_of_their_own() {
        TaskLedger ledger =
                start(spec().shuffle(true).seed(3).minibatchesPerTask(1).epochs(2));
        List<Integer> first = new ArrayList<>();
        List<Integer> second = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            first.add(lease(ledger, "w" + i).firstMinibatch());
        }
        for (int i = 0; i < 7; i++) {
            second.add(lease(ledger, "v" + i).firstMinibatch());
        }

        assertThat(first).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6).isNotEqualTo(second);
        assertThat(second).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6);
    }

    @Test
    void the_next_epoch_begins_while_tasks_of_the_last_are_still_out() {
        TaskLedger ledger = start(spec().epochs(2));
        for (int i = 0; i < 4; i++) {
            assertThat(lease(ledger, "w" + i).epoch()).isZero();
        }

        Task task = lease(ledger, "w4");

        assertThat(task.epoch()).isEqualTo(1);
        assertThat(task.pushId(0)).isEqualTo(7);
        assertThat(ledger.progress().epoch()).isZero();
    }

    @Test
    void with_nothing_queued_a_worker_waits_for_the_holders_by_name() {
        TaskLedger ledger = start(spec());
        lease(ledger, "worker-10");
        lease(ledger, "worker-2");
        ledger.complete(lease(ledger, "worker-1"), T0);
        ledger.complete(lease(ledger, "worker-1"), T0);

        assertThat(ledger.next("worker-1", T0)).isEqualTo(new Assignment.Wait("2 tasks are with worker-2, worker-10"));
        assertThat(ledger.finished()).isFalse();
    }

    @Test
    void a_wait_names_some_holders_and_counts_the_rest() {
        TaskLedger ledger = start(spec().minibatchesPerTask(1));
        for (int i = 0; i < 7; i++) {
            lease(ledger, "w" + i);
        }

        assertThat(ledger.next("v", T0))
                .isEqualTo(new Assignment.Wait("7 tasks are with w0, w1, w2, w3, w4 and 2 others"));
    }

    @Test
    void when_all_is_complete_the_ledger_is_finished() {
        TaskLedger ledger = start(spec().epochs(3));

        assertThat(drain(ledger, "w0")).isEqualTo(new Assignment.Finished());
        assertThat(ledger.finished()).isTrue();
        assertThat(ledger)
                .hasToString("all epochs complete: 12 of 12 tasks, 39 of 39 records done, 0 leased, 0 queued");
        assertThat(ledger.proof()).hasToString("each of 13 records applied exactly once in each of 3 epochs");
    }

    @Test
    void a_repeated_request_reassigns_the_task_with_a_new_id() {
        TaskLedger ledger = start(spec());
        Task first = lease(ledger, "w0");

        Task second = lease(ledger, "w0");

        assertThat(second.range()).isEqualTo(first.range());
        assertThat(second.id()).isEqualTo(2);
        assertThat(second.attempt()).isEqualTo(1);
        assertThat(ledger.leases()).containsOnlyKeys("w0");
        assertThat(ledger.complete(first, T0).accepted()).isFalse();
    }

    @Test
    void leases_are_listed_by_worker() {
        TaskLedger ledger = start(spec());
        Task first = lease(ledger, "worker-10");
        Task second = lease(ledger, "worker-9");

        assertThat(ledger.leases()).hasToString("{worker-9=[" + second + "], worker-10=[" + first + "]}");
    }

    @Test
    void progress_reads_as_a_line() {
        TaskLedger ledger = start(spec().epochs(2));
        ledger.complete(lease(ledger, "w0"), T0);
        lease(ledger, "w0");
        ledger.workerGone("w0");
        lease(ledger, "w1");
        ledger.evaluate(5);

        assertThat(ledger)
                .hasToString("epoch 1 of 2: 1 of 8 tasks, 4 of 26 records done, 1 leased, 4 queued,"
                        + " 1 evaluation open, 1 retry, 1 task recovered");
    }

    @Test
    void a_worker_needs_a_name() {
        assertThatThrownBy(() -> start(spec()).next(" ", T0))
                .hasMessage("a worker's name must not be blank, for example \"worker-0\"");
    }
}
