package dev.edl.cli;

import dev.edl.exec.AwaitTimeoutException;
import dev.edl.internal.text.DurationText;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import dev.edl.testkit.cluster.SimulatedCluster;
import dev.edl.testkit.cluster.SimulatedJob;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs a job on the simulated cluster. */
@Command(
        name = "simulate",
        description = {
            "Runs a job on a simulated cluster: pods are placed, preempted and replaced, and time is simulated.",
            "No program runs. Example: edl simulate -f job.yaml --nodes 2 --delete worker-0"
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class SimulateCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private JobInputFlags input = new JobInputFlags();

    @Option(names = "--nodes", paramLabel = "N", description = "Number of equal nodes. Default: ${DEFAULT-VALUE}")
    private int nodes = 3;

    @Option(
            names = "--node",
            paramLabel = "RESOURCES",
            description = "Resources of each node. Default: ${DEFAULT-VALUE}")
    private String node = "cpu=8,memory=32Gi,nvidia.com/gpu=8";

    @Option(names = "--delete", paramLabel = "REPLICA", description = "Deletes a replica; again for more.")
    private final List<String> delete = new ArrayList<>();

    @Option(
            names = "--exit",
            paramLabel = "REPLICA=CODE",
            description = "Ends a replica's program with an exit code, for example worker-1=137; again for more.")
    private final List<String> exit = new ArrayList<>();

    @Option(names = "--for", paramLabel = "DURATION", description = "Simulated time after that. Default: 10m")
    private Duration time = Duration.ofMinutes(10);

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        ParsedJob source = input.read(spec.commandLine().getErr());
        try (SimulatedCluster cluster =
                        SimulatedCluster.builder().nodes(nodes, node).build();
                SimulatedJob job = cluster.submit(source.plan())) {
            Instant began = cluster.now();
            delete.forEach(job::delete);
            exit.forEach(each -> exit(job, each));
            boolean ended = ended(job);
            for (JobEvent event : job.events()) {
                out.println(event);
            }
            out.println(job.status());
            if (!ended) {
                out.println("after " + DurationText.of(Duration.between(began, cluster.now())) + " the job runs on");
            }
            return ended && job.status().phase() != JobPhase.SUCCEEDED ? 1 : 0;
        }
    }

    private boolean ended(SimulatedJob job) throws InterruptedException {
        try {
            job.await(time);
            return true;
        } catch (AwaitTimeoutException e) {
            return false;
        }
    }

    private static void exit(SimulatedJob job, String text) {
        int at = text.lastIndexOf('=');
        if (at < 1 || !text.substring(at + 1).matches("[0-9]{1,2}|1[0-9]{2}|2[0-4][0-9]|25[0-5]")) {
            throw new IllegalArgumentException(
                    "--exit must be a replica and its exit code, was \"" + text + "\"; for example worker-1=137");
        }
        job.exit(text.substring(0, at), Integer.parseInt(text.substring(at + 1)));
    }
}
