package dev.edl.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingCallback;
import dev.edl.runtime.TrainingControl;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.TrainingResult;
import dev.edl.runtime.engine.files.TrainingStore;
import dev.edl.runtime.engine.ports.RegistrationPort;
import dev.edl.runtime.inprocess.Fixture;
import dev.edl.runtime.inprocess.LogisticModel;
import dev.edl.runtime.ps.group.TestShards;
import dev.edl.runtime.task.Assignment;
import dev.edl.runtime.task.Task;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A parameter server is absent while a master writes the result. */
@Timeout(60)
class EndWithoutServerTest {
    @TempDir
    Path folder;

    private final List<String> told = Collections.synchronizedList(new ArrayList<>());
    /** Opened once the master has called a callback, or passed that point. */
    private final CountDownLatch further = new CountDownLatch(1);

    private final class Listening implements TrainingCallback {
        @Override
        public boolean repeatable() {
            return true;
        }

        @Override
        public void onEvaluation(long version, Map<String, Double> metrics, TrainingControl control) {
            told.add("evaluation " + version);
            further.countDown();
        }

        @Override
        public void onEnd(TrainingResult result) {
            told.add("end");
        }
    }

    @Test
    void callbacks_hear_the_last_evaluation_and_the_end() throws Exception {
        Training training = Fixture.training(new LogisticModel(Fixture.FEATURES))
                .callback(new Listening())
                .export(folder.resolve("model.npz"))
                .onTraining(event -> {
                    if (event instanceof TrainingEvent.Exported) {
                        further.countDown();
                    }
                })
                .build();
        try (TrainingStore store = TrainingStore.open(training, 1);
                EventHub events = new EventHub("unit", training.listeners())) {
            TestShards shards = new TestShards(List.of(store.newShard(0)), Duration.ofMillis(5));
            SharedTrainingState services = new SharedTrainingState(
                    "master", training, shards, store, events, null, null, RunClock.of(() -> Instant.EPOCH));
            AbsentServerRetry retry = services.waits(() -> {});
            TrainingMaster master = MasterRunner.master(services, services.lead(), event -> {});
            RegistrationPort registration = new LocalRegistrationPort(master, services);
            MasterRunner.comeUp(master, services, master.shards(), retry);
            services.publish(master);
            master.decisions().stop("enough", retry);
            master.runIteration(retry);
            measure(master);
            assertThat(master.finished()).isTrue();
            shards.detach(0);
            Thread server = new Thread(() -> {
                try {
                    if (further.await(30, TimeUnit.SECONDS)) {
                        Servers.start(registration, services, 0);
                    }
                } catch (InterruptedException stop) {
                    Thread.currentThread().interrupt();
                }
            });
            server.start();

            new MasterRunner(new ReplicaContext("master", 0), services).finish(master);

            server.join();
            assertThat(told).containsExactly("evaluation 0", "end");
        }
    }

    private static void measure(TrainingMaster master) {
        while (!master.openEvaluations().isEmpty()) {
            Task task = ((Assignment.Lease) master.next("worker-0")).task();
            long records = task.records();
            master.evaluated(task, new double[][] {{records, records}, {records, records}});
        }
    }
}
