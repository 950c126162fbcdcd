package dev.edl.conformance.queues;

import dev.edl.conformance.Checks;
import dev.edl.conformance.training.HeldMnist;
import dev.edl.conformance.training.MnistPods;
import dev.edl.conformance.training.RepeatedDigits;
import dev.edl.examples.WorkerPauseFile;
import dev.edl.k8s.KubernetesRun;
import dev.edl.k8s.LogFollower;
import dev.edl.runtime.program.MasterLog;
import dev.edl.runtime.program.ProgramJobs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * Training of the tutorial in a queue. Jobs of a higher priority take a worker from it, and then all of its pods. It
 * trains with the workers that are left, comes back from its checkpoint, and ends with its proof.
 */
final class QueuedTraining {
    private static final String NAME = "train";
    private static final int RECORDS = 20_000;
    /** Shares of the training after which the data are held back until the change has been observed. */
    private static final double WORKER_TAKEN = 0.2;

    private static final double GIVEN_BACK = 0.4;
    /** After the checkpoint of step 1,000 of 1,565. */
    private static final double ALL_TAKEN = 0.8;

    private static final Duration TRAINED = Duration.ofMinutes(3);
    private static final Duration READ = Duration.ofSeconds(30);

    private final Kueue queue;

    QueuedTraining(Kueue queue) {
        this.queue = queue;
    }

    void trains() throws Exception {
        Path folder = Files.createTempDirectory("edl-kueue-trains-");
        try {
            RepeatedDigits.write(folder, RECORDS);
            WorkerPauseFile held =
                    new WorkerPauseFile(folder.resolve(HeldMnist.HOLDS), WORKER_TAKEN, GIVEN_BACK, ALL_TAKEN);
            MnistPods.open(folder);
            MnistPods.image();
            Checks.volume(folder, queue.namespace, "fileserver");
            KubernetesRun run = queue.running(
                    ProgramJobs.image(MnistPods.IMAGE, "/data")
                            .name(NAME)
                            .namespace(queue.namespace)
                            .volume("mount_path=/data,claim_name=fileserver-claim")
                            .request("cpu=100m,memory=256Mi")
                            .master()
                            .ps(2)
                            .workers(3, role -> role.elastic(1, 3)),
                    6);
            try (MasterLog training = MasterLog.of(NAME);
                    LogFollower log = run.logs("master", training)) {
                training.onTraining(held::heard);
                workerTaken(run, training, held);
                allTaken(run, training, held, folder);
                held.goOn(1);
                run.awaitSuccess(TRAINED);
                Checks.check(log.awaitEnd(READ), "the master's log must end");
                MnistPods.ended(training, queue.namespace, "elasticdl-" + NAME + "-master", RECORDS);
            }
            queue.free("a training that was preempted", NAME);
        } finally {
            MnistPods.remove(folder);
        }
    }

    private void workerTaken(KubernetesRun run, MasterLog training, WorkerPauseFile held) throws InterruptedException {
        reached(WORKER_TAKEN, run, training, held);
        queue.running(queue.urgent("short", 2), 5);
        queue.running(run, 5);
        held.goOn(WORKER_TAKEN);
        reached(GIVEN_BACK, run, training, held);
        System.out.println("kubernetes: a higher priority took a worker, and the training continued with the others");
        queue.executor.delete(queue.namespace, "short");
        queue.running(run, 6);
        Checks.until("the worker that came back reads data", run::toString, () -> held.joined(4));
        held.goOn(GIVEN_BACK);
    }

    private void allTaken(KubernetesRun run, MasterLog training, WorkerPauseFile held, Path folder) throws Exception {
        reached(ALL_TAKEN, run, training, held);
        try (Stream<Path> checkpoints = Files.list(folder.resolve("checkpoints"))) {
            Checks.check(checkpoints.findAny().isPresent(), "the training must have a checkpoint, but " + training);
        }
        queue.running(queue.urgent("long", 7), 10);
        queue.running(run, 0);
        Checks.until(
                "the training waits in the queue",
                () -> run + "\n" + queue.quota.state(),
                () -> run.whyPending("master").orElse("").contains("it waits for Kueue"));
        System.out.println("kubernetes: a higher priority took the whole training, which waits");
        queue.executor.delete(queue.namespace, "long");
        queue.running(run, 6);
    }

    private void reached(double point, KubernetesRun run, MasterLog training, WorkerPauseFile held)
            throws InterruptedException {
        Checks.until(
                "the training has reached " + point,
                TRAINED,
                () -> training + "\n" + run + "\n" + run.events(),
                () -> held.reached(point));
    }
}
