package dev.edl.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingBuilder;
import dev.edl.runtime.engine.ports.MasterPort;
import dev.edl.runtime.engine.ports.RegistrationContract;
import dev.edl.runtime.engine.ports.RegistrationPort;
import dev.edl.runtime.engine.ports.ShardSlot;
import dev.edl.runtime.inprocess.Fixture;
import dev.edl.runtime.inprocess.LogisticModel;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ports.ShardsPort;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalRegistrationPortContractTest extends RegistrationContract {
    @TempDir
    Path folder;

    @Override
    protected Run start(TrainingBuilder training) throws Exception {
        return new InOneJvm(new OneJvm(training.checkpointDirectory(folder).build()));
    }

    /** Otherwise a worker's gradient for a lost server would count for the new server. */
    @Test
    void a_process_that_restarts_at_term_1_reuses_no_earlier_life() throws Exception {
        Training training =
                Fixture.training(new LogisticModel(Fixture.FEATURES)).build();
        List<ShardLife> lives = new ArrayList<>();
        for (String process : List.of("first", "second")) {
            try (OneJvm jvm = new OneJvm(training)) {
                jvm.services.runBy("run", process);
                lives.add(jvm.registration().register(0).life());
            }
        }

        assertThat(lives).containsExactly(new ShardLife("run/first", 1, 0), new ShardLife("run/second", 1, 0));
        assertThat(lives).allMatch(life -> life.isOf("run"));
    }

    private record InOneJvm(OneJvm jvm) implements Run {
        @Override
        public RegistrationPort registration() {
            return jvm.registration();
        }

        @Override
        public ShardSlot slot(int shard) {
            return Servers.slot(jvm.services, shard);
        }

        @Override
        public MasterPort master(String worker) {
            return jvm.master(worker);
        }

        @Override
        public ShardsPort shards(String worker) {
            return jvm.group.worker(worker);
        }

        @Override
        public void watch() throws InterruptedException {
            jvm.watch();
        }

        @Override
        public void replace() {
            jvm.replace();
        }

        @Override
        public void checkpoint() throws InterruptedException, IOException {
            jvm.services.checkpoint(jvm.group.cut());
        }

        @Override
        public String run() {
            return "master";
        }

        @Override
        public void close() {
            jvm.close();
        }
    }
}
