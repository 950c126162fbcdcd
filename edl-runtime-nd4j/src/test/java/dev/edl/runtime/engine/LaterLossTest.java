package dev.edl.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.TrainingBuilder;
import dev.edl.runtime.inprocess.Fixture;
import dev.edl.runtime.inprocess.LogisticModel;
import dev.edl.runtime.proof.LedgerProof;
import dev.edl.runtime.task.Assignment;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Losses of servers after, or together with, a takeover by a master in another process. */
class LaterLossTest extends Takeover {
    private static TrainingBuilder withoutDirectory() {
        return Fixture.training(new LogisticModel(Fixture.FEATURES));
    }

    /** Loses a server; its successor gets a life from a master. */
    private void restart(int index, MasterOf by) throws IOException {
        by.shards.detach(index, server(index));
        servers[index] = null;
        by.connect(index);
    }

    @Test
    void a_server_that_is_lost_after_a_restart_from_scratch_gets_its_pushes_again() throws Exception {
        try (MasterOf first = new MasterOf("first", withoutDirectory())) {
            first.lead();
            // Their successors have no record.
            restart(0, first);
            restart(1, first);
        }
        try (MasterOf second = new MasterOf("second", withoutDirectory())) {
            second.lead();
            assertThat(second.master.proof().origin()).isEqualTo(LedgerProof.Origin.ANEW);
            second.work("worker-0");
            restart(1, second);
            second.master.look(second.retry);

            assertThat(second.master.ledgerProgress().tasksDone()).isZero();
            second.train();
        }
    }

    @Test
    void a_life_that_a_replaced_master_began_gets_its_pushes_again() throws Exception {
        try (MasterOf first = new MasterOf("first", withoutDirectory());
                MasterOf second = new MasterOf("second", withoutDirectory())) {
            first.lead();
            first.work("worker-0");
            second.lead();
            // The first master's process has not ended yet.
            restart(1, first);
            second.shards.attach(1, server(1));

            second.train();
        }
    }

    @Test
    void a_successor_knows_the_failures_of_its_runs_checkpoint_if_all_servers_are_lost() throws Exception {
        try (MasterOf first = new MasterOf("first", training())) {
            first.lead();
            first.work("worker-0");
            first.master.report(((Assignment.Lease) first.master.next("worker-0")).task(), UNREADABLE);
            first.master.look(first.retry);
            first.checkpoint();
        }
        Arrays.fill(servers, null);
        try (MasterOf second = new MasterOf("second", training())) {
            assertThat(second.lead().failures()).hasSize(1);
            second.train();
        }
    }
}
