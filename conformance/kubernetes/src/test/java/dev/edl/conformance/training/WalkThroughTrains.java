package dev.edl.conformance.training;

import dev.edl.Job;
import dev.edl.Priority;
import dev.edl.conformance.Checks;
import dev.edl.conformance.Cluster;
import dev.edl.conformance.Kubectl;
import dev.edl.conformance.OnCluster;
import dev.edl.examples.HeldFiles;
import dev.edl.examples.mnist.MnistSizedDigits;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.k8s.LogFollower;
import dev.edl.k8s.render.PodOptions;
import dev.edl.runtime.Progress;
import dev.edl.runtime.program.MasterLog;
import dev.edl.runtime.program.ProgramJobs;
import dev.edl.runtime.program.TrainingSummary;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks ElasticDL's tutorial with pods that train: two parameter servers, a master and four workers on a volume of
 * RecordIO files. A worker is deleted; a service of high priority preempts three workers, and later releases their
 * room.
 */
@OnCluster(value = "--nodes 3", alone = true)
class WalkThroughTrains {
    private static final String NAMESPACE = "edl-trains";
    private static final String IMAGE = "edl.local/mnist:1";
    private static final int RECORDS = 60_000;
    /** Shares of the training after which the data are held back until the change has been observed. */
    private static final double DELETED = 0.2;

    private static final double PREEMPTED = 0.4;
    private static final double GIVEN_BACK = 0.6;
    private static final double SEEN = 0.8;

    private static final Duration TRAINED = Duration.ofSeconds(200);
    private static final Duration FETCHED = Duration.ofSeconds(30);

    @Test
    void the_tutorial_trains_in_pods() throws Exception {
        Path folder = Files.createTempDirectory("edl-trains-");
        try (KubernetesClient client = new KubernetesClientBuilder().build()) {
            MnistSizedDigits.write(folder, RECORDS);
            HeldFiles held = new HeldFiles(folder.resolve(HeldMnist.HOLDS), DELETED, PREEMPTED, GIVEN_BACK, SEEN);
            open(folder);
            image();
            Checks.namespace(client, NAMESPACE, true);
            volume(folder);
            PodOptions options = PodOptions.builder()
                    .priorityClass("high", 1_000_000)
                    .priorityClass("low", 1000)
                    .runAsUser(1000)
                    .build();
            Job job = job(size(client));
            try (KubernetesExecutor executor = KubernetesExecutor.using(client, options);
                    KubernetesRun run = executor.submit(job);
                    MasterLog training = MasterLog.of(job.name());
                    LogFollower log = run.logs("master", training)) {
                training.onTraining(held::heard);
                run.onEvent(event -> System.out.println("  " + event));
                walk(run, training, job, held);
                held.goOn(1);
                run.awaitSuccess(TRAINED);
                Checks.check(log.awaitEnd(Duration.ofSeconds(30)), "the master's log must end");
                ended(training);
                fetched(run, folder);
            }
            try (KubernetesExecutor later = KubernetesExecutor.using(client, options);
                    KubernetesRun run = later.attach(NAMESPACE, job.name())) {
                fetched(run, folder);
                refused(run);
                System.out.println("kubernetes: the model is read from the volume, also by a program that attaches");
            }
        } finally {
            remove(folder);
        }
    }

