package dev.edl.runtime.task;

import static dev.edl.runtime.task.Ledgers.T0;
import static dev.edl.runtime.task.Ledgers.drain;
import static dev.edl.runtime.task.Ledgers.lease;
import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.proof.TaskType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A ledger without training: it evaluates or predicts. */
class PassOnlyTest {
    private static final List<DataShard> SHARDS = List.of(new DataShard("p", 6), new DataShard("q", 3));

    private static LedgerSpec.Builder spec() {
        return LedgerSpec.builder().minibatchSize(2).minibatchesPerTask(2);
    }

    @Test
    void a_prediction_hands_out_every_record_once_and_proves_it() {
        List<LedgerEvent> journal = new ArrayList<>();
        LedgerSpec spec = spec().prediction(SHARDS).build();
        TaskLedger ledger = TaskLedger.start(spec, journal::add);
        assertThat(ledger.next("early", T0)).isEqualTo(new Assignment.Finished());

        ledger.evaluate(7);
        Task task = lease(ledger, "w0");
        ledger.workerGone("w0");
        drain(ledger, "w1");

        assertThat(task.type()).isEqualTo(TaskType.PREDICTION);
        assertThat(task).hasToString("task 1: p[0..4) at version 7");
        assertThat(ledger.finished()).isTrue();
        assertThat(ledger.complete(task, T0).accepted()).isFalse();
        assertThat(ledger.proof().holds()).isTrue();
        assertThat(ledger.proof())
                .hasToString("each of 9 records predicted exactly once (1 task recovered, 1 late report ignored)");
        assertThat(StateImage.of(Ledgers.replay(spec, journal, event -> {}))).isEqualTo(StateImage.of(ledger));
    }

    @Test
    void the_proof_detects_a_lost_completion_of_an_evaluation() {
        List<LedgerEvent> journal = new ArrayList<>();
        TaskLedger ledger = TaskLedger.start(spec().evaluation(SHARDS).build(), journal::add);
        ledger.evaluate(0);
        drain(ledger, "w0");
        assertThat(ledger.proof()).hasToString("each of 9 records evaluated exactly once");

        journal.remove(journal.size() - 1);

        assertThat(ProofCalculator.of(ledger.spec(), journal))
                .hasToString("NOT each of 9 records evaluated exactly once:"
                        + " evaluation of version 0: 6 records once, 3 never, 0 more than once");
    }
}
