package dev.edl.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.inprocess.Fixture;
import dev.edl.runtime.inprocess.SteppedModel;
import dev.edl.runtime.inprocess.Waits;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KilledMasterTest {
    @TempDir
    Path folder;

    @Test
    void frequently_killed_masters_still_write_checkpoints() throws Exception {
        SteppedModel model = new SteppedModel(Fixture.FEATURES);
        CountDownLatch written = new CountDownLatch(1);
        Training training = Fixture.training(model)
                .checkpointDirectory(folder)
                .checkpointSteps(40)
                .onTraining(event -> {
                    if (event instanceof TrainingEvent.CheckpointWritten) {
                        written.countDown();
                    }
                })
                .build();
        try (Replicas replicas = new Replicas(training)) {
            AtomicReference<Replicas.Replica> master = new AtomicReference<>(replicas.start("master", 0));
            model.before(step -> {
                if (step == 30 || step == 60) {
                    Objects.requireNonNull(master.get()).stop();
                    master.set(replicas.start("master", 0));
                } else if (step == 61) {
                    // Sixty steps without a checkpoint, of which this master saw one.
                    Waits.on(written);
                }
            });
            replicas.start("ps", 0);
            replicas.start("ps", 1);
            Replicas.Replica worker = replicas.start("worker", 0);

            assertThat(worker.end()).isNull();
            assertThat(Objects.requireNonNull(master.get()).end()).isNull();
        }
    }
}
