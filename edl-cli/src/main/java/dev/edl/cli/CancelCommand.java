package dev.edl.cli;

import dev.edl.k8s.KubernetesExecutor;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Ends a job by a request to its driver, and keeps its record. */
@Command(
        name = "cancel",
        description = {
            "Asks the program that drives a job to end it. Its driver deletes the running replicas.",
            "The job's record and the logs of ended replicas stay; edl delete removes them, too."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class CancelCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "JOB",
            converter = PrintedJobStatus.Name.class,
            description = "Name of the job, for example mnist.")
    private String name = "";

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            description = "Longest wait for the driver's answer, for example 1m. Default: 30s")
    private Duration timeout = Duration.ofSeconds(30);

    @Override
    public Integer call() throws InterruptedException {
        try (KubernetesExecutor executor = cluster.executor()) {
            String namespace = cluster.namespace(executor);
            CustomResourceJob.recorded(
                            executor,
                            namespace,
                            name,
                            resource -> "cannot be cancelled, because the operator of its " + resource
                                    + " ends it only with the resource; edl delete " + name + " -n " + namespace
                                    + " deletes both")
                    .cancel(timeout);
            spec.commandLine().getOut().println("job " + name + " cancelled in namespace " + namespace);
            return 0;
        }
    }
}
