package dev.edl.cli;

import dev.edl.cli.cluster.DriverlessNotice;
import dev.edl.cli.cluster.EndTimeoutFlag;
import dev.edl.exec.JobStatus;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.status.JobPhase;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
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

    @Parameters(
            paramLabel = "JOB",
            converter = PrintedJobStatus.Name.class,
            description = "Name of the job, for example mnist.")
    private String name = "";

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private EndTimeoutFlag timeout = new EndTimeoutFlag();

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        try (KubernetesExecutor executor = cluster.executor()) {
            String namespace = cluster.namespace(executor);
            CustomResourceJob.recorded(
                    executor,
                    namespace,
                    name,
                    resource -> "cannot be attached, because the operator of its " + resource
                            + " drives it; edl status " + name + " -n " + namespace + " --watch follows it");
            try (KubernetesRun run = executor.attach(namespace, name, event -> out.println(event))) {
                JobStatus end = DriverlessNotice.await(
                        run, timeout.limit(), spec.commandLine().getErr());
                out.println(end);
                return end.phase() == JobPhase.SUCCEEDED ? 0 : 1;
            }
        }
    }
}
