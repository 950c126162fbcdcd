package dev.edl.cli.elasticdl;

import dev.edl.InvalidJobException;
import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.cli.cluster.ClusterConnection;
import dev.edl.cli.cluster.DriverlessNotice;
import dev.edl.cli.cluster.EndTimeoutFlag;
import dev.edl.elasticdl.ElasticDlCommand;
import dev.edl.elasticdl.ElasticDlVerb;
import dev.edl.elasticdl.ElasticDlVersion;
import dev.edl.exec.JobStatus;
import dev.edl.exec.local.LocalExecutor;
import dev.edl.image.ProgramImage;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.k8s.LogFollower;
import dev.edl.k8s.render.PodOptions;
import dev.edl.runtime.ConsoleReport;
import dev.edl.runtime.program.MasterLog;
import dev.edl.runtime.program.ProcessExecutor;
import dev.edl.runtime.program.ProcessRun;
import dev.edl.runtime.program.ProgramJobs;
import dev.edl.status.JobPhase;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/**
 * Part that the commands {@code train}, {@code evaluate} and {@code predict} share: ElasticDL's flags, and the places
 * where their replicas run.
 */
abstract class ElasticDlRunCommand implements Callable<Integer> {
    /** Versions in the order in which they are tried: a command line without a flag of its own is the newest one's. */
    private static final List<ElasticDlVersion> VERSIONS =
            List.of(ElasticDlVersion.RELEASE_1_0, ElasticDlVersion.JULY_2020, ElasticDlVersion.MARCH_2020);

    /** Program of the replicas, in an image with its class path in {@code /app}. */
    private static final List<String> COMMAND =
            List.of("java", "-Duser.home=/tmp", "-cp", "/app/*", ElasticDlProgram.class.getName());

