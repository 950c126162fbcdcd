package dev.edl.cli;

import dev.edl.exec.JobStatus;
import dev.edl.k8s.JobClient;
import dev.edl.k8s.KubernetesExecutor;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows jobs of a cluster, regardless of the driving program. */
@Command(
        name = "status",
        description = {
            "Shows a job of a cluster with its replicas and its driver, or all jobs of a namespace that have a"
                    + " record. kubectl get lists jobs that an operator runs without a record.",
            "It only reads: the program that drives a job continues."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class StatusCommand implements Callable<Integer> {
    private static final long PAUSE_SECONDS = 2;
    private static final long STTY_SECONDS = 1;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            arity = "0..1",
            paramLabel = "JOB",
            converter = PrintedJobStatus.Name.class,
            description = "Name of the job. Default: all jobs with a record.")
    private @Nullable String name;

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Option(
            names = {"-w", "--watch"},
            description =
                    "Shows changes until the job has ended: the table in place on a terminal, else changed lines.")
    private boolean watch;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "yaml, json or name; without it, a table for people.")
    private @Nullable OutputFormat format;

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        try (KubernetesExecutor executor = cluster.executor()) {
            String namespace = cluster.namespace(executor);
            Ansi ansi = spec.commandLine().getColorScheme().ansi();
            StatusText table = new StatusText(name != null, watch, ansi, Instant.now(), StatusCommand::rows);
            @Nullable List<PrintedJobStatus> before = null;
            while (true) {
                List<PrintedJobStatus> jobs = jobs(executor, namespace);
                List<PrintedJobStatus> now =
                        jobs.stream().map(PrintedJobStatus::withoutTimes).toList();
                if (format == null) {
                    if (jobs.isEmpty() && before == null) {
                        spec.commandLine().getErr().println("namespace \"" + namespace + "\" has no jobs");
                    }
                    out.print(table.next(jobs, Instant.now()));
                } else if (!now.equals(before)) {
                    out.print(text(jobs, format));
                }
                if (out.checkError()) {
                    return 1;
                }
                boolean ended =
                        jobs.stream().allMatch(job -> job.status().phase().ended());
                if (!watch || (name != null && ended)) {
                    return 0;
                }
                before = now;
                TimeUnit.SECONDS.sleep(PAUSE_SECONDS);
            }
        }
    }

    /** Returns the number of lines of the terminal; {@code Integer.MAX_VALUE} without a terminal or {@code stty}. */
    private static int rows() {
        try {
            Process size = new ProcessBuilder("stty", "size")
                    .redirectInput(new File("/dev/tty"))
                    .start();
            if (!size.waitFor(STTY_SECONDS, TimeUnit.SECONDS)) {
                size.destroyForcibly();
                return Integer.MAX_VALUE;
            }
            String rows = new String(size.getInputStream().readAllBytes(), StandardCharsets.UTF_8).split(" ")[0];
            return rows.matches("[1-9]\\d{0,4}") ? Integer.parseInt(rows) : Integer.MAX_VALUE;
        } catch (IOException e) {
            return Integer.MAX_VALUE;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Integer.MAX_VALUE;
        }
    }

    private List<PrintedJobStatus> jobs(KubernetesExecutor executor, String namespace) {
        if (name != null) {
            JobClient job;
            try {
                job = executor.find(namespace, name);
            } catch (IllegalArgumentException missing) {
                return List.of(CustomResourceJob.of(executor, namespace, name)
                        .orElseThrow(() -> missing)
                        .report());
            }
            JobStatus status = job.status();
            return List.of(
                    status.phase().ended()
                            ? new PrintedJobStatus(namespace, status, "", Optional.empty())
                            : new PrintedJobStatus(namespace, status, job.driver(), job.queue()));
        }
        return executor.list(namespace).stream()
                .map(job -> new PrintedJobStatus(namespace, job.recorded(), "", Optional.empty()))
                .toList();
    }

    private String text(List<PrintedJobStatus> jobs, OutputFormat as) throws IOException {
        List<Object> objects = new ArrayList<>();
        jobs.forEach(job -> objects.add(job.object()));
        return switch (as) {
            case yaml -> (watch ? "---\n" : "") + OutputFormat.yaml(name == null ? objects : objects.get(0));
            case json -> OutputFormat.json(name == null ? objects : objects.get(0));
            case name -> jobs.stream().map(job -> job.name() + "\n").collect(Collectors.joining());
        };
    }
}
