package dev.edl.bench.composition;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.k8s.render.Manifests;
import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.render.Workload;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * JMH benchmark of the way from a job's builder to its Kubernetes objects: each call composes, checks, plans and
 * renders the job.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("NullAway.Init") // JMH sets the fields of a state before it calls any other method.
public class CompositionBenchmark {
    private static final int SERVERS = 2;

    /** Size and kind of a job. */
    @State(Scope.Thread)
    public static class Shape {
        /** {@code elasticdl}, {@code mxnet} or {@code tensorflow}. */
        @Param("elasticdl")
        String framework;

        @Param("5000")
        int replicas;

        /**
         * For {@code tensorflow}: with 1 the job has only workers, with more also a chief, parameter servers and an
         * evaluator.
         */
        @Param("1")
        int roles;
    }

    /** Returns the command by which TorchX's process composes the ElasticDL job of {@link #job}. */
    static String peer(int replicas) {
        return "job master=1 ps=" + SERVERS + " worker=" + (replicas - SERVERS - 1);
    }

    /** Returns the job of a {@link Shape} that is measured; {@code roles} counts for TensorFlow only. */
    static Job job(String framework, int replicas, int roles) {
        JobBuilder job = Job.named("mnist")
                .image("example.com/acme/mnist:1")
                .command("python", "/opt/train.py", "--epochs=2", "--minibatch_size=64")
                .env("DATA", "/data/mnist")
                .request("cpu=2,memory=2048Mi");
        switch (framework) {
            case "elasticdl" ->
                job.elasticdl().master(all -> {}).ps(SERVERS, all -> {}).workers(replicas - SERVERS - 1, all -> {});
            case "mxnet" ->
                job.mxnet().scheduler(all -> {}).servers(SERVERS, all -> {}).workers(replicas - SERVERS - 1, all -> {});
            case "tensorflow" -> {
                job.tensorflow().workers(replicas, all -> {});
                if (roles > 1) {
                    job.chief(all -> {}).ps(SERVERS, all -> {}).evaluator(all -> {});
                }
            }
            default -> throw new IllegalArgumentException("there is no job of " + framework);
        }
        return job.build();
    }

    /** Returns the YAML of all Kubernetes objects of the job; the replicas of a role are one indexed Job. */
    public static String text(String framework, int replicas, int roles) {
        return Manifests.of(job(framework, replicas, roles).plan()).toYaml();
    }

    /** Measures from the first call of the builder to the YAML. */
    @Benchmark
    public String text(Shape shape) {
        return text(shape.framework, shape.replicas, shape.roles);
    }

    /** Measures from the first call of the builder to the objects, with a pod for each replica, as TorchX has. */
    @Benchmark
    public List<HasMetadata> pods(Shape shape) {
        return Manifests.of(job(shape.framework, shape.replicas, shape.roles).plan(), PodOptions.none(), Workload.PODS)
                .objects();
    }

    /**
     * Prints the YAML and ends, to measure a fresh JVM and to compare the bytes of several. Arguments:
     * {@code FRAMEWORK REPLICAS}.
     */
    public static void main(String[] args) {
        byte[] yaml = text(args[0], Integer.parseInt(args[1]), 1).getBytes(StandardCharsets.UTF_8);
        System.out.write(yaml, 0, yaml.length);
        System.out.flush();
    }
}
