package dev.edl.cli;

import dev.edl.Framework;
import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.k8s.render.PodOptions;
import dev.edl.operators.crd.ConversionLoss;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.InvalidResourceException;
import dev.edl.operators.crd.JobReadResult;
import dev.edl.operators.crd.kinds.CustomResources;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Flags from which a command reads its job: a file, or the job's settings. A setting changes the job of a file. */
final class JobInput {
    /** Most characters of a file; more than that is not a job. */
    private static final int LARGEST = 4_000_000;

    @Spec(Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            description = "Job of EDL or custom resource of an operator, as YAML or JSON; - reads the standard input.")
    private @Nullable String file;

    @Option(names = "--name", paramLabel = "NAME", description = "Name of the job, for example mnist.")
    private @Nullable String name;

    @Option(names = "--framework", paramLabel = "NAME", description = "One of ${COMPLETION-CANDIDATES}.")
    private @Nullable Framework framework;

    @Option(names = "--image", paramLabel = "IMAGE", description = "Image of all roles.")
    private @Nullable String image;

    @Option(names = "--ps", paramLabel = "N", description = "Number of parameter servers.")
    private @Nullable Integer ps;

    @Option(names = "--workers", paramLabel = "N", description = "Number of workers, for example 4.")
    private @Nullable Integer workers;

    @Option(names = "--gpu", paramLabel = "N", description = "GPUs of each worker.")
    private @Nullable Integer gpu;

    @Option(names = "--priority", paramLabel = "CLASS", description = "Priority of all roles, for example low.")
    private @Nullable String priority;

    @Option(
            names = "--request",
            paramLabel = "RESOURCES",
            description = "Requests of all roles, for example cpu=2,memory=4Gi.")
    private @Nullable String request;

    @Option(
            names = "--volume",
            paramLabel = "VOLUME",
            description = "Volume of all roles, for example mount_path=/data,claim_name=data.")
    private @Nullable String volume;

    @Option(
            names = "--env",
            paramLabel = "NAME=VALUE",
            description = "Environment variable of all roles; again for more.")
    private final Map<String, String> env = new LinkedHashMap<>();

    @picocli.CommandLine.Parameters(
            paramLabel = "WORD",
            description = "Command of all roles, after --.",
            arity = "0..*")
    private final List<String> command = new ArrayList<>();

    /**
     * Reads the job, and prints a warning for each setting that is lost.
     *
     * @param err writer of the warnings
     * @throws IllegalArgumentException when the text or a flag is no job's
     * @throws IOException when the file cannot be read
     */
    JobSource read(PrintWriter err) throws IOException {
        if (file == null && workers == null && ps == null && name == null) {
            throw new ParameterException(
                    spec.commandLine(),
                    "the job is missing; name a file, for example -f job.yaml, or its settings, for example --ps 2"
                            + " --workers 4");
        }
        JobSource source = file == null ? of(changed(Job.builder())) : fromFile(file);
        source.losses().forEach(loss -> err.println("warning: " + loss));
        return source;
    }

    private static JobSource of(Job job) {
        return new JobSource(job, PodOptions.none(), List.of(), Optional.empty());
    }

    private JobSource fromFile(String from) throws IOException {
        String text = text(from);
        CustomObject object = resource(text);
        if (object == null) {
            Job job = Job.fromYaml(text);
            return of(unchanged() ? job : changed(job.toBuilder()));
        }
        JobReadResult result = CustomResources.read(object);
        return new JobSource(
                unchanged() ? result.job() : changed(result.job().toBuilder()),
                result.options(),
                result.losses().stream().map(ConversionLoss::toString).toList(),
                ResourceKind.of(object));
    }

    /** Returns the text as a custom resource; null for a text without {@code apiVersion}, which is a job of EDL. */
    private static @Nullable CustomObject resource(String text) {
        try {
            CustomObject object = CustomObject.fromYaml(text);
            return object.apiVersion().isEmpty() && object.kind().isEmpty() ? null : object;
        } catch (InvalidResourceException e) {
            if (text.contains("apiVersion")) {
                throw e;
            }
            return null;
        }
    }

    private String text(String from) throws IOException {
        if (from.equals("-")) {
            byte[] read = System.in.readNBytes(LARGEST + 1);
            return checked(new String(read, StandardCharsets.UTF_8), "the standard input");
        }
        Path path = Path.of(from);
        if (!Files.isRegularFile(path) && !Files.exists(path)) {
            throw new ParameterException(spec.commandLine(), "--file must be a file, but " + path + " does not exist");
        }
        if (Files.isDirectory(path)) {
            throw new ParameterException(spec.commandLine(), "--file must be a file, but " + path + " is a directory");
        }
        return checked(Files.readString(path), path.toString());
    }

    private static String checked(String text, String from) {
        if (text.length() > LARGEST) {
            throw new IllegalArgumentException(
                    from + " must have at most " + LARGEST + " characters; a job is smaller than that");
        }
        if (text.isBlank()) {
            throw new IllegalArgumentException(from + " is empty; it must have a job, for example \"workers: 4\"");
        }
        return text;
    }

    private boolean unchanged() {
        return name == null
                && framework == null
                && image == null
                && ps == null
                && workers == null
                && gpu == null
                && priority == null
                && request == null
                && volume == null
                && env.isEmpty()
                && command.isEmpty();
    }

    private Job changed(JobBuilder builder) {
        if (name != null) {
            builder.name(name);
        }
        if (framework != null) {
            builder.framework(framework);
        }
        if (image != null) {
            builder.image(image);
        }
        if (priority != null) {
            builder.priority(priority);
        }
        if (request != null) {
            builder.request(request);
        }
        if (volume != null) {
            builder.volume(volume);
        }
        builder.env(env);
        if (!command.isEmpty()) {
            builder.command(command.toArray(String[]::new));
        }
        Integer servers = ps;
        if (servers != null) {
            if (framework == Framework.MXNET) {
                builder.servers(servers, role -> {});
            } else {
                builder.ps(servers, role -> {});
            }
        }
        Integer count = workers;
        Integer devices = gpu;
        if (count != null) {
            builder.workers(count, role -> {
                if (devices != null) {
                    role.gpu(devices);
                }
            });
        } else if (devices != null) {
            throw new ParameterException(
                    spec.commandLine(), "--gpu needs --workers, for example --workers 4 --gpu " + devices);
        }
        return builder.build();
    }
}
