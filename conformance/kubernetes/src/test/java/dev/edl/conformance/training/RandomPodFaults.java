package dev.edl.conformance.training;

import dev.edl.Job;
import dev.edl.conformance.Checks;
import dev.edl.conformance.Kubectl;
import dev.edl.conformance.OnCluster;
import dev.edl.examples.FaultPlan;
import dev.edl.examples.RandomFaults;
import dev.edl.examples.WorkerPauseFile;
import dev.edl.exec.ReplicaStatus;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.k8s.LogFollower;
import dev.edl.k8s.render.PodOptions;
import dev.edl.runtime.program.MasterLog;
import dev.edl.runtime.program.ProgramJobs;
import dev.edl.status.JobPhase;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Checks a training in pods under twelve faults of a seed. Replicas are killed by signal 9, also two at once, or
 * stopped for longer than their lease; pods are deleted by force. The training must end within its bound, and no other
 * replica may be relaunched. {@code JDK_JAVA_OPTIONS=-Dedl.faults.seed=7 conformance/kubernetes/run randompodfaults}
 * replays a seed.
 */
@OnCluster(value = "--nodes 3", alone = true)
class RandomPodFaults {
    private static final String NAMESPACE = "edl-random-faults";
    private static final int RECORDS = 40_000;
    private static final int FAULTS = 12;
    /** Fewest faults that must strike; those at the end of the training may come too late. */
    private static final int LEAST = 8;

    /** Shortest time of the training, so that a fast machine does not end it before its faults. */
    private static final Duration PACED = Duration.ofSeconds(60);

    private static final Duration BEGUN = Duration.ofMinutes(3);
    /** From the begin of the training to the end of the job. */
    private static final Duration TRAINED = Duration.ofMinutes(5);

    @Test
    void a_training_in_pods_survives_seeded_faults() throws Exception {
        long seed = Long.getLong("edl.faults.seed", new Random().nextInt(10_000));
        System.out.println("kubernetes: seed " + seed);
        Path folder = Files.createTempDirectory("edl-random-faults-");
        try (KubernetesClient client = new KubernetesClientBuilder().build()) {
            RepeatedDigits.write(folder, RECORDS);
            WorkerPauseFile held = new WorkerPauseFile(
                    folder.resolve(HeldMnist.HOLDS),
                    IntStream.range(1, 20).mapToDouble(part -> part / 20.0).toArray());
            MnistPods.open(folder);
            MnistPods.image();
            Checks.namespace(client, NAMESPACE, true);
            Checks.volume(folder, NAMESPACE, "fileserver");
            Job job = ProgramJobs.image(MnistPods.IMAGE, "/data", Long.toString(FaultPlan.LEASE.toSeconds()))
                    .name("faults")
                    .namespace(NAMESPACE)
                    .volume("mount_path=/data,claim_name=fileserver-claim")
                    .request(Checks.size(client, "256Mi"))
                    .master(all -> {})
                    .ps(2, all -> {})
                    .workers(3, all -> {})
                    .build();
            PodOptions options = PodOptions.builder().runAsUser(1000).build();
            try (KubernetesExecutor executor = KubernetesExecutor.using(client, options);
                    KubernetesRun run = executor.submit(job);
                    MasterLog training = MasterLog.of(job.name());
                    LogFollower log = run.logs("master", training)) {
                run.onEvent(event -> System.out.println("  " + event));
                training.onTraining(held::heard);
                strike(client, seed, run, training, held);
                Checks.check(log.awaitEnd(Duration.ofSeconds(30)), "the master's log must end");
                MnistPods.ended(training, NAMESPACE, "elasticdl-faults-master", RECORDS);
            }
        } finally {
            MnistPods.remove(folder);
        }
    }

    private static void strike(
            KubernetesClient client, long seed, KubernetesRun run, MasterLog training, WorkerPauseFile held)
            throws InterruptedException {
        Checks.until(
                "the training begins",
                BEGUN,
                () -> state(client, run, training),
                () -> training.progress().isPresent());
        long began = System.nanoTime();
        try (RandomFaults faults = RandomFaults.startInPods(
                seed,
                FAULTS,
                run,
                training::progress,
                MnistPods::pid,
                pod -> !client.pods()
                        .inNamespace(NAMESPACE)
                        .withName(pod)
                        .withGracePeriod(0)
                        .delete()
                        .isEmpty(),
                line -> System.out.println("kubernetes: " + line))) {
            Checks.until("the training of seed " + seed + " ends", TRAINED, () -> state(client, run, training), () -> {
                held.goOn((System.nanoTime() - began) / (double) PACED.toNanos());
                return run.status().phase().ended();
            });
            System.out.println("kubernetes: seed " + seed + ": " + faults.struck() + " of " + FAULTS
                    + " faults struck; the job ended after " + (System.nanoTime() - began) / 1_000_000_000 + " s: "
                    + run.status().phase());
            Checks.check(
                    run.status().phase() == JobPhase.SUCCEEDED,
                    "the training of seed " + seed + " must succeed, but\n" + state(client, run, training));
            // The master's log may not have ended yet; the caller then checks its result.
            List<String> unexplained = faults.unexplained();
            Checks.check(unexplained.isEmpty(), "seed " + seed + ": no fault explains " + unexplained);
            Checks.check(faults.struck() >= LEAST, "seed " + seed + ": only " + faults.struck() + " faults struck");
        }
    }

    /** Returns the pods with their states, and the newest lines of their logs. */
    private static String state(KubernetesClient client, KubernetesRun run, MasterLog training) {
        StringBuilder state = new StringBuilder(Kubectl.run("get", "pods", "--namespace", NAMESPACE, "--output", "wide")
                + run + "\n" + training + "\n");
        for (ReplicaStatus replica : run.status().replicas()) {
            state.append("--- ").append(replica.name()).append('\n');
            try {
                state.append(client.pods()
                        .inNamespace(NAMESPACE)
                        .withName(replica.name())
                        .tailingLines(20)
                        .getLog());
            } catch (KubernetesClientException none) {
                state.append(none.getMessage()).append('\n');
            }
        }
        return state.toString();
    }
}
