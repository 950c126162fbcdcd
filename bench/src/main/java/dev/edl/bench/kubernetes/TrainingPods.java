package dev.edl.bench.kubernetes;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.bench.harness.Figure;
import dev.edl.bench.harness.Measurement;
import dev.edl.bench.harness.MeasurementSettings;
import dev.edl.bench.harness.PeerSoftware;
import dev.edl.bench.harness.RoundRatios;
import dev.edl.bench.remote.ProcessTrainingSpeed;
import dev.edl.bench.remote.ReplicaMain;
import dev.edl.bench.remote.StepCounts;
import dev.edl.bench.runtime.BenchmarkTrainings;
import dev.edl.image.ProgramImage;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.k8s.render.PodOptions;
import dev.edl.runtime.program.ProgramJobs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/**
 * Speed of the training of {@link ProcessTrainingSpeed} as pods of one real node, compared with two peers. One is the same training
 * as processes of the machine. The other is a pod of the same image, node and resources whose bare JVM only loads the
 * backend and computes one minibatch.
 *
 * <ul>
 * <li>{@code kubernetes.training}: records per second of the pods, divided by those of the processes.
 * <li>{@code kubernetes.training.start}: time of the bare JVM, divided by the time from the start of the first worker's
 * pod to that worker's first applied push.
 * <li>{@code kubernetes.training.join}: time of the bare JVM, divided by the time from a worker's deletion to its
 * successor's first applied push.
 * </ul>
 *
 * <p>The pod of the bare JVM runs alone for {@code start}, and beside the
 * training for {@code join}. A pod counts as started when its JVM starts, by the JVM's clock, because the pod's status
 * has whole seconds and a delay. Model, window and applied push are those of {@link ProcessTrainingSpeed}. The pods write their
 * counts to a file of the machine that is mounted as their volume. The processes run while the cluster is idle.
 *
 * <p>The medians of three rounds were 0.94, 0.32 and 1.04, on two processors shared only with the cluster. Each goal is a
 * third lower, for noise. The measurement uses its own stopwatch, because each time is that of a single event.
 */
public final class TrainingPods implements Measurement {
    private static final String IMAGE = "edl.local/bench:1";
    private static final String VOLUME = "/counts";
    private static final int MOST_ROUNDS = 3;

    private final Figure training = new Figure(
            "kubernetes.training", 0.63, "records a second of a training in pods of one node over those by processes");
    private final Figure start = new Figure(
            "kubernetes.training.start",
            0.21,
            "a bare JVM's time to a minibatch in a pod over that from a worker's pod that runs to its first push");
    private final Figure join = new Figure(
            "kubernetes.training.join",
            0.7,
            "a bare JVM's time to a minibatch in a pod over that from a worker's deletion to its successor's first push");

    @Override
    public List<Figure> figures() {
        return List.of(training, start, join);
    }

    @Override
    public RoundRatios measure(MeasurementSettings settings) throws Exception {
        RoundRatios rounds = new RoundRatios();
        try (TestCluster cluster = new TestCluster()) {
            if (!cluster.real()) {
                throw new IllegalStateException("kubernetes.training needs a real node, since fake ones run no program;"
                        + " bench/run starts real nodes as root");
            }
            image();
            for (int i = 0; i < Math.min(settings.rounds(), MOST_ROUNDS); i++) {
                boolean first = i % 2 == 0;
                double processes = first ? new ProcessTrainingSpeed().processes(settings, new RoundRatios()) : 0;
                double pods = pods(cluster, settings, rounds);
                processes = first ? processes : new ProcessTrainingSpeed().processes(settings, new RoundRatios());
                rounds.add(training, pods / processes)
                        .side(training, "pods %.0f records/s", pods)
                        .side(training, "processes %.0f records/s", processes);
            }
        }
        return rounds;
    }

