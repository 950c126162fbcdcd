package dev.edl.runtime.task;

import static dev.edl.runtime.task.Ledgers.T0;
import static dev.edl.runtime.task.Ledgers.at;
import static dev.edl.runtime.task.Ledgers.drain;
import static dev.edl.runtime.task.Ledgers.lease;
import static dev.edl.runtime.task.Ledgers.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.proof.TaskType;
import dev.edl.runtime.task.LedgerEvent.Completed;
import dev.edl.runtime.task.LedgerEvent.EpochStarted;
import dev.edl.runtime.task.LedgerEvent.LateReport;
import dev.edl.runtime.task.LedgerEvent.Leased;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplayTest {
    @Test
    void leases_survive_a_new_master_and_get_their_full_timeout_from_it() {
        List<LedgerEvent> journal = new ArrayList<>();
        TaskLedger ledger = TaskLedger.start(spec().build(), journal::add);
        Task first = lease(ledger, "w0");
        Task second = lease(ledger, "w1");
        ledger.touch(second, at(20));

        TaskLedger next = ledger.handedTo(journal::add);

        assertThat(next.leases()).isEqualTo(ledger.leases());
        next.renewLeases(Duration.ZERO);
        assertThat(next.expire(Duration.ofSeconds(59))).isEmpty();
        next.touch(second, Duration.ofSeconds(20));
        assertThat(next.expire(Duration.ofSeconds(79))).containsExactly(first);
        assertThat(next.complete(second, Duration.ofSeconds(79)).accepted()).isTrue();
        assertThat(drain(next, "w0")).isEqualTo(new Assignment.Finished());
        assertThat(ProofCalculator.of(spec().build(), journal).holds()).isTrue();
    }

    @Test
    void an_observer_receives_an_event_before_it_takes_effect() {
        List<String> seen = new ArrayList<>();
        TaskLedger[] ledger = new TaskLedger[1];
        ledger[0] = TaskLedger.start(
                spec().build(),
                event -> seen.add(event.getClass().getSimpleName() + " at "
                        + ledger[0].progress().leased() + " leased"));

        lease(ledger[0], "w0");

        assertThat(seen).containsExactly("EpochStarted at 0 leased", "Leased at 0 leased");
    }

    @Test
    void an_event_that_the_observer_refuses_has_not_happened() {
        boolean[] full = {false};
        TaskLedger ledger = TaskLedger.start(spec().build(), event -> {
            if (full[0]) {
                throw new UncheckedIOException(new IOException("refused"));
            }
        });
        Task task = lease(ledger, "w0");
        String before = StateImage.of(ledger);

        full[0] = true;
        assertThatThrownBy(() -> ledger.complete(task, T0)).hasMessageContaining("refused");
        assertThat(StateImage.of(ledger)).isEqualTo(before);

        full[0] = false;
        assertThat(ledger.complete(task, T0).accepted()).isTrue();
    }

    @Test
    void a_reordered_history_is_rejected_at_the_first_invalid_event() {
        Task task = new Task(1, TaskType.TRAINING, 0, -1, "b", 0, 3, 2, 5, 7, 0);

        assertThatThrownBy(() -> Ledgers.replay(
                        spec().build(), List.of(new EpochStarted(0), new Leased(task, "w0", T0)), event -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("cannot lease task 1: b[0..3) of epoch 1: the next task is task 1: a[0..4) of epoch 1");
    }

    @Test
    void a_history_that_completes_a_task_without_a_lease_is_refused() {
        Task task = new Task(1, TaskType.TRAINING, 0, -1, "a", 0, 4, 2, 0, 7, 0);

        assertThatThrownBy(() -> Ledgers.replay(
                        spec().build(),
                        List.of(new LateReport(5), new EpochStarted(0), new Completed(task, T0)),
                        event -> {}))
                .hasMessage("no worker holds task 1");
    }

    @Test
    void a_million_tasks_are_workable() {
        LedgerSpec spec = LedgerSpec.builder()
                .training(List.of(new DataShard("large", 1_000_000)))
                .minibatchSize(1)
                .minibatchesPerTask(1)
                .build();
        TaskLedger ledger = TaskLedger.start(spec, event -> {});
        for (int i = 0; i < 1000; i++) {
            ledger.next("worker-" + i, T0);
        }
        for (int i = 0; i < 1000; i++) {
            ledger.workerGone("worker-" + i);
        }

        assertThat(drain(ledger, "w")).isEqualTo(new Assignment.Finished());
        assertThat(ledger.proof())
                .hasToString("each of 1,000,000 records applied exactly once in 1 epoch (1,000 tasks recovered)");
    }
}
