package dev.edl.runtime.remote;

import dev.edl.Job;
import dev.edl.JobBuilder;
import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Jobs whose replicas are processes of this machine with the class path of this JVM.
 *
 * <pre>{@code
 * Job job = TrainingJobs.here(Mnist.class).name("mnist").ps(2).workers(4).elastic(1, 8).build();
 * try (LocalExecutor local = LocalExecutor.create(); LocalRun run = local.submit(job)) {
 *   run.await(Duration.ofMinutes(5));
 * }
 * }</pre>
 */
public final class TrainingJobs {
    private TrainingJobs() {}

    /**
     * Returns the builder of a job of this JVM's class path: its framework is elasticdl, and it has a master.
     *
     * @param program its {@code main} calls {@link EdlMain#run}
     * @param args given to the program in each replica
     */
    public static JobBuilder here(Class<?> program, String... args) {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        String classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> !entry.isEmpty())
                .map(entry -> Path.of(entry).toAbsolutePath().normalize().toString())
                .collect(Collectors.joining(File.pathSeparator));
        // Each replica has its share of the processors; the threads of a native library would take all of them in each.
        JobBuilder job = Job.builder().elasticdl().command(java.toString(), "-cp", classPath, program.getName());
        if (args.length > 0) {
            job.args(args);
        }
        return job.env("OMP_NUM_THREADS", "1")
                // What is said next is for all roles, and not for the master alone.
                .master(master -> {});
    }
}
