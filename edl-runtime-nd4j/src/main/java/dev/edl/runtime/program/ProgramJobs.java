package dev.edl.runtime.program;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.program.ProgramClassPath;
import dev.edl.runtime.wire.auth.JobToken;
import dev.edl.runtime.wire.tls.ChannelSecurity;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * Builders of jobs whose replicas run a program of {@link TrainingProgram}: as processes of this machine with the
 * class path of this JVM, or as pods of an image.
 *
 * <pre>{@code
 * Job job = ProgramJobs.here(Mnist.class).name("mnist").ps(2).workers(4).elastic(1, 8).build();
 * try (ProcessExecutor executor = ProcessExecutor.create(); ProcessRun run = executor.submit(job)) {
 *   run.awaitResult(Duration.ofMinutes(5));
 * }
 * }</pre>
 */
public final class ProgramJobs {
    /** Path of the file with the job's token in a pod. */
    private static final String TOKEN = "/run/edl/token";

    private ProgramJobs() {}

    /**
     * Returns the builder of a job with this JVM's class path; its framework is elasticdl, and it has a master. Each
     * job has its own run id, because a master continues the checkpoints that a run of the same id left in
     * the checkpoint directory.
     *
     * @param program class whose {@code main} calls {@link TrainingProgram}
     * @param args given to the program in each replica
     * @throws IllegalArgumentException if {@link ProgramClassPath#of} refuses the class
     */
    public static JobBuilder here(Class<?> program, String... args) {
        return here(Job.builder().elasticdl(), program, args)
                // The following settings apply to all roles, not only to the master.
                .master(master -> {});
    }

    /**
     * Returns the builder of a composed job that runs a program with this JVM's class path, as {@link #here(Class,
     * String...)} does.
     *
     * @param job its framework is elasticdl
     * @throws IllegalArgumentException if {@link ProgramClassPath#of} refuses the class
     */
    public static JobBuilder here(Job job, Class<?> program, String... args) {
        return here(job.toBuilder(), program, args);
    }

    private static JobBuilder here(JobBuilder job, Class<?> program, String... args) {
        return training(job.command(ProgramClassPath.of(program).command()), args);
    }

    /**
     * Returns the builder of a job whose replicas are pods of an image.
     *
     * <p>The image starts the program: its entry point is a command such as
     * {@code java -cp /app/classes:/app/libs/* com.example.Mnist}, and {@link TrainingProgram} does the rest. The
     * job's framework is elasticdl, which implies a master, and it has its own run id.
     *
     * <pre>{@code
     * Job job = ProgramJobs.image("registry.example/acme/mnist:1").name("mnist")
     *     .volume("mount_path=/data,claim_name=fileserver-claim")
     *     .master().priority(HIGH).ps(2).priority(HIGH).workers(4).priority(LOW).elastic(1, 8).build();
     * }</pre>
     *
     * <p>A submitting program with module edl-k8s creates the Secret {@code edl-token-NAME-RUN}, which the replicas
     * find by {@code EDL_TOKEN_FILE}: {@value #TOKEN}. Their connections use TLS; {@code .env("EDL_TLS", "off")} turns
     * it off, and the path of a folder uses its certificates. The master reports the training in its log, which
     * {@link MasterLog} reads.
     *
     * @param image name of an image with the program, its class path and a Java runtime
     * @param args given to the program in each replica
     */
    public static JobBuilder image(String image, String... args) {
        return image(Job.builder().elasticdl().image(image), args).env(ChannelSecurity.OPTION, ChannelSecurity.TOKEN);
    }

    /**
     * Returns the builder of a composed job whose replicas are pods of a program, as {@link #image(String, String...)}
     * does. The job has the images, and their command if it is not their entry point. If a role has {@code EDL_TLS}, the
     * job keeps it.
     *
     * @param job its framework is elasticdl
     * @param args given to the program in each replica
     */
    public static JobBuilder image(Job job, String... args) {
        JobBuilder pods = image(job.toBuilder(), args);
        boolean chosen = job.plan().roles().stream()
                .anyMatch(role -> role.template().env().containsKey(ChannelSecurity.OPTION));
        return chosen ? pods : pods.env(ChannelSecurity.OPTION, ChannelSecurity.TOKEN);
    }

    private static JobBuilder image(JobBuilder job, String... args) {
        return training(job, args)
                .env(JobToken.TOKEN_FILE, TOKEN)
                .env(SubmitterEventWriter.VARIABLE, SubmitterEventWriter.LOG);
    }

    private static JobBuilder training(JobBuilder job, String... args) {
        job.runId(runId());
        if (args.length > 0) {
            job.args(args);
        }
        // Each replica has its share of the processors; a native library would start a thread for each processor.
        return job.env("OMP_NUM_THREADS", "1");
    }

    private static String runId() {
        byte[] id = new byte[8];
        new SecureRandom().nextBytes(id);
        return HexFormat.of().formatHex(id);
    }
}
