package dev.edl.bench.remote;

import dev.edl.Job;
import dev.edl.bench.harness.Figure;
import dev.edl.bench.harness.Measurement;
import dev.edl.bench.harness.Rounds;
import dev.edl.bench.harness.Settings;
import dev.edl.bench.runtime.Trainings;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.k8s.render.PodOptions;
import dev.edl.runtime.program.ProgramJobs;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;

/**
 * A training whose replicas are pods of one real node, beside a pod of the same image whose JVM only computes.
 *
 * <ul>
 *   <li>{@code kubernetes.training.start}: time of the bare JVM over that from the first worker's pod that runs, as its submitter sees
 *       it, to the first applied push.
 *   <li>{@code kubernetes.training.rate}: records a second in the steady state, over those of the same training as processes of this
 *       machine, which run behind it while the cluster is idle.
 *   <li>{@code kubernetes.training.join}: the same over the time from a worker's deletion to its successor's first applied push.
 * </ul>
 *
 * <p>The bare JVM loads the backend and computes one minibatch; it runs alone, before the training. Model, data and roles are those of
 * {@link Processes}, which says when a push counts as applied; the pods count in a file of the machine, on a volume that is its folder.
 *
 * <p>Where there are no real nodes no figure is taken. A stopwatch of our own, because each is one event.
 */
public final class Pods implements Measurement {
    private static final String NAMESPACE = "bench-training";
    private static final String IMAGE = "edl.local/bench:1";
    private static final String COUNTS = "/counts";
    private static final int MOST_ROUNDS = 3;
    private static final int WORKERS = 2;
    private static final int PS = 2;
    private static final Duration LIMIT = Duration.ofSeconds(120);

    private final Figure start = new Figure(
            "kubernetes.training.start",
            0.1,
            "a bare JVM's time to a minibatch over that from a worker's pod that runs to the first push");
    private final Figure rate = new Figure(
            "kubernetes.training.rate",
            0.3,
            "records a second of a training in pods of one node over those as processes of this machine");
    private final Figure join = new Figure(
            "kubernetes.training.join",
            0.1,
            "a bare JVM's time to a minibatch over that from a worker's deletion to its successor's first push");

    @Override
    public List<Figure> figures() {
        return List.of(start, rate, join);
    }

    @Override
    public Rounds measure(Settings settings) throws Exception {
        Rounds rounds = new Rounds();
        try (KubernetesClient client = new KubernetesClientBuilder().build()) {
            if (client.nodes().withoutLabel("type", "kwok").list().getItems().isEmpty()) {
                return rounds;
            }
            image();
            client.resource(new NamespaceBuilder()
                            .withNewMetadata()
                            .withName(NAMESPACE)
                            .endMetadata()
                            .build())
                    .create();
            Trainings.await(
                    "the namespace's account",
                    () -> client.serviceAccounts()
                                    .inNamespace(NAMESPACE)
                                    .withName("default")
                                    .get()
                            != null);
            for (int i = 0; i < Math.min(settings.rounds(), MOST_ROUNDS); i++) {
                round(client, rounds, settings);
            }
            client.namespaces().withName(NAMESPACE).delete();
        }
        figures()
                .forEach(figure -> rounds.note(
                        figure,
                        "one real node, " + WORKERS + " workers, " + PS + " servers, MLP, batch " + Processes.BATCH));
        return rounds;
    }

