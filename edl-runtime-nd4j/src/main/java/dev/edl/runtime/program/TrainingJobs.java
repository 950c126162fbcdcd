package dev.edl.runtime.program;

import dev.edl.Job;
import dev.edl.JobBuilder;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Jobs whose replicas are processes of this machine with the class path of this JVM.
 *
 * <pre>{@code
 * Job job = TrainingJobs.here(Mnist.class).name("mnist").ps(2).workers(4).elastic(1, 8).build();
 * try (ProcessExecutor executor = ProcessExecutor.create(); ProcessRun run = executor.submit(job)) {
 *   run.awaitResult(Duration.ofMinutes(5));
 * }
 * }</pre>
 */
public final class TrainingJobs {
    private TrainingJobs() {}

    /**
     * Returns the builder of a job of this JVM's class path: its framework is elasticdl, and it has a master. Each job has a run id of
     * its own, since a master goes on with the journal that a run of the same id has left beside the checkpoints.
     *
     * @param program its {@code main} calls {@link TrainingProgram}
     * @param args given to the program in each replica
     */
    public static JobBuilder here(Class<?> program, String... args) {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        String separator = System.getProperty("path.separator");
        String classPath = Arrays.stream(System.getProperty("java.class.path").split(separator, -1))
                .filter(entry -> !entry.isEmpty())
                .map(entry -> Path.of(entry).toAbsolutePath().normalize().toString())
                .collect(Collectors.joining(separator));
        List<String> command = new ArrayList<>(List.of(java.toString()));
        // What this JVM may do, its replicas may: --enable-native-access and the like. Heap and agents are a process's
        // own.
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> option.startsWith("--"))
                .forEach(command::add);
        command.addAll(List.of("-cp", classPath, program.getName()));
        // Each replica has its share of the processors; the threads of a native library would take all of them in each.
        JobBuilder job = Job.builder().elasticdl().runId(runId()).command(command.toArray(String[]::new));
        if (args.length > 0) {
            job.args(args);
        }
        return job.env("OMP_NUM_THREADS", "1")
                // What is said next is for all roles, and not for the master alone.
                .master(master -> {});
    }

    private static String runId() {
        byte[] id = new byte[8];
        new SecureRandom().nextBytes(id);
        return HexFormat.of().formatHex(id);
    }
}
