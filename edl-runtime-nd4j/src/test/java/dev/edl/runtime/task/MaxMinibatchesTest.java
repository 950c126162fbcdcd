package dev.edl.runtime.task;

import static dev.edl.runtime.task.Ledgers.T0;
import static dev.edl.runtime.task.Ledgers.drain;
import static dev.edl.runtime.task.Ledgers.lease;
import static dev.edl.runtime.task.Ledgers.spec;
import static dev.edl.runtime.task.Ledgers.start;
import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.task.LedgerEvent.Completed;
import dev.edl.runtime.task.LedgerEvent.Leased;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The small training has 7 minibatches an epoch: a 2 + 2 + 1, b 2. */
class MaxMinibatchesTest {
    private static List<String> trained(LedgerSpec spec) {
        List<LedgerEvent> journal = new ArrayList<>();
        TaskLedger ledger = TaskLedger.start(spec, journal::add);
        assertThat(drain(ledger, "w0")).isEqualTo(new Assignment.Finished());
        assertThat(ledger.proof().holds()).as(ledger.proof().toString()).isTrue();
        List<String> ranges = new ArrayList<>();
        for (LedgerEvent event : journal) {
            if (event instanceof Completed completed) {
                ranges.add(completed.task().epoch() + ":" + completed.task().range());
            }
        }
        return ranges;
    }

    @Test
    void the_last_task_is_cut_to_meet_the_bound_exactly() {
        assertThat(trained(spec().epochs(3).maxMinibatches(3).build())).containsExactly("0:a[0..4)", "0:a[4..6)");
        assertThat(trained(spec().epochs(3).maxMinibatches(5).build()))
                .containsExactly("0:a[0..4)", "0:a[4..8)", "0:a[8..10)");
        assertThat(trained(spec().epochs(3).maxMinibatches(8).build()))
                .containsExactly("0:a[0..4)", "0:a[4..8)", "0:a[8..10)", "0:b[0..3)", "1:a[0..2)");
        assertThat(trained(spec().epochs(3).maxMinibatches(14).build()))
                .hasSize(8)
                .last()
                .isEqualTo("1:b[0..3)");
    }

    @Test
    void a_bound_that_all_epochs_stay_below_changes_nothing() {
        assertThat(trained(spec().epochs(2).maxMinibatches(14).build()))
                .isEqualTo(trained(spec().epochs(2).build()));
        assertThat(trained(spec().epochs(2).maxMinibatches(1L << 62).build()))
                .isEqualTo(trained(spec().epochs(2).build()));
    }

    @Test
    void a_larger_bound_trains_all_that_a_smaller_one_does() {
        for (int bound = 1; bound < 21; bound++) {
            LedgerSpec.Builder spec = spec().epochs(3).shuffle(true).seed(5);
            assertThat(pushes(spec.maxMinibatches(bound + 1).build())
                            .containsAll(pushes(spec.maxMinibatches(bound).build())))
                    .as("bound %d", bound)
                    .isTrue();
            assertThat(pushes(spec.maxMinibatches(bound).build()))
                    .as("bound %d", bound)
                    .hasSize(bound);
        }
    }

    private static List<Long> pushes(LedgerSpec spec) {
        List<Long> ids = new ArrayList<>();
        TaskLedger ledger = TaskLedger.start(spec, event -> {
            if (event instanceof Leased leased) {
                for (int k = 0; k < leased.task().minibatches(); k++) {
                    ids.add(leased.task().pushId(k));
                }
            }
        });
        drain(ledger, "w0");
        return ids;
    }

    @Test
    void the_proof_is_at_most_once_for_a_cut_epoch() {
        TaskLedger ledger = start(spec().epochs(3).maxMinibatches(8));
        drain(ledger, "w0");

        assertThat(ledger.proof())
                .hasToString("each of 13 records applied exactly once in 1 epoch, 2 of 13 at most once in epoch 2:"
                        + " 8 minibatches in all");
        assertThat(ledger.progress())
                .hasToString("all epochs complete: 5 of 5 tasks, 15 of 15 records done, 0 leased, 0 queued");
        assertThat(ledger.progress().minibatchesTotal()).isEqualTo(8);
    }

    @Test
    void a_proof_without_a_whole_epoch_reads_as_a_line_too() {
        TaskLedger ledger = start(spec().maxMinibatches(3));
        drain(ledger, "w0");

        assertThat(ledger.proof()).hasToString("6 of 13 records applied at most once in epoch 1: 3 minibatches in all");
    }

    @Test
    void a_minibatch_too_few_breaks_the_proof() {
        List<LedgerEvent> journal = new ArrayList<>();
        TaskLedger ledger = TaskLedger.start(spec().maxMinibatches(3).build(), journal::add);
        drain(ledger, "w0");
        journal.removeIf(e -> (e instanceof Leased leased && leased.task().id() == 2)
                || (e instanceof Completed completed && completed.task().id() == 2));

        assertThat(ProofCalculator.of(ledger.spec(), journal))
                .hasToString("NOT 4 of 13 records applied at most once in epoch 1: 2 minibatches in all:"
                        + " 2 of 3 minibatches");
    }

    @Test
    void only_the_lost_part_of_a_cut_task_is_repeated() {
        TaskLedger ledger = start(spec().maxMinibatches(3));
        drain(ledger, "w0");
        BitSet applied = new BitSet();
        applied.set(0, 2);

        assertThat(ledger.reopen(0, applied::get)).isEqualTo(1);

        assertThat(ledger.trainingComplete()).isFalse();
        Task again = lease(ledger, "w1");
        assertThat(again).hasToString("task 3: a[4..6) of epoch 1, attempt 1");
        ledger.complete(again, T0);
        assertThat(ledger.finished()).isTrue();
        assertThat(ledger.proof().holds()).isTrue();
    }
}
