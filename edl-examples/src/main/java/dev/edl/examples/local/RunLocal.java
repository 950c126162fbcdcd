package dev.edl.examples.local;

import dev.edl.Job;
import dev.edl.cli.CommandRunner;
import dev.edl.examples.FlagMistakes;
import dev.edl.examples.OnOffFlag;
import dev.edl.exec.JobStatus;
import dev.edl.exec.local.LocalExecutor;
import dev.edl.exec.local.LocalRun;
import dev.edl.plan.RolePlan;
import dev.edl.program.ProgramClassPath;
import dev.edl.spec.RoleType;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Runs a TensorFlow-like job as local processes: a chief, a parameter server and elastic workers. Each replica is a
 * small Java program that finds the others by {@code TF_CONFIG}. A worker fails and is relaunched, then the workers are
 * scaled.
 */
@Command(
        name = "edl-examples/run local",
        description = "Runs a chief, a parameter server and elastic workers as processes of this machine, on loopback,"
                + " with the environment that TensorFlow would get. A worker ends with an exit code and is relaunched;"
                + " then the workers are scaled.",
        sortOptions = false)
public final class RunLocal implements Callable<Integer> {
    private static final Duration LIMIT = Duration.ofMinutes(5);
    /** Workers per processor above which the example warns that it takes long. */
    private static final int MANY = 8;

    @Option(names = "--workers", paramLabel = "N", description = "Workers at the start. Default: ${DEFAULT-VALUE}")
    private int workers = 2;

    @Option(
            names = "--scale",
            paramLabel = "N",
            description = "Workers from the relaunch on, or from the start without one. Default: ${DEFAULT-VALUE}")
    private int scale = 4;

    @Option(
            names = "--steps",
            paramLabel = "N",
            description = "Steps that all workers do together. Default: ${DEFAULT-VALUE}")
    private int steps = 60;

    @Option(
            names = "--fail",
            paramLabel = "on|off",
            description = "Whether worker 0 ends with exit code 3 at its third step, once. Default: ${DEFAULT-VALUE}")
    private OnOffFlag fail = OnOffFlag.on;

    @SuppressWarnings("UnusedVariable")
    @Option(names = "--help", usageHelp = true, description = "Shows this text.")
    private boolean help;

    private final PrintStream out;

    /** Creates an example that prints to a stream. */
    RunLocal(PrintStream out) {
        this.out = out;
    }

    /**
     * Runs the example; exits with 0 when the job succeeded, 1 when it failed, 2 when a flag is wrong, and 130 on Ctrl-C,
     * which ends every process first.
     */
    public static void main(String[] args) {
        System.exit(CommandRunner.run(new RunLocal(System.out), System.err, args));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        new FlagMistakes()
                .atLeast(1, "--workers", workers, 2)
                .atLeast(1, "--scale", scale, 4)
                .atLeast(1, "--steps", steps, 60)
                .end();
        Path folder = Files.createTempDirectory("edl-local-");
        int most = Math.max(workers, scale);
        int processors = Runtime.getRuntime().availableProcessors();
        if (most > MANY * processors) {
            out.println(most + " workers are " + (most + 2) + " JVMs on " + processors
                    + " processors: about a second each to start, and 50 MB of memory");
        }
        try {
            return run(folder);
        } finally {
            Files.deleteIfExists(folder.resolve("failed"));
            Files.delete(folder);
        }
    }

    private Job job(Path folder) {
        return Job.named("hello")
                .tensorflow()
                .command(ProgramClassPath.of(Replica.class)
                        .command("-Xmx64m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"))
                .args(
                        Integer.toString(steps),
                        fail == OnOffFlag.on ? folder.resolve("failed").toString() : "-")
                .chief()
                .ps(1)
                .workers(workers)
                .elastic(1, Math.max(workers, scale))
                .build();
    }

    private int run(Path folder) throws InterruptedException {
        Job job = job(folder);
        out.println(job);
        long start = System.nanoTime();
        try (LocalExecutor local =
                        LocalExecutor.builder().logsTo(out).directory(folder).build();
                LocalRun run = local.submit(job)) {
            for (RolePlan role : run.plan().roles()) {
                out.println("  " + role.type() + " at " + run.plan().endpoints(role));
            }
            out.println();
            run.onEvent(event -> heard(run, event));
            if (fail == OnOffFlag.off) {
                scale(run);
            }
            JobStatus end = run.await(LIMIT);
            out.println();
            out.println("job hello " + end.phase() + ": " + end.message());
            run.close();
            out.printf(
                    Locale.ROOT,
                    "%d processes ran in %.1f s, and none is left%n",
                    run.events().stream()
                            .filter(event -> event.type() == JobEvent.Type.REPLICA_RUNNING)
                            .count(),
                    (System.nanoTime() - start) / 1e9);
            return end.phase() == JobPhase.SUCCEEDED ? 0 : 1;
        }
    }

    private void heard(LocalRun run, JobEvent event) {
        if (List.of(JobEvent.Type.RELAUNCHED, JobEvent.Type.REPLICA_FAILED).contains(event.type())) {
            out.println("-- " + event.message());
        }
        if (event.type() == JobEvent.Type.RELAUNCHED) {
            scale(run);
        }
    }

    private void scale(LocalRun run) {
        if (scale != workers) {
            out.println("-- scaling the workers from " + workers + " to " + scale);
            run.scale(RoleType.WORKER.id(), scale);
        }
    }
}
