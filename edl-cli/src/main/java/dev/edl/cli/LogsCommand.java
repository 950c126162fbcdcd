package dev.edl.cli;

import dev.edl.exec.LogLine;
import dev.edl.k8s.JobClient;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.LogFollower;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints the log of a job's replica. */
@Command(
        name = "logs",
        description = {
            "Prints the log of a replica and of its predecessors whose pods still exist.",
            "It only reads: the program that drives the job continues."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class LogsCommand implements Callable<Integer> {
    private static final int ALL = -1;
    private static final Duration LIMIT = Duration.ofDays(30);

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            index = "0",
            paramLabel = "JOB",
            converter = PrintedJobStatus.Name.class,
            description = "Name of the job, for example mnist.")
    private String name = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "REPLICA",
            description = "Name of the replica, for example worker-0. Default: the job's leader, such as its master.")
    private @Nullable String replica;

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Option(
            names = {"-f", "--follow"},
            description = "Prints further lines until the job has ended, also those of the replica's successors.")
    private boolean follow;

    @Option(
            names = "--tail",
            paramLabel = "N",
            description = "Prints only the last lines of the log so far, for example 100. Default: -1, all lines.")
    private int tail = ALL;

    @Override
    public Integer call() throws InterruptedException {
        if (tail < ALL) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--tail must be at least 0, or -1 for all lines, was " + tail + "; for example --tail 100");
        }
        try (KubernetesExecutor executor = cluster.executor()) {
            String namespace = cluster.namespace(executor);
            JobClient job = CustomResourceJob.recorded(
                    executor,
                    namespace,
                    name,
                    resource -> "has no record, because the operator of its " + resource + " drives it; edl status "
                            + name + " -n " + namespace + " lists its pods, kubectl logs POD -n " + namespace
                            + " prints the log of a pod");
            String of = replica == null ? job.plan().leader().type().replica(0) : replica;
            Consumer<LogLine> lines = this::print;
            if (!follow) {
                // No line is printed of a log that is read only to check the replica's name.
                job.log(of, tail == ALL ? Integer.MAX_VALUE : Math.max(tail, 1))
                        .forEach(tail == 0 ? line -> {} : lines);
                return 0;
            }
            try (LogFollower follower = tail == ALL ? job.logs(of, lines) : job.logs(of, tail, lines)) {
                follower.awaitEnd(LIMIT);
            }
            return 0;
        }
    }

    /** Prints a line of the replica as it is; notes, which the replica did not write, go to the errors. */
    private void print(LogLine line) {
        PrintWriter to =
                line.note() ? spec.commandLine().getErr() : spec.commandLine().getOut();
        to.println(line.note() ? line.toString() : line.text());
        if (to.checkError()) {
            throw new UncheckedIOException(new IOException("the output was closed"));
        }
    }
}
