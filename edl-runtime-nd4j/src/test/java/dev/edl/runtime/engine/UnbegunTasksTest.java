package dev.edl.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.engine.ports.MasterGoneException;
import dev.edl.runtime.engine.ports.TaskFailure;
import dev.edl.runtime.task.Assignment;
import dev.edl.runtime.task.LedgerEvent;
import dev.edl.runtime.task.LedgerSpec;
import dev.edl.runtime.task.Task;
import dev.edl.runtime.task.TaskLedger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Handling of prefetched tasks: four tasks of two records. */
class UnbegunTasksTest {
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    private final LedgerSpec spec = LedgerSpec.builder()
            .training(List.of(new DataShard("records", 8)))
            .minibatchSize(1)
            .minibatchesPerTask(2)
            .shuffle(false)
            .leaseTimeout(TIMEOUT)
            .build();
    private final List<LedgerEvent> ledgerEvents = new ArrayList<>();
    private final List<LedgerEvent> untold = new ArrayList<>();
    private final TaskLedger ledger = TaskLedger.start(spec, event -> {
        ledgerEvents.add(event);
        untold.add(event);
    });
    private final EventHub events = new EventHub("unit", List.of());
    private long nanos;
    private final Plain master = new Plain(ledger, untold, events, () -> nanos);

    /** Master with only the common behaviour. */
    private static final class Plain extends LedgerMaster {
        private Plain(TaskLedger ledger, List<LedgerEvent> untold, EventHub events, LongSupplier nanos) {
            super(ledger, untold, events, nanos, "nothing");
        }

        @Override
        void failed(Task task, TaskFailure failure) {}

        @Override
        void happened(LedgerEvent event) {}

        private List<String> poll() {
            enter();
            try {
                return expire();
            } finally {
                unlock();
            }
        }

        private void complete(Task task) {
            ledger.complete(task, now());
        }
    }

    @AfterEach
    void close() {
        events.close();
    }

    private static Task task(Assignment assignment) {
        return ((Assignment.Lease) assignment).task();
    }

    private List<TrainingEvent> told() {
        List<TrainingEvent> told = new ArrayList<>();
        events.add(told::add);
        events.close();
        return told;
    }

    @Test
    void an_idle_worker_gets_the_newest_task_that_is_not_begun() {
        Task first = task(master.next("worker-0"));
        Task second = task(master.prefetch("worker-0", first));
        Task third = task(master.next("worker-1"));
        Task fourth = task(master.prefetch("worker-1", third));

        assertThat(task(master.next("worker-2")).range()).isEqualTo(fourth.range());
        assertThat(task(master.next("worker-3")).range()).isEqualTo(second.range());
        assertThat(master.next("worker-4"))
                .isEqualTo(new Assignment.Wait("4 tasks are with worker-0, worker-1, worker-2, worker-3"));
        assertThat(master.startPrefetched(second)).isFalse();
        assertThat(master.startPrefetched(fourth)).isFalse();
    }

    @Test
    void a_task_that_its_worker_has_begun_stays_with_it() {
        Task first = task(master.next("worker-0"));
        Task second = task(master.prefetch("worker-0", first));
        assertThat(master.startPrefetched(second)).isTrue();
        task(master.next("worker-1"));
        task(master.next("worker-1"));
        task(master.next("worker-2"));

        assertThat(master.next("worker-3"))
                .isEqualTo(new Assignment.Wait("4 tasks are with worker-0, worker-1, worker-2"));
    }

    @Test
    void what_is_queued_is_handed_out_before_a_task_is_recalled() {
        Task first = task(master.next("worker-0"));
        Task second = task(master.prefetch("worker-0", first));

        assertThat(task(master.next("worker-1")).start()).isEqualTo(4);
        assertThat(master.startPrefetched(second)).isTrue();
        assertThat(ledgerEvents).noneMatch(LedgerEvent.Recalled.class::isInstance);
    }

