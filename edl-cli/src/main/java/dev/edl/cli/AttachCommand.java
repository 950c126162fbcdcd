package dev.edl.cli;

import dev.edl.exec.JobStatus;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.status.JobPhase;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Takes a job over, and drives it. */
@Command(
        name = "attach",
        description = {
            "Takes a job over from its driver, and drives it until it has ended; prints its events.",
            "A program or pod that drove it before decides nothing more."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class AttachCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "JOB", description = "Name of the job.")
    private String name = "";

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            description = "Longest time to wait for the end, for example 2h. Default: 30 days")
    private Duration timeout = Duration.ofDays(30);

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        try (KubernetesExecutor executor = cluster.executor();
                KubernetesRun run = executor.attach(cluster.namespace(executor), name, event -> out.println(event));
                DriverlessNotice notice = new DriverlessNotice(
                        spec.commandLine().getErr(), run.plan().namespace(), name)) {
            JobStatus end = run.await(timeout);
            notice.ended();
            out.println(end);
            return end.phase() == JobPhase.SUCCEEDED ? 0 : 1;
        }
    }
}
