package dev.edl.cli;

import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.preflight.PreflightReport;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Checks whether a cluster would run a job, without creating an object. */
@Command(
        name = "preflight",
        description = "Checks for everything in a cluster that would stop a job, and creates nothing.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class PreflightCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private JobInputFlags input = new JobInputFlags();

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Override
    public Integer call() throws IOException {
        ParsedJob source = input.read(spec.commandLine().getErr());
        try (KubernetesExecutor executor = cluster.executor(source.options())) {
            PreflightReport report =
                    executor.preflight(cluster.placed(source, executor).plan());
            spec.commandLine().getOut().println(report);
            return report.ok() ? 0 : 1;
        }
    }
}
