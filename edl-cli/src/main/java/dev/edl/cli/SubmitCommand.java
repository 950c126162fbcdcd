package dev.edl.cli;

import dev.edl.cli.cluster.DriverlessNotice;
import dev.edl.cli.cluster.EndTimeoutFlag;
import dev.edl.exec.JobStatus;
import dev.edl.k8s.DriverPod;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.k8s.render.PodOptions;
import dev.edl.plan.JobPlan;
import dev.edl.status.JobPhase;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Starts a job on a cluster. */
@Command(
        name = "submit",
        description = {
            "Starts a job on a cluster, and drives it until it has ended; prints its events.",
            "With --detach a pod of the cluster drives it, and the command returns."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class SubmitCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private JobInputFlags input = new JobInputFlags();

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Option(names = "--detach", description = "Hands the job over to a pod of the cluster; needs --driver-image.")
    private boolean detach;

    @Option(
            names = "--driver-image",
            paramLabel = "IMAGE",
            description = "Image with EDL in /app/lib, whose pod drives a detached job.")
    private @Nullable String driverImage;

    @Mixin
    private EndTimeoutFlag timeout = new EndTimeoutFlag();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (detach != (driverImage != null)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--detach and --driver-image belong together; for example --detach --driver-image"
                            + " registry.example/acme/driver:1");
        }
        ParsedJob source = input.read(spec.commandLine().getErr());
        if (detach && !source.options().equals(PodOptions.none())) {
            throw new IllegalArgumentException("--detach is for jobs whose pods have no options, but these have "
                    + source.options() + "; submit without --detach");
        }
        try (KubernetesExecutor executor = cluster.executor(source.options())) {
            return run(executor, cluster.placed(source, executor).plan());
        }
    }

    private int run(KubernetesExecutor executor, JobPlan plan) throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        try (KubernetesRun run = executor.submit(plan, event -> out.println(event))) {
            out.println("job " + plan.name() + " submitted to namespace " + plan.namespace());
            if (driverImage != null) {
                executor.handOver(plan.namespace(), plan.name(), DriverPod.of(driverImage));
                out.println("a pod of image " + driverImage + " drives it");
                return 0;
            }
            JobStatus end = DriverlessNotice.await(
                    run, timeout.limit(), spec.commandLine().getErr());
            out.println(end);
            return end.phase() == JobPhase.SUCCEEDED ? 0 : 1;
        }
    }
}