    private static void walk(KubernetesRun run, MasterLog training, Job job, HeldFiles held)
            throws InterruptedException {
        running(run, 4);
        grep("worker-0", "Loss");
        grep("master", "Evaluation");
        System.out.println("kubernetes: all replicas run, a worker logs its loss and the master its evaluations");

        deaf(run, "master", 50001);
        deaf(run, "ps-0", 2222);
        System.out.println("kubernetes: master and server do not listen on their pod's loopback address");

        Kubectl.run("delete", "pod", "--namespace", NAMESPACE, "--wait=false", "elasticdl-test-mnist-worker-0");
        Checks.until("worker-4 takes over", run::toString, () -> isRunning(run, "worker-4"));
        joined(run, held, 5);
        held.goOn(DELETED);
        grep("worker-4", "Loss");
        System.out.println("kubernetes: worker-0 was deleted, and worker-4 trains");

        Checks.until("half of it is trained", training::toString, () -> held.reached(PREEMPTED));
        service(job, 5);
        Checks.until("three workers are preempted", run::toString, () -> workers(run) == 1 && serving() == 5);
        long before = records(training);
        held.goOn(PREEMPTED);
        Checks.until("one worker trains on", training::toString, () -> records(training) > before);
        Checks.until("it trains on", training::toString, () -> held.reached(GIVEN_BACK));
        System.out.println("kubernetes: a service of 5 preempted 3 of 4 workers, and the job trains with one");

        service(job, 1);
        running(run, 4);
        joined(run, held, 8);
        held.goOn(GIVEN_BACK);
        String last = run.status().replicas().stream()
                .map(replica -> replica.name())
                .filter(name -> name.contains("worker"))
                .max(Comparator.comparing((String name) -> Integer.parseInt(name.replaceAll(".*-", ""))))
                .orElseThrow();
        grep(last.replace("elasticdl-test-mnist-", ""), "Loss");
        System.out.println("kubernetes: the service was scaled to 1, and 4 workers train");
    }

    /** A forwarded port ends at the pod's loopback address. */
    private static void deaf(KubernetesRun run, String replica, int port) throws InterruptedException {
        try (ByteChannel channel = run.connect(replica, port)) {
            int read = channel.read(ByteBuffer.allocate(1));
            Checks.check(read < 0, replica + " must not answer on its loopback address, but sent a byte");
        } catch (IOException refused) {
            System.out.println("  " + replica + ": " + refused.getMessage());
        }
    }

    private static void ended(MasterLog training) throws Exception {
        TrainingSummary result = training.result().orElseThrow();
        System.out.println("kubernetes: " + result.toString().replace("\n", "; "));
        Checks.check(result.exactlyOnce(), "each record must be applied once, but " + result.proof());
        double accuracy = result.metrics().getOrDefault("accuracy", 0.0);
        Checks.check(accuracy >= 0.96, "the accuracy must be at least 0.96, was " + accuracy);
        String log = Kubectl.run("logs", "--namespace", NAMESPACE, "elasticdl-test-mnist-master");
        Checks.check(log.contains(result.proof()), "the master's log must have the proof, but is\n" + log);
    }

    /** Checks that the model fetched by the submitter equals that of the volume. */
    private static void fetched(KubernetesRun run, Path folder) throws Exception {
        byte[] written = Files.readAllBytes(folder.resolve("model.npz"));
        Checks.check(written.length > 0, "the volume must have the model");
        Checks.check(
                Arrays.equals(run.read("/data/model.npz", FETCHED), written),
                "the model that was read must be the volume's");
        Path copy = Files.createTempFile("edl-model-", ".npz");
        run.read("/data/model.npz", FETCHED, copy);
        Checks.check(Files.mismatch(copy, folder.resolve("model.npz")) < 0, "the copy must be the volume's model");
        Files.delete(copy);
        noReader();
    }

    private static void refused(KubernetesRun run) throws Exception {
        for (String path : List.of("/data/none.npz", "/data/mnist")) {
            try {
                run.read(path, FETCHED);
                Checks.check(false, path + " was read");
            } catch (IOException e) {
                System.out.println("  " + e);
                Checks.check(
                        e.toString().contains(path + " was not read: " + path), "the reason must be told, but is " + e);
            }
        }
        noReader();
    }

    private static void noReader() {
        String pods = Kubectl.run("get", "pods", "--namespace", NAMESPACE);
        Checks.check(!pods.contains("-reader-"), "no reader may be left, but there are\n" + pods);
    }

    private static Job job(String size) {
        return ProgramJobs.image(IMAGE, "/data")
                .name("test-mnist")
                .namespace(NAMESPACE)
                .volume("mount_path=/data,claim_name=fileserver-claim")
                .request(size)
                .master(master -> master.priority(Priority.HIGH))
                .ps(2, ps -> ps.priority(Priority.HIGH))
                .workers(4, workers -> workers.priority(Priority.LOW).elastic(1, 4))
                .build();
    }

    /** Returns the size of a pod, of which three fit a node, and four do not. */
    private static String size(KubernetesClient client) {
        Quantity cpu = client.nodes()
                .withName("node-1")
                .get()
                .getStatus()
                .getAllocatable()
                .get("cpu");
        int milli =
                Quantity.getAmountInBytes(cpu).multiply(BigDecimal.valueOf(300)).intValue();
        return "cpu=" + milli + "m,memory=256Mi";
    }

