package dev.edl.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.engine.ports.MasterPort;
import dev.edl.runtime.inprocess.Fixture;
import dev.edl.runtime.inprocess.LogisticModel;
import dev.edl.runtime.task.Assignment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Absences that a master reports; the test sets the time. */
class ReportedAbsenceTest {
    @TempDir
    Path folder;

    private final List<String> told = new CopyOnWriteArrayList<>();
    private OneJvm run;

    @BeforeEach
    void start() throws Exception {
        run = new OneJvm(Fixture.training(new LogisticModel(Fixture.FEATURES))
                .checkpointDirectory(folder.resolve("checkpoints"))
                .checkpointSteps(50)
                .build());
        run.onTraining(event -> {
            if (event instanceof TrainingEvent.ReplicaAbsent || event instanceof TrainingEvent.ReplicaReturned) {
                told.add(event.toString());
            }
        });
        run.bringBack(0);
        run.bringBack(1);
    }

    @AfterEach
    void close() {
        run.close();
    }

    /** Lets the master look once a second for some seconds; returns the events since. */
    private List<String> poll(int seconds) throws InterruptedException {
        told.clear();
        for (int i = 0; i < seconds; i++) {
            run.pass(Duration.ofSeconds(1));
            MasterRunner.reportAbsences(run.master(), run.services);
        }
        run.events.drain(Duration.ofSeconds(30));
        return List.copyOf(told);
    }

    @Test
    void an_absent_server_is_reported_with_what_waits_for_it() throws Exception {
        assertThat(poll(30)).isEmpty();
        run.group.detach(0);
        assertThat(poll(11)).containsExactly("ps-0 is absent for 10s; the master and the checkpoint wait for it");
        run.master("worker-0").next();
        run.master("worker-1").next();

        assertThat(poll(10)).containsExactly("ps-0 is absent for 20s; 2 workers and the checkpoint wait for it");
        run.bringBack(0);
        assertThat(poll(30)).containsExactly("ps-0 has returned after 21s");
    }

    /** Begins a task whose first minibatch takes a second, then a second minibatch. */
    private MasterPort worker(String name) {
        MasterPort worker = run.master(name);
        assertThat(worker.next()).isInstanceOf(Assignment.Lease.class);
        worker.minibatchStarted();
        run.pass(Duration.ofSeconds(1));
        worker.gradientComputed();
        worker.minibatchStarted();
        return worker;
    }

    @Test
    void a_silent_worker_is_reported_if_it_holds_a_task() throws Exception {
        MasterPort worker = worker("worker-0");

        // Ten seconds until it counts as silent, and ten of silence.
        assertThat(poll(21)).containsExactly("worker-0 is absent for 10s; its tasks wait for it");
        worker.gradientComputed();
        worker.minibatchStarted();
        assertThat(poll(1)).containsExactly("worker-0 has returned after 11s");
    }

    @Test
    void a_worker_that_renews_its_lease_is_not_silent() throws Exception {
        MasterPort worker = run.master("worker-0");
        Assignment.Lease lease = (Assignment.Lease) worker.next();
        worker.minibatchStarted();
        run.pass(Duration.ofSeconds(1));
        worker.gradientComputed();
        for (int i = 0; i < 20; i++) {
            worker.touch(lease.task());
            assertThat(poll(5)).isEmpty();
        }
    }

    @Test
    void an_evaluation_that_no_worker_takes_is_reported() throws Exception {
        run.publish();
        run.master().decisions().stop("enough", run.services.waits(() -> {}));
        run.watch();
        assertThat(run.master().openEvaluations()).hasSize(1);

        assertThat(poll(11)).containsExactly("every worker is absent for 10s; its tasks wait for it");
        assertThat(run.master("worker-0").next()).isInstanceOf(Assignment.Lease.class);
        assertThat(poll(1)).containsExactly("every worker has returned after 11s");
    }

    @Test
    void workers_that_wait_for_a_server_are_not_absent() throws Exception {
        worker("worker-0");
        run.group.detach(1);

        assertThat(poll(22))
                .containsExactly(
                        "ps-1 is absent for 10s; 1 worker and the checkpoint wait for it",
                        "ps-1 is absent for 20s; 1 worker and the checkpoint wait for it");
    }

    @Test
    void a_worker_whose_lease_has_expired_is_lost_until_it_calls_again() throws Exception {
        run.publish();
        MasterPort worker = worker("worker-0");
        run.pass(Duration.ofMinutes(5));
        run.watch();

        assertThat(poll(151)).containsExactly("worker-0 is absent for 2m30s; other workers do its tasks");
        worker.leave();
        assertThat(poll(200)).singleElement().asString().startsWith("worker-0 has returned after 2m3");
    }
}
