package dev.edl.runtime.task;

import static dev.edl.runtime.task.Ledgers.T0;
import static dev.edl.runtime.task.Ledgers.drain;
import static dev.edl.runtime.task.Ledgers.lease;
import static dev.edl.runtime.task.Ledgers.spec;
import static dev.edl.runtime.task.Ledgers.start;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.BitSet;
import org.junit.jupiter.api.Test;

/** Minibatches of an epoch: a[0..4) has 0 and 1, a[4..8) 2 and 3, a[8..10) 4, b[0..3) 5 and 6. */
class ResumeTest {
    private static BitSet bits(int... numbers) {
        BitSet bits = new BitSet();
        for (int n : numbers) {
            bits.set(n);
        }
        return bits;
    }

    private static BitSet pick(int epoch, BitSet... epochs) {
        return epoch < epochs.length ? (BitSet) epochs[epoch].clone() : new BitSet();
    }

    @Test
    void fully_applied_ranges_are_complete_and_partly_applied_ones_come_first() {
        TaskLedger ledger = start(spec().epochs(2));
        BitSet all = bits(0, 1, 2, 3, 5, 6);
        BitSet some = bits(0, 1, 2, 3, 4, 5, 6);

        int complete = ledger.resume(e -> pick(e, all, bits(2)), e -> pick(e, some, bits(2)));

        assertThat(complete).isEqualTo(3);
        assertThat(ledger.progress())
                .hasToString("epoch 1 of 2: 3 of 8 tasks, 11 of 26 records done, 0 leased, 5 queued");
        assertThat(lease(ledger, "w0")).hasToString("task 1: a[8..10) of epoch 1, attempt 1");
        assertThat(lease(ledger, "w1")).hasToString("task 2: a[4..8) of epoch 2, attempt 1");
        assertThat(lease(ledger, "w2")).hasToString("task 3: a[0..4) of epoch 2");
        drain(ledger, "w3");
        ledger.leases().values().stream().flatMap(tasks -> tasks.stream()).forEach(task -> ledger.complete(task, T0));
        assertThat(ledger.finished()).isTrue();
        assertThat(ledger.proof())
                .hasToString("each of 13 records applied exactly once in each of 2 epochs"
                        + " (11 records in the checkpoint that it resumed from)");
    }

    @Test
    void a_resumed_training_can_be_stopped_and_keeps_what_was_begun() {
        TaskLedger ledger = start(spec().epochs(2));
        ledger.resume(e -> pick(e, bits(0, 1)), e -> pick(e, bits(0, 1, 5)));

        ledger.stop("enough");

        drain(ledger, "w0");
        assertThat(ledger.finished()).isTrue();
        assertThat(ledger.proof())
                .hasToString("7 of 13 records applied at most once in epoch 1: 4 minibatches in all, stopped early:"
                        + " enough (4 records in the checkpoint that it resumed from)");
        assertThat(ledger.proof().holds()).isTrue();
    }

    @Test
    void an_epoch_without_pushes_may_precede_one_with_pushes() {
        TaskLedger ledger = start(spec().epochs(2));
        ledger.resume(e -> pick(e, bits(), bits(0, 1)), e -> pick(e, bits(), bits(0, 1)));

        drain(ledger, "w0");

        assertThat(ledger.proof().holds()).as(ledger.proof().toString()).isTrue();
    }

    @Test
    void a_complete_checkpoint_leaves_nothing_to_do() {
        TaskLedger ledger = start(spec());
        BitSet all = bits(0, 1, 2, 3, 4, 5, 6);

        assertThat(ledger.resume(e -> pick(e, all), e -> pick(e, all))).isEqualTo(4);

        assertThat(ledger.next("w0", T0)).isEqualTo(new Assignment.Finished());
    }

    @Test
    void a_started_training_cannot_resume_from_a_checkpoint() {
        TaskLedger ledger = start(spec());
        lease(ledger, "w0");

        assertThatThrownBy(() -> ledger.resume(e -> bits(), e -> bits()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("cannot resume from a checkpoint: the training has begun");
    }

    @Test
    void pushes_that_the_training_does_not_have_are_refused() {
        TaskLedger ledger = start(spec().maxMinibatches(3));

        assertThatThrownBy(() -> ledger.resume(e -> bits(0, 5), e -> bits(0, 5)))
                .hasMessage("the parameter shards hold minibatch 5 of epoch 1, which is not to be trained;"
                        + " maxMinibatches is 3");
    }
}