    /** Creates an image of this program's class path. */
    private static void image() throws Exception {
        Path archive = Files.createTempFile("edl-mnist-", ".tar");
        Checks.command(
                "python3",
                Cluster.scripts() + "/java_image.py",
                archive.toString(),
                IMAGE,
                System.getProperty("java.class.path"),
                HeldMnist.class.getName());
        Checks.command(Cluster.scripts() + "/image", archive.toString());
        Files.delete(archive);
    }

    private static void volume(Path folder) throws Exception {
        Kubectl.run("apply", "-f", Checks.file("""
                apiVersion: v1
                kind: PersistentVolume
                metadata: {name: fileserver}
                spec:
                  capacity: {storage: 1Gi}
                  accessModes: [ReadWriteMany]
                  storageClassName: ""
                  hostPath: {path: %s}
                ---
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: fileserver-claim, namespace: %s}
                spec:
                  accessModes: [ReadWriteMany]
                  storageClassName: ""
                  resources: {requests: {storage: 1Gi}}
                """.formatted(folder, NAMESPACE)));
    }

    private static void service(Job job, int replicas) throws InterruptedException {
        String cpu = job.plan()
                .role("worker")
                .template()
                .requests()
                .orElseThrow()
                .amounts()
                .get("cpu");
        try {
            Kubectl.run("apply", "-f", Checks.file("""
                    apiVersion: apps/v1
                    kind: Deployment
                    metadata: {name: test-nginx, namespace: %s}
                    spec:
                      replicas: %d
                      selector: {matchLabels: {app: nginx}}
                      template:
                        metadata: {labels: {app: nginx}}
                        spec:
                          priorityClassName: high
                          terminationGracePeriodSeconds: 1
                          securityContext: {runAsNonRoot: true, runAsUser: 1000, seccompProfile: {type: RuntimeDefault}}
                          containers:
                          - name: nginx
                            image: edl.local/busybox:1
                            command: [sh, -c, "trap exit TERM; while true; do sleep 0.1; done"]
                            resources: {requests: {cpu: %s, memory: 256Mi}}
                            securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}
                    """.formatted(NAMESPACE, replicas, cpu)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long serving() {
        return Kubectl.run("get", "pods", "--namespace", NAMESPACE, "-l", "app=nginx")
                .lines()
                .filter(line -> line.contains("Running"))
                .count();
    }

    private static void running(KubernetesRun run, int workers) throws InterruptedException {
        Checks.until(
                "seven replicas run",
                run::toString,
                () -> workers(run) == workers
                        && isRunning(run, "ps-0")
                        && isRunning(run, "ps-1")
                        && isRunning(run, "master"));
    }

    private static void joined(KubernetesRun run, HeldFiles held, int workers) throws InterruptedException {
        Checks.until(workers + " workers have read data", run::toString, () -> held.joined(workers));
    }

    private static long workers(KubernetesRun run) {
        return run.status().replicas().stream()
                .filter(replica ->
                        replica.name().contains("-worker-") && replica.status().equals("Running"))
                .count();
    }

    private static boolean isRunning(KubernetesRun run, String replica) {
        return run.status().replicas().stream()
                .anyMatch(one ->
                        one.name().endsWith("-" + replica) && one.status().equals("Running"));
    }

    private static long records(MasterLog training) {
        return training.progress().map(Progress::recordsDone).orElse(0L);
    }

    /** Does what a person does by kubectl and grep. */
    private static void grep(String replica, String word) throws InterruptedException {
        String pod = "elasticdl-test-mnist-" + replica;
        Checks.until(
                "kubectl logs " + pod + " | grep " + word,
                () -> Kubectl.run("logs", "--namespace", NAMESPACE, pod),
                () -> Kubectl.run("logs", "--namespace", NAMESPACE, pod).contains(word));
    }

    /** The pods' user writes into the folder. */
    private static void open(Path folder) throws Exception {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isDirectory).toList()) {
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxrwxrwx"));
            }
        }
    }

    private static void remove(Path folder) throws Exception {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