    /**
     * Runs the training in pods and returns its records per second. Adds the ratios of {@code start} and {@code join}
     * to the rounds.
     */
    private double pods(TestCluster cluster, MeasurementSettings settings, RoundRatios rounds) throws Exception {
        PodOptions node = TestCluster.onRealNodes().toBuilder()
                .nodeSelector("kubernetes.io/hostname", "node-1")
                .build();
        String namespace = cluster.namespace("training");
        try (KubernetesExecutor executor = cluster.executor(node)) {
            double alone = bareMillis(executor, namespace, "alone");
            Path file = file();
            StepCounts counts = StepCounts.of(file);
            JobBuilder job = sized(ProgramJobs.image(IMAGE, VOLUME), namespace, "training", file)
                    .ps(ProcessTrainingSpeed.PS)
                    .workers(ProcessTrainingSpeed.WORKERS)
                    .elastic(1, ProcessTrainingSpeed.WORKERS);
            try (KubernetesRun run = executor.submit(job.build())) {
                BenchmarkTrainings.await("the first push of " + run, () -> counts.millis(1) > 0);
                rounds.add(start, alone / counts.millis(1))
                        .side(start, "bare JVM %.0f ms", alone)
                        .side(start, "worker %.0f ms", counts.millis(1));
                BenchmarkTrainings.await(
                        "all workers of " + run, () -> counts.millis(ProcessTrainingSpeed.WORKERS) > 0);
                double rate = ProcessTrainingSpeed.rate(run, counts::steps, settings);
                double beside = bareMillis(executor, namespace, "beside");
                long deleted = System.nanoTime();
                run.delete("worker-0");
                BenchmarkTrainings.await(
                        "the successor in " + run, () -> counts.millis(ProcessTrainingSpeed.WORKERS + 1) > 0);
                double joined = (System.nanoTime() - deleted) / 1e6;
                rounds.add(join, beside / joined)
                        .side(join, "bare JVM %.0f ms beside the training", beside)
                        .side(join, "successor %.0f ms", joined)
                        .side(join, "of which its JVM %.0f ms", counts.millis(ProcessTrainingSpeed.WORKERS + 1));
                return rate;
            }
        } finally {
            cluster.remove(namespace);
        }
    }

    /**
     * Runs a pod and returns the milliseconds that its JVM takes to start, load the backend and compute one minibatch.
     */
    private static double bareMillis(KubernetesExecutor executor, String namespace, String name) throws Exception {
        Path file = file();
        StepCounts counts = StepCounts.of(file);
        // A job of one pod, whose environment has no variable for the program.
        JobBuilder job =
                Job.builder().tensorflow().image(IMAGE).args(VOLUME, "alone").env("OMP_NUM_THREADS", "1");
        try (KubernetesRun run =
                executor.submit(sized(job, namespace, name, file).workers(1).build())) {
            BenchmarkTrainings.await("the minibatch of " + run, () -> counts.millis(1) > 0);
            return counts.millis(1);
        }
    }

    /**
     * Returns the job with a name, the file of counts as its volume, and pods that may use all processors, as the
     * processes may.
     */
    private static JobBuilder sized(JobBuilder job, String namespace, String name, Path counts) {
        return job.namespace(namespace)
                .name(name)
                .volume("mount_path=" + VOLUME + ",type=File,host_path=" + counts)
                .request("cpu=100m,memory=128Mi")
                .limit("cpu=" + Runtime.getRuntime().availableProcessors() + ",memory=4Gi");
    }

    /** Creates a file that the pods' user may write to. */
    private static Path file() throws IOException {
        Path file = Files.createTempFile("edl-bench-", ".counts");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
        file.toFile().deleteOnExit();
        return file;
    }

    /** Loads an image with this program's class path into the nodes. */
    private static void image() throws IOException, InterruptedException {
        Path scripts = PeerSoftware.top().resolve("conformance/cluster");
        Path archive = Files.createTempFile("edl-bench-", ".tar");
        ProgramImage.of(ReplicaMain.class).writeArchive(archive, IMAGE);
        TestCluster.command(scripts.resolve("image").toString(), archive.toString());
        Files.delete(archive);
    }
}
