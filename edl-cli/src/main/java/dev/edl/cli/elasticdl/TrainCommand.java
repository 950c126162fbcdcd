package dev.edl.cli.elasticdl;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.cli.cluster.ClusterConnection;
import dev.edl.cli.cluster.DriverlessNotice;
import dev.edl.elasticdl.ElasticDlCommand;
import dev.edl.elasticdl.ElasticDlVerb;
import dev.edl.exec.JobStatus;
import dev.edl.exec.local.LocalExecutor;
import dev.edl.image.ProgramImage;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.k8s.LogFollower;
import dev.edl.k8s.render.PodOptions;
import dev.edl.runtime.ConsoleReport;
import dev.edl.runtime.Training;
import dev.edl.runtime.inprocess.InProcessExecutor;
import dev.edl.runtime.inprocess.TrainingRun;
import dev.edl.runtime.program.MasterLog;
import dev.edl.runtime.program.ProcessExecutor;
import dev.edl.runtime.program.ProcessRun;
import dev.edl.runtime.program.ProgramJobs;
import dev.edl.spec.RoleType;
import dev.edl.status.JobPhase;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs {@code elasticdl train}. */
@Command(
        name = "train",
        description = {
            "Trains as \"elasticdl train\" does, with its flags. --model_def names a class that implements"
                    + " ModelDefinition, or a network of ElasticDL's zoo.",
            "Example: edl train --model_def=mnist_functional_api.mnist_functional_api.custom_model"
                    + " --training_data=mnist/train --job_name=mnist",
            "A flag that EDL does not carry over is a warning with its reason."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class TrainCommand extends ElasticDlRunCommand {
    /** Program of the replicas, in an image with its class path in {@code /app}. */
    private static final List<String> COMMAND =
            List.of("java", "-Duser.home=/tmp", "-cp", "/app/*", ElasticDlProgram.class.getName());

    /** Place of a training. */
    enum Place {
        here,
        processes,
        pods
    }

    @Option(
            names = "--on",
            paramLabel = "PLACE",
            description = "here: in this JVM; processes: of this machine; pods: of a cluster. Default: pods if there is"
                    + " --image_name or --docker_image_repository, otherwise here")
    private @Nullable Place place;

    @Mixin
    private ClusterConnection cluster = new ClusterConnection();

    @Override
    ElasticDlVerb verb() {
        return ElasticDlVerb.TRAIN;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        ElasticDlCommand command = parsed();
        Training training = new ElasticDlTraining(command).training();
        Optional<String> repository = Optional.ofNullable(command.flags().get("docker_image_repository"));
        boolean images = repository.isPresent()
                || command.job().roles().stream()
                        .anyMatch(role ->
                                command.job().spec().effective(role).image().isPresent());
        Place chosen = place != null ? place : images ? Place.pods : Place.here;
        Job job = withServer(command.job());
        if (chosen != Place.pods) {
            noPods(command);
        }
        return switch (chosen) {
            case here -> here(job, training);
            case processes -> processes(job, command);
            case pods -> pods(job, command, repository);
        };
    }

    /** Adds the parameter server that a command line for AllReduce or one process lacks. */
    private Job withServer(Job job) {
        if (job.role(RoleType.PS).isPresent()) {
            return job;
        }
        spec().commandLine().getErr().println("warning: --num_ps_pods=0 is 1 here: EDL trains with parameter servers");
        return job.toBuilder().ps(1, role -> {}).build();
    }

    private int here(Job job, Training training) throws InterruptedException {
        ConsoleReport report = ConsoleReport.to(out());
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(job)) {
            run.onTraining(report);
            JobStatus end = run.await(timeout());
            report.end();
            return ended(end, run.result());
        }
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
        List<String> arguments = new ArrayList<>(List.of(command.era().name()));
        arguments.addAll(flags());
        return arguments.toArray(String[]::new);
    }

    private int ended(JobStatus end, Optional<?> result) {
        PrintWriter printed = spec().commandLine().getOut();
        result.ifPresent(printed::println);
        if (end.phase() != JobPhase.SUCCEEDED) {
            spec().commandLine().getErr().println(end);
            return 1;
        }
        return 0;
    }
}