    /** Place of the replicas. */
    enum Place {
        here,
        processes,
        pods
    }

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--elasticdl",
            paramLabel = "VERSION",
            description = "Version of the flags: ${COMPLETION-CANDIDATES}. Default: the newest that has all of them.")
    private @Nullable ElasticDlVersion version;

    @Option(
            names = "--on",
            paramLabel = "PLACE",
            description = "here: in this JVM; processes: of this machine; pods: of a cluster. Default: pods if there is"
                    + " --image_name or --docker_image_repository, otherwise here")
    private @Nullable Place place;

    @Mixin
    private ClusterConnection cluster = new ClusterConnection();

    @Mixin
    private EndTimeoutFlag timeout = new EndTimeoutFlag();

    @Unmatched
    private List<String> flags = new ArrayList<>();

    abstract ElasticDlVerb verb();

    /** Returns the job to run. */
    Job job(ElasticDlCommand command) {
        return command.job();
    }

    /** Rejects flags that a replica would reject; opens no data, which may be that of a pod. */
    void check(ElasticDlTraining training) {}

    /** Runs the job in this JVM; returns the exit code. */
    abstract int here(Job job, ElasticDlTraining training) throws IOException, InterruptedException;

    @Override
    public final Integer call() throws IOException, InterruptedException {
        ElasticDlCommand command = parsed();
        ElasticDlTraining training = new ElasticDlTraining(command);
        check(training);
        Optional<String> repository = Optional.ofNullable(command.flags().get("docker_image_repository"));
        boolean images = repository.isPresent()
                || command.job().roles().stream()
                        .anyMatch(role ->
                                command.job().spec().effective(role).image().isPresent());
        Place chosen = place != null ? place : images ? Place.pods : Place.here;
        Job job = job(command);
        if (chosen != Place.pods) {
            noPods(command);
        }
        return switch (chosen) {
            case here -> here(job, training);
            case processes -> processes(job, command);
            case pods -> pods(job, command, repository);
        };
    }

    /** Parses the flags, and prints a warning for each that is lost. */
    private ElasticDlCommand parsed() {
        ElasticDlCommand command = parse();
        UnsupportedTrainingFlags.of(command)
                .forEach(loss -> spec.commandLine().getErr().println("warning: " + loss));
        return command;
    }

    /** Warns of settings of pods in a command that starts none. */
    private void noPods(ElasticDlCommand command) {
        boolean images = command.job().roles().stream()
                .map(command.job().spec()::effective)
                .anyMatch(role -> role.image().isPresent() || !role.volumes().isEmpty());
        if (images || command.flags().containsKey("image_pull_policy")) {
            spec.commandLine()
                    .getErr()
                    .println(
                            "warning: images and volumes have no effect here: the command starts no pods, and its paths are"
                                    + " those of this machine");
        }
    }

    /** Returns the flags as they were typed. */
    private List<String> flags() {
        return List.copyOf(flags);
    }

    final Duration timeout() {
        return timeout.limit();
    }

    final CommandSpec spec() {
        return spec;
    }

    /** Returns the stream for reports of a training, which overwrite a line on a terminal. */
    PrintStream out() {
        return System.out;
    }

    private ElasticDlCommand parse() {
        if (version != null) {
            return ElasticDlCommand.parse(version, verb(), flags);
        }
        InvalidJobException fewest = null;
        for (ElasticDlVersion each : VERSIONS) {
            try {
                return ElasticDlCommand.parse(each, verb(), flags);
            } catch (InvalidJobException e) {
                if (fewest == null || e.problems().size() < fewest.problems().size()) {
                    fewest = e;
                }
            }
        }
        throw fewest == null ? new IllegalStateException("no version") : fewest;
    }

    private int processes(Job composed, ElasticDlCommand command) throws InterruptedException {
        Job job = ProgramJobs.here(composed, ElasticDlProgram.class, arguments(command))
                .build();
        ConsoleReport report = ConsoleReport.to(out());
        try (ProcessExecutor executor = ProcessExecutor.of(
                        LocalExecutor.builder().ignoringImages().ignoringVolumes());
                ProcessRun run = executor.submit(job)) {
            run.onTraining(report);
            JobStatus end = run.await(timeout());
            report.end();
            return ended(end, run.result());
        }
    }

    private int pods(Job given, ElasticDlCommand command, Optional<String> repository)
            throws IOException, InterruptedException {
        Job composed = given;
        if (repository.isPresent()) {
            String name = repository.get() + "/elasticdl-" + composed.name();
            String pushed = image(name).push(name).reference();
            out().println("pushed " + pushed);
            composed = composed.toBuilder().image(pushed).build();
        }
        JobBuilder program = ProgramJobs.image(composed, arguments(command)).command(COMMAND.toArray(String[]::new));
        PodOptions options = PodOptions.builder()
                .imagePullPolicy(command.text("image_pull_policy").orElse("Always"))
                .build();
        try (KubernetesExecutor executor = cluster.executor(options)) {
            boolean placed = flags().stream().anyMatch(flag -> flag.matches("--namespace(=.*)?"));
            return pods(
                    executor,
                    placed
                            ? program.build()
                            : program.namespace(executor.namespace()).build());
        }
    }

    private int pods(KubernetesExecutor executor, Job job) throws IOException, InterruptedException {
        ConsoleReport report = ConsoleReport.to(out());
        try (KubernetesRun run = executor.submit(
                        job, event -> spec().commandLine().getErr().println(event));
                MasterLog training = MasterLog.of(job.name());
                LogFollower log = run.logs("master", training)) {
            training.onTraining(report);
            JobStatus end =
                    DriverlessNotice.await(run, timeout(), spec().commandLine().getErr());
            log.awaitEnd(Duration.ofMinutes(1));
            report.end();
            return ended(end, training.result());
        }
    }

    /** Returns the image of the replicas. As Docker does, trusts a registry of this machine without TLS. */
    private static ProgramImage image(String name) {
        ProgramImage.Builder image = ProgramImage.builder(ElasticDlProgram.class);
        return name.matches("(localhost|127\\.[0-9.]+)(:[0-9]+)?/.*")
                ? image.allowInsecureRegistry().build()
                : image.build();
    }

    private String[] arguments(ElasticDlCommand command) {
        List<String> arguments = new ArrayList<>(List.of(command.era().name(), verb().name()));
        arguments.addAll(flags());
        return arguments.toArray(String[]::new);
    }

    final int ended(JobStatus end, Optional<?> result) {
        PrintWriter printed = spec().commandLine().getOut();
        result.ifPresent(printed::println);
        if (end.phase() != JobPhase.SUCCEEDED) {
            spec().commandLine().getErr().println(end);
            return 1;
        }
        return 0;
    }
}
