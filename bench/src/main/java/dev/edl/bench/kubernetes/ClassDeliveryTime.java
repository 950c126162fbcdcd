package dev.edl.bench.kubernetes;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.bench.harness.Figure;
import dev.edl.bench.harness.Measurement;
import dev.edl.bench.harness.MeasurementSettings;
import dev.edl.bench.harness.PeerSoftware;
import dev.edl.bench.harness.RoundRatios;
import dev.edl.image.ClaimedProgram;
import dev.edl.image.ClassPathClaim;
import dev.edl.image.ProgramDelivery;
import dev.edl.image.PushedImage;
import dev.edl.image.PushedJars;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.k8s.render.PodOptions;
import dev.edl.program.ProgramClassPath;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraintBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * Time from a changed class to running pods. The program's class path is that of the benchmarks, with ND4J; its class
 * changes before each turn. A turn begins with the upload or push, and ends when a watch has seen all four workers of a
 * job run, spread over three nodes.
 *
 * <ul>
 *   <li>{@code kubernetes.deliver.image}: an image in a registry, {@link dev.edl.image.ProgramImage#push}.
 *   <li>{@code kubernetes.deliver.claim}: a claim of a folder of the machine, {@link ClassPathClaim#upload}.
 *   <li>{@code kubernetes.deliver.volume}: jars as an image volume, {@link dev.edl.image.ProgramImage#pushJars}.
 *   <li>{@code kubernetes.deliver.jib}: time of Jib's Maven plugin, with the same registry and runtime, divided by that
 *       of {@code image}. Maven starts in each turn, and compiles nothing.
 * </ul>
 *
 * <p>The first three ratios are the time of the job alone plus 2 s, the bound, divided by the time of the turn. The job
 * alone is a job whose image all nodes have. It has its turn in each of at most five rounds.
 *
 * <p>The conditions also list the first delivery, with an empty cache on this machine, an empty repository or claim,
 * and nodes without the program. It is taken once, because nodes keep what they have pulled. The image's first delivery
 * includes the runtime by {@code jlink}; those of the claim and the volume do not, because the nodes have an image with
 * it before. After the end of a turn, the logs must have the line of the changed class; the conditions list that time.
 */
public final class ClassDeliveryTime implements Measurement {
    private static final double BOUND_SECONDS = 2;
    private static final int MOST_ROUNDS = 5;
    private static final int WORKERS = 4;
    private static final long LIMIT_NANOS = 120_000_000_000L;
    private static final Duration CLAIM_LIMIT = Duration.ofMinutes(5);
    private static final String RUNTIME = "edl.local/java:1";
    private static final String CLAIM = "classes";
    private static final String LABEL = "bench";

    private final Figure image = new Figure(
            "kubernetes.deliver.image", 1, "a job's start plus 2 s over that with a changed class by an image");
    private final Figure claim = new Figure(
            "kubernetes.deliver.claim", 1, "a job's start plus 2 s over that with a changed class by a claim");
    private final Figure volume = new Figure(
            "kubernetes.deliver.volume", 1, "a job's start plus 2 s over that with a changed class by an image volume");
    private final Figure jib = new Figure(
            "kubernetes.deliver.jib",
            1,
            "time of Jib's Maven plugin from a changed class to running pods over an image's");

    /**
     * Job that runs a delivered program.
     *
     * @param sent bytes that this machine sent
     */
    private record DeliveredJob(JobBuilder job, long sent) {}

    /** Way by which the program's classes reach the pods. */
    @FunctionalInterface
    private interface Way {
        DeliveredJob deliver() throws Exception;
    }

    /**
     * Times since the beginning of a delivery, in seconds.
     *
     * @param delivered end of the upload or push
     * @param running all pods ran
     * @param printed all pods had printed the program's line
     * @param sent bytes that this machine sent
     */
    private record Turn(double delivered, double running, double printed, long sent) {}

    @Override
    public List<Figure> figures() {
        return List.of(image, claim, volume, jib);
    }

    @Override
    public RoundRatios measure(MeasurementSettings settings) throws Exception {
        Path folder = Files.createTempDirectory("edl-bench-delivery-");
        try (TestCluster cluster = new TestCluster()) {
            if (!cluster.real()) {
                throw new IllegalStateException("kubernetes.deliver needs real nodes, since fake ones pull no image;"
                        + " bench/run starts real nodes as root");
            }
            try (TestRegistry registry = new TestRegistry(folder);
                    KubernetesExecutor executor = cluster.executor(spread())) {
                Deliveries deliveries = new Deliveries(
                        cluster,
                        executor,
                        registry,
                        cluster.namespace("deliver"),
                        folder,
                        new ChangingProgram(folder.resolve("classes")));
                return deliveries.measure(settings);
            }
        } finally {
            delete(folder);
        }
    }

    /** Measurement on one cluster. */
    private final class Deliveries {
        private final TestCluster cluster;
        private final KubernetesExecutor executor;
        private final TestRegistry registry;
        private final String namespace;
        private final Path folder;
        private final ChangingProgram program;
        private final RoundRatios rounds = new RoundRatios();
        private final Map<Figure, Turn> firsts = new LinkedHashMap<>();
        private String latest = "";
        private String latestLine = "";
        private int jobs;

        Deliveries(
                TestCluster cluster,
                KubernetesExecutor executor,
                TestRegistry registry,
                String namespace,
                Path folder,
                ChangingProgram program) {
            this.cluster = cluster;
            this.executor = executor;
            this.registry = registry;
            this.namespace = namespace;
            this.folder = folder;
            this.program = program;
        }

        RoundRatios measure(MeasurementSettings settings) throws Exception {
            Map<Figure, Way> ways = new LinkedHashMap<>();
            // First, because the runtime's image below has the same layer of the runtime.
            ways.put(image, this::image);
            first(image, this::image);
            runtime();
            if (settings.wants(claim)) {
                volume();
                ways.put(claim, this::claim);
                first(claim, this::claim);
            }
            if (settings.wants(volume)) {
                List<String> missing = missing();
                if (missing.isEmpty()) {
                    ways.put(volume, this::jars);
                    first(volume, this::jars);
                } else {
                    rounds.add(volume, 0)
                            .note(volume, "NOT MEASURED, image volumes need " + String.join(", ", missing));
                }
            }
            if (settings.wants(jib)) {
                JibPlugin plugin = new JibPlugin(
                        PeerSoftware.top().resolve("conformance/peers/jib/pom.xml"),
                        Files.createDirectory(folder.resolve("jib")),
                        program,
                        program.runtime(folder.resolve("runtime"))
                                .build()
                                .push(registry.host() + "/bench/java")
                                .reference(),
                        registry.host() + "/bench/jib");
                Way way = () -> jib(plugin);
                ways.put(jib, way);
                first(jib, way);
            }
            for (int i = 0; i < Math.min(settings.rounds(), MOST_ROUNDS); i++) {
                round(ways, i);
            }
            firsts.forEach((figure, turn) -> rounds.side(figure, "the first delivery %.1f s", turn.running())
                    .side(figure, "delivered after %.1f s", turn.delivered())
                    .side(figure, "%.1f MB sent", turn.sent() / 1e6));
            cluster.remove(namespace);
            return rounds;
        }

        /** Measures a round; the order of the ways changes in each round. */
        private void round(Map<Figure, Way> ways, int number) throws Exception {
            List<Map.Entry<Figure, Way>> order = new ArrayList<>(ways.entrySet());
            Collections.rotate(order, number);
            Map<Figure, Turn> turns = new LinkedHashMap<>();
            Optional<Turn> before = number % 2 == 0 ? Optional.of(alone()) : Optional.empty();
            for (Map.Entry<Figure, Way> way : order) {
                program.change();
                turns.put(way.getKey(), turn(way.getValue(), program.line()));
            }
            Turn alone = before.isPresent() ? before.get() : alone();
            double own = Objects.requireNonNull(turns.get(image)).running();
            turns.forEach((figure, turn) -> {
                rounds.add(
                        figure,
                        figure.equals(jib) ? turn.running() / own : (alone.running() + BOUND_SECONDS) / turn.running());
                rounds.side(figure, "changed class to running pods %.2f s", turn.running());
                if (figure.equals(jib)) {
                    rounds.side(figure, "by an image %.2f s", own);
                }
                rounds.side(figure, "the job alone %.2f s", alone.running())
                        .side(figure, "beyond it %.2f s", turn.running() - alone.running())
                        .side(figure, "%.2f times its time", turn.running() / alone.running())
                        .side(figure, "delivered after %.2f s", turn.delivered())
                        .side(figure, "%.0f kB sent", turn.sent() / 1e3)
                        .side(figure, "printed after %.2f s", turn.printed())
                        .side(figure, "the job alone printed after %.2f s", alone.printed());
            });
        }

        /** Measures the first delivery. */
        private void first(Figure figure, Way way) throws Exception {
            program.change();
            firsts.put(figure, turn(way, program.line()));
        }

        /** Runs the job whose image all nodes have. */
        private Turn alone() throws Exception {
            String reference = latest;
            return turn(() -> new DeliveredJob(named().image(reference), 0), latestLine);
        }

        private Turn turn(Way way, String line) throws Exception {
            long begin = System.nanoTime();
            DeliveredJob delivery = way.deliver();
            double delivered = seconds(begin);
            Job job = delivery.job()
                    .namespace(namespace)
                    .request("cpu=100m,memory=128Mi")
                    .limit("cpu=" + Runtime.getRuntime().availableProcessors() + ",memory=256Mi")
                    .workers(WORKERS)
                    .build();
            // The watch begins after the upload, whose pod is not counted.
            try (PodWatch pods = new PodWatch(cluster.client(), namespace);
                    KubernetesRun run = executor.submit(job)) {
                pods.running(WORKERS);
                double running = seconds(begin);
                for (int i = 0; i < WORKERS; i++) {
                    String worker = "worker-" + i;
                    until(
                            "\"" + line + "\" in the log of " + worker,
                            () -> run.log(worker, 10).stream()
                                    .anyMatch(one -> one.text().equals(line)));
                }
                double printed = seconds(begin);
                run.cancel();
                until(
                        "the end of the pods of " + job.name(),
                        () -> cluster.client()
                                .pods()
                                .inNamespace(namespace)
                                .list()
                                .getItems()
                                .isEmpty());
                return new Turn(delivered, running, printed, delivery.sent());
            }
        }

        private DeliveredJob image() throws IOException, InterruptedException {
            PushedImage pushed = program.image(folder.resolve("images")).build().push(registry.host() + "/bench/image");
            latest = pushed.reference();
            latestLine = program.line();
            return new DeliveredJob(named().image(pushed.reference()), pushed.sentBytes());
        }

        private DeliveredJob claim() throws IOException, InterruptedException {
            ClaimedProgram uploaded = ClassPathClaim.of(cluster.client(), namespace, CLAIM)
                    .upload(
                            program.with(() -> ProgramClassPath.of(DeliveredProgram.class)),
                            RUNTIME,
                            CLAIM_LIMIT,
                            progress -> {});
            return new DeliveredJob(uploaded.on(named()).image(RUNTIME), uploaded.sentBytes());
        }

        private DeliveredJob jars() throws IOException, InterruptedException {
            PushedJars pushed =
                    program.image(folder.resolve("jars")).build().pushJars(registry.host() + "/bench/volume");
            return new DeliveredJob(
                    pushed.on(named()).image(RUNTIME), pushed.image().sentBytes());
        }

        private DeliveredJob jib(JibPlugin plugin) throws IOException, InterruptedException {
            long before = registry.bytes();
            String reference = plugin.push();
            return new DeliveredJob(named().image(reference), registry.bytes() - before);
        }

        private JobBuilder named() {
            return Job.builder().tensorflow().name("deliver-" + ++jobs);
        }

        /** Loads the image with a Java runtime into the nodes. */
        private void runtime() throws IOException, InterruptedException {
            Path archive = folder.resolve("java.tar");
            program.runtime(folder.resolve("runtime")).build().writeArchive(archive, RUNTIME);
            TestCluster.command(
                    PeerSoftware.top().resolve("conformance/cluster/image").toString(), archive.toString());
        }

        /** Creates a claim of a folder of this machine, which pods of all nodes can mount. */
        private void volume() throws IOException {
            Path shared = Files.createDirectory(folder.resolve("claim"));
            Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));
            Map<String, Quantity> size = Map.of("storage", new Quantity("1Gi"));
            cluster.client()
                    .resource(new PersistentVolumeBuilder()
                            .withNewMetadata()
                            .withName(CLAIM)
                            .endMetadata()
                            .withNewSpec()
                            .withCapacity(size)
                            .withAccessModes("ReadWriteMany")
                            .withStorageClassName("")
                            .withNewHostPath()
                            .withPath(shared.toString())
                            .endHostPath()
                            .endSpec()
                            .build())
                    .create();
            cluster.client()
                    .resource(new PersistentVolumeClaimBuilder()
                            .withNewMetadata()
                            .withName(CLAIM)
                            .withNamespace(namespace)
                            .endMetadata()
                            .withNewSpec()
                            .withAccessModes("ReadWriteMany")
                            .withStorageClassName("")
                            .withVolumeName(CLAIM)
                            .withNewResources()
                            .withRequests(size)
                            .endResources()
                            .endSpec()
                            .build())
                    .create();
        }

        /** Returns the requirements of image volumes that the cluster lacks. */
        private List<String> missing() throws InterruptedException {
            ProgramDelivery works = ProgramDelivery.preflight(cluster.client(), namespace, null);
            List<String> missing = new ArrayList<>(works.imageVolume());
            // The registry exists, but has no TLS.
            missing.removeAll(works.image());
            return missing;
        }
    }

    /** Returns options by which a job's pods are spread over all real nodes, so that each of them has the classes. */
    private static PodOptions spread() {
        return TestCluster.onRealNodes().toBuilder()
                .pod(pod -> pod.edit()
                        .editMetadata()
                        .addToLabels(LABEL, "deliver")
                        .endMetadata()
                        .editSpec()
                        .addToTopologySpreadConstraints(new TopologySpreadConstraintBuilder()
                                .withMaxSkew(1)
                                .withTopologyKey("kubernetes.io/hostname")
                                .withWhenUnsatisfiable("DoNotSchedule")
                                // Otherwise the fake nodes would count, which no pod of the job tolerates.
                                .withNodeTaintsPolicy("Honor")
                                .withLabelSelector(new LabelSelectorBuilder()
                                        .addToMatchLabels(LABEL, "deliver")
                                        .build())
                                .build())
                        .endSpec()
                        .build())
                .build();
    }

    private static double seconds(long begin) {
        return (System.nanoTime() - begin) / 1e9;
    }

    private static void until(String what, BooleanSupplier holds) throws InterruptedException {
        long end = System.nanoTime() + LIMIT_NANOS;
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("there was not within 120 s: " + what);
            }
            Thread.sleep(50);
        }
    }

    private static void delete(Path folder) throws IOException {
        List<Path> files;
        try (Stream<Path> tree = Files.walk(folder)) {
            files = tree.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : files) {
            Files.deleteIfExists(file);
        }
    }
}
