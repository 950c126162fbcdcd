package dev.edl.cli;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.RoleBuilder;
import dev.edl.RoleScope;
import dev.edl.k8s.render.PodOptions;
import dev.edl.operators.crd.ConversionLoss;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.InvalidResourceException;
import dev.edl.operators.crd.JobReadResult;
import dev.edl.operators.crd.kinds.CustomResources;
import dev.edl.spec.Framework;
import dev.edl.spec.RoleSpec;
import dev.edl.spec.RoleTemplate;
import dev.edl.spec.RoleType;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Flags from which a command reads its job: a file, or the job's settings. A setting changes the job of a file. */
final class JobInputFlags {
    /** Most bytes of a file; more than that is not a job. */
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

    @Option(names = "--image", paramLabel = "IMAGE", description = "Image of all roles, for example mnist:1.")
    private @Nullable String image;

    @Option(names = "--ps", paramLabel = "N", description = "Number of parameter servers, for example 2.")
    private @Nullable Integer ps;

    @Option(names = "--workers", paramLabel = "N", description = "Number of workers, for example 4.")
    private @Nullable Integer workers;

    @Option(names = "--gpu", paramLabel = "N", description = "GPUs of each worker, for example 1.")
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
            description = "Environment variable of all roles, for example BATCH_SIZE=64; again for more.")
    private final Map<String, String> env = new LinkedHashMap<>();

    @Parameters(paramLabel = "WORD", description = "Command of all roles, after --.", arity = "0..*")
    private final List<String> command = new ArrayList<>();

    /**
     * Reads the job, and prints a warning for each setting that is lost.
     *
     * @param err writer of the warnings
     * @throws IllegalArgumentException when the text or a flag is not a job's
     * @throws IOException when the file cannot be read
     */
    ParsedJob read(PrintWriter err) throws IOException {
        if (file == null && workers == null && ps == null && name == null) {
            throw new ParameterException(
                    spec.commandLine(),
                    "the job is missing; name a file, for example -f job.yaml, or its settings, for example --ps 2"
                            + " --workers 4");
        }
        ParsedJob source = file == null ? of(changed(Job.builder(), List.of()), false) : fromFile(file);
        source.losses().forEach(loss -> err.println("warning: " + loss));
        return source;
    }

    private static ParsedJob of(Job job, boolean placed) {
        return new ParsedJob(job, PodOptions.none(), List.of(), Optional.empty(), placed);
    }

    private ParsedJob fromFile(String from) throws IOException {
        String text = text(from);
        List<CustomObject> documents = documents(text);
        if (documents.size() > 1) {
            throw new IllegalArgumentException((from.equals("-") ? "the standard input" : from)
                    + " must have one job, but has " + documents.size()
                    + " documents; write each into a file of its own, and name one, for example -f first.yaml");
        }
        CustomObject object = resource(text);
        if (object == null) {
            Job job = Job.fromYaml(text);
            boolean placed = documents.stream().anyMatch(each -> each.fields().containsKey("namespace"));
            return of(unchanged() ? job : changed(job.toBuilder(), job.roles()), placed);
        }
        JobReadResult result = CustomResources.read(object);
        return new ParsedJob(
                unchanged()
                        ? result.job()
                        : changed(result.job().toBuilder(), result.job().roles()),
                result.options(),
                result.losses().stream().map(ConversionLoss::toString).toList(),
                ResourceKind.of(object),
                !object.namespace().isEmpty());
    }

    /** Returns the documents and items of lists that are not empty; nothing for a text that cannot be read. */
    private static List<CustomObject> documents(String text) {
        try {
            return CustomObject.allFromYaml(text);
        } catch (InvalidResourceException e) {
            return List.of();
        }
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
            return checked(System.in.readNBytes(LARGEST + 1), "the standard input");
        }
        Path path = Path.of(from);
        if (!Files.exists(path)) {
            throw new ParameterException(spec.commandLine(), "--file must be a file, but " + path + " does not exist");
        }
        if (Files.isDirectory(path)) {
            throw new ParameterException(spec.commandLine(), "--file must be a file, but " + path + " is a directory");
        }
        try (InputStream file = Files.newInputStream(path)) {
            return checked(file.readNBytes(LARGEST + 1), path.toString());
        }
    }

    private static String checked(byte[] bytes, String from) {
        if (bytes.length > LARGEST) {
            throw new IllegalArgumentException(
                    from + " must have at most " + LARGEST + " bytes; a job is smaller than that");
        }
        String text;
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(from + " must be UTF-8 text, but has other bytes", e);
        }
        if (text.isBlank()) {
            throw new IllegalArgumentException(
                    from + " is empty; it must have a job, for example \"roles: {worker: {replicas: 4}}\"");
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

    /** Returns the job with the flags' settings. A setting of all roles replaces that of a role, too. */
    private Job changed(JobBuilder builder, List<RoleSpec> roles) {
        if (name != null) {
            builder.name(name);
        }
        if (framework != null) {
            builder.framework(framework);
        }
        shared(builder, Optional.empty());
        Map<RoleType, Integer> replicas = new EnumMap<>(RoleType.class);
        roles.forEach(role -> replicas.put(role.type(), role.replicas()));
        if (ps != null) {
            replicas.put(
                    framework == Framework.MXNET || replicas.containsKey(RoleType.SERVER)
                            ? RoleType.SERVER
                            : RoleType.PS,
                    ps);
        }
        if (workers != null) {
            replicas.put(RoleType.WORKER, workers);
        }
        if (gpu != null && !replicas.containsKey(RoleType.WORKER)) {
            throw new ParameterException(
                    spec.commandLine(), "--gpu needs --workers, for example --workers 4 --gpu " + gpu);
        }
        Map<RoleType, RoleTemplate> own = roles.stream().collect(Collectors.toMap(RoleSpec::type, RoleSpec::template));
        replicas.forEach((type, count) -> role(builder, type, count, settings -> {
            Optional.ofNullable(own.get(type)).ifPresent(template -> shared(settings, Optional.of(template)));
            if (gpu != null && type == RoleType.WORKER) {
                settings.gpu(gpu);
            }
        }));
        return builder.build();
    }

    /**
     * Sets the flags' settings of all roles.
     *
     * @param own a role's own settings, which would hide those of all roles; empty for all roles
     */
    private void shared(RoleScope<?> scope, Optional<RoleTemplate> own) {
        if (image != null && own.map(role -> role.image().isPresent()).orElse(true)) {
            scope.image(image);
        }
        if (priority != null && own.map(role -> role.priority().isPresent()).orElse(true)) {
            scope.priority(priority);
        }
        if (request != null && own.map(role -> role.requests().isPresent()).orElse(true)) {
            scope.request(request);
        }
        if (volume != null && own.map(role -> !role.volumes().isEmpty()).orElse(true)) {
            scope.volume(volume);
        }
        env.forEach((variable, value) -> {
            if (own.map(role -> role.env().containsKey(variable)).orElse(true)) {
                scope.env(variable, value);
            }
        });
        if (!command.isEmpty()) {
            if (own.map(role -> !role.args().isEmpty()).orElse(false)) {
                command(scope);
            } else if (own.map(role -> !role.command().isEmpty()).orElse(true)) {
                scope.command(command.toArray(String[]::new));
            }
        }
    }

    /** Replaces a command with arguments. */
    private void command(RoleScope<?> scope) {
        if (command.size() == 1) {
            throw new ParameterException(
                    spec.commandLine(),
                    "the command must have arguments, because a role of the file has some, was \"" + command.get(0)
                            + "\"; for example -- python train.py");
        }
        scope.command(command.get(0)).args(command.subList(1, command.size()).toArray(String[]::new));
    }

    private static void role(JobBuilder builder, RoleType type, int replicas, Consumer<RoleBuilder> settings) {
        switch (type) {
            case MASTER -> builder.master(settings);
            case CHIEF -> builder.chief(settings);
            case PS -> builder.ps(replicas, settings);
            case WORKER -> builder.workers(replicas, settings);
            case EVALUATOR -> builder.evaluator(settings);
            case SCHEDULER -> builder.scheduler(settings);
            case SERVER -> builder.servers(replicas, settings);
            case LAUNCHER -> builder.launcher(settings);
        }
    }
}