    private void round(KubernetesClient client, Rounds rounds, Settings settings) throws Exception {
        Path folder = Files.createTempDirectory("edl-bench-");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path file = folder.resolve("counts");
        StepCounts counts = StepCounts.of(file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
        try (KubernetesExecutor executor = KubernetesExecutor.using(client, options(folder))) {
            double alone = bareMillis(executor);
            double inPods;
            Job job = ProgramJobs.image(IMAGE, COUNTS + "/counts")
                    .name("training")
                    .namespace(NAMESPACE)
                    .request("cpu=100m,memory=512Mi")
                    .master()
                    .ps(PS)
                    .workers(WORKERS)
                    .elastic(1, WORKERS)
                    .build();
            try (KubernetesRun run = executor.submit(job)) {
                Trainings.await("a worker's pod of " + run, () -> runs(run));
                long running = System.nanoTime();
                Trainings.await("the first push of " + run, () -> counts.workers(2) > 0);
                add(rounds, start, alone, millisSince(running));
                Trainings.await("all workers of " + run, () -> counts.workers(2) == WORKERS);
                inPods = Processes.rate(run, counts::steps, settings);
                long deleted = System.nanoTime();
                run.delete("worker-0");
                Trainings.await("the successor of " + run, () -> counts.workers(2) > WORKERS);
                add(rounds, join, alone, millisSince(deleted));
            }
            executor.delete(NAMESPACE, "training");
            gone(client);
            double processes = Processes.rate(settings);
            rounds.add(rate, inPods / processes)
                    .side(rate, "pods %.0f records/s", inPods)
                    .side(rate, "processes %.0f records/s", processes);
        } finally {
            Files.deleteIfExists(file);
            Files.delete(folder);
        }
    }

    private static void add(Rounds rounds, Figure figure, double bare, double pod) {
        rounds.add(figure, bare / pod).side(figure, "bare JVM %.0f ms", bare).side(figure, "training %.0f ms", pod);
    }

    private static boolean runs(KubernetesRun run) {
        return run.status().replicas().stream()
                .anyMatch(one -> one.name().contains("-worker-") && one.status().equals("Running"));
    }

    /** How long the JVM of a pod takes to load the backend and to compute one minibatch. */
    private static double bareMillis(KubernetesExecutor executor) throws InterruptedException {
        Job job = Job.named("bare")
                .namespace(NAMESPACE)
                .image(IMAGE)
                .command("/opt/java/bin/java", "-cp", "/app/libs/*", BareJvm.class.getName())
                .env("OMP_NUM_THREADS", "1")
                .request("cpu=100m,memory=512Mi")
                .master()
                .build();
        try (KubernetesRun run = executor.submit(job)) {
            run.awaitSuccess(LIMIT);
            double millis = run.log("master", 100).stream()
                    .filter(line -> line.text().startsWith(BareJvm.MARK))
                    .mapToDouble(line -> Double.parseDouble(line.text().substring(BareJvm.MARK.length())))
                    .findFirst()
                    .orElseThrow();
            run.close();
            executor.delete(NAMESPACE, "bare");
            return millis;
        }
    }

    private static void gone(KubernetesClient client) throws Exception {
        Trainings.await(
                "the end of all pods",
                () -> client.pods().inNamespace(NAMESPACE).list().getItems().isEmpty());
    }

    private static PodOptions options(Path folder) {
        return PodOptions.builder()
                .runAsUser(1000)
                .nodeSelector("kubernetes.io/hostname", "node-1")
                .pod(pod -> pod.edit()
                        .editSpec()
                        .withTerminationGracePeriodSeconds(1L)
                        .addNewVolume()
                        .withName("counts")
                        .withNewHostPath()
                        .withPath(folder.toString())
                        .endHostPath()
                        .endVolume()
                        .editFirstContainer()
                        .addNewVolumeMount()
                        .withName("counts")
                        .withMountPath(COUNTS)
                        .endVolumeMount()
                        .endContainer()
                        .endSpec()
                        .build())
                .build();
    }

    /** An image of this program's class path. */
    private static void image() throws IOException, InterruptedException {
        Path scripts = Path.of(System.getProperty("edl.bench.top"), "conformance", "cluster");
        Path archive = Files.createTempFile("edl-bench-", ".tar");
        command(
                "python3",
                scripts.resolve("java_image.py").toString(),
                archive.toString(),
                IMAGE,
                System.getProperty("java.class.path"),
                Replica.class.getName());
        command(scripts.resolve("image").toString(), archive.toString());
        Files.delete(archive);
    }

    private static void command(String... words) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(words)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        int code = process.waitFor();
        if (code != 0) {
            throw new IOException(String.join(" ", words) + " ended with exit code " + code);
        }
    }

    private static double millisSince(long began) {
        return (System.nanoTime() - began) / 1e6;
    }
}