    @Test
    void a_task_is_begun_by_one_worker_only_whenever_another_asks() throws Exception {
        for (int round = 0; round < 200; round++) {
            TaskLedger each = TaskLedger.start(spec, event -> {});
            LedgerMaster shared = new Plain(each, new ArrayList<>(), events, () -> 0);
            Task first = task(shared.next("worker-0"));
            task(shared.next("worker-1"));
            task(shared.next("worker-2"));
            Task ahead = task(shared.prefetch("worker-0", first));
            List<Assignment> other = new ArrayList<>();
            Thread idle = new Thread(() -> other.add(shared.next("worker-3")));
            idle.start();
            boolean begun = shared.startPrefetched(ahead);
            idle.join(30_000);

            assertThat(other).as("round %d", round).hasSize(1);
            assertThat(other.get(0) instanceof Assignment.Lease)
                    .as("round %d", round)
                    .isNotEqualTo(begun);
        }
    }

    @Test
    void a_worker_that_leaves_gives_both_tasks_back_at_once() {
        Task first = task(master.next("worker-0"));
        Task second = task(master.prefetch("worker-0", first));

        master.workerGone("worker-0");

        assertThat(master.startPrefetched(second)).isFalse();
        assertThat(task(master.next("worker-1"))).hasToString("task 3: records[0..2) of epoch 1, attempt 1");
        assertThat(task(master.next("worker-2"))).hasToString("task 4: records[2..4) of epoch 1");
        assertThat(told()).containsExactly(new TrainingEvent.TasksRecovered("worker-0", 1));
    }

    @Test
    void a_silent_worker_loses_both_tasks() {
        Task first = task(master.next("worker-0"));
        Task second = task(master.prefetch("worker-0", first));
        nanos += TIMEOUT.toNanos();

        assertThat(master.poll()).containsExactly("worker-0");

        assertThat(master.startPrefetched(second)).isFalse();
        assertThat(ledger.leases()).isEmpty();
        assertThat(told()).containsExactly(new TrainingEvent.TasksRecovered("worker-0, silent for 5m", 2));
    }

    @Test
    void touches_of_the_current_task_renew_the_prefetched_one() {
        Task first = task(master.next("worker-0"));
        Task second = task(master.prefetch("worker-0", first));
        for (int minute = 0; minute < 20; minute++) {
            nanos += Duration.ofMinutes(1).toNanos();
            master.touch(first);
            assertThat(master.poll()).as("minute %d", minute).isEmpty();
        }

        assertThat(master.startPrefetched(second)).isTrue();
    }

    @Test
    void a_prefetched_task_needs_two_events() {
        Task first = task(master.next("worker-0"));
        Task second = task(master.prefetch("worker-0", first));
        master.complete(first);
        master.startPrefetched(second);
        ledgerEvents.clear();
        Task third = task(master.prefetch("worker-0", second));
        master.complete(second);
        assertThat(master.startPrefetched(third)).isTrue();

        assertThat(ledgerEvents).hasExactlyElementsOfTypes(LedgerEvent.Leased.class, LedgerEvent.Completed.class);
    }

    @Test
    void a_repeated_request_discards_earlier_prefetched_tasks() {
        Task first = task(master.next("worker-0"));
        Task second = task(master.prefetch("worker-0", first));
        Task again = task(master.next("worker-0"));

        assertThat(master.startPrefetched(second)).isFalse();
        assertThat(ledger.leases()).hasToString("{worker-0=[" + again + "]}");
    }

    @Test
    void a_broken_training_hands_out_nothing_ahead() {
        Task first = task(master.next("worker-0"));
        master.broken("the model is not finite");

        assertThat(master.prefetch("worker-0", first)).isEqualTo(new Assignment.Wait("the model is not finite"));
    }

    @Test
    void a_master_that_has_left_lets_no_worker_begin() {
        Task first = task(master.next("worker-0"));
        Task second = task(master.prefetch("worker-0", first));
        master.retire();

        assertThatThrownBy(() -> master.startPrefetched(second)).isInstanceOf(MasterGoneException.class);
        assertThatThrownBy(() -> master.prefetch("worker-0", first)).isInstanceOf(MasterGoneException.class);
    }
}
