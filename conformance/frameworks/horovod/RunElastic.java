import dev.edl.Job;
import dev.edl.env.HorovodEnv;
import dev.edl.env.HorovodHosts;
import dev.edl.exec.JobStatus;
import dev.edl.exec.local.LocalExecutor;
import dev.edl.exec.local.LocalRun;
import dev.edl.exec.LogLine;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Planner;
import dev.edl.plan.Profile;
import dev.edl.status.JobPhase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Runs an elastic Horovod job by LocalExecutor and scales it while it trains: {@code RunElastic FOLDER PYTHON HOROVODRUN
 * PROGRAM}. The launcher is horovodrun. The workers only stand for the hosts, which are this machine by each of its names,
 * so that no remote shell is needed; the discovery script follows their number.
 */
final class RunElastic {
    private static final List<HorovodHosts.Host> NAMES =
            List.of(new HorovodHosts.Host("localhost", 1), new HorovodHosts.Host("127.0.0.1", 1));

    private final CompletableFuture<Void> trained = new CompletableFuture<>();
    private final CompletableFuture<Void> grown = new CompletableFuture<>();
    private final Path folder;

    private RunElastic(Path folder) {
        this.folder = folder;
    }

    public static void main(String[] args) throws Exception {
        System.exit(new RunElastic(Path.of(args[0])).run(args[1], args[2], args[3]) ? 0 : 1);
    }

    private boolean run(String python, String horovodrun, String program) throws Exception {
        Path script = folder.resolve("discover_hosts.sh");
        Files.writeString(script, HorovodHosts.script(folder.resolve("hosts").toString()));
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        hosts(1);
        Job job = Job.named("horovod")
                .horovod()
                .relaunchLimit(0)
                .env("PYTHONWARNINGS", "ignore")
                .launcher(launcher -> launcher.command(
                        "sh",
                        "-c",
                        "exec \"$0\" \"$1\" --gloo --network-interface lo $" + HorovodEnv.VARIABLE + " \"$0\" \"$2\"",
                        python,
                        horovodrun,
                        program))
                .workers(1, workers -> workers.elastic(1, 2).command("sleep", "600"))
                .build();
        JobPlan plan = Planner.plan(
                job.spec(), HorovodEnv.of(Profile.ELASTICDL).directory(folder.toString()));
        try (LocalExecutor local = LocalExecutor.builder()
                        .grace(Duration.ofSeconds(5))
                        .logsTo(this::line)
                        .build();
                LocalRun run = local.submit(plan)) {
            CompletableFuture<Void> scaled =
                    trained.thenRunAsync(() -> scale(run, 2)).thenCombineAsync(grown, (a, b) -> {
                        scale(run, 1);
                        return null;
                    });
            JobStatus end = run.await(Duration.ofSeconds(180));
            run.events().forEach(event -> System.out.println("[edl] " + event));
            return end.phase() == JobPhase.SUCCEEDED && scaled.isDone() && !scaled.isCompletedExceptionally();
        }
    }

    /** Called by several threads at once. */
    private synchronized void line(LogLine line) {
        System.out.println(line);
        if (line.text().contains("step 20 of 200 by 1")) {
            trained.complete(null);
        } else if (line.text().matches(".*step [0-9]+ of 200 by 2.*")) {
            grown.complete(null);
        }
    }

    private void scale(LocalRun run, int workers) {
        run.scale("worker", workers);
        hosts(workers);
        System.out.println("[edl] scaled to " + workers);
    }

    /** At once, so that the script never reads half of it. */
    private void hosts(int workers) {
        try {
            Path next = folder.resolve("hosts.new");
            Files.writeString(next, new HorovodHosts(NAMES.subList(0, workers)).lines());
            Files.move(next, folder.resolve("hosts"), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
