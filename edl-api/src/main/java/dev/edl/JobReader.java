package dev.edl;

import dev.edl.internal.job.JobSourceFormat;
import dev.edl.internal.text.DataNode;
import dev.edl.internal.text.DataNodeReader;
import dev.edl.internal.text.FieldReader;
import dev.edl.internal.text.FieldReaderSettings;
import dev.edl.internal.text.KubernetesObjectDetector;
import dev.edl.internal.text.ResourceAmountText;
import dev.edl.internal.text.SpellingSuggestion;
import dev.edl.spec.Backoff;
import dev.edl.spec.CleanupPolicy;
import dev.edl.spec.ExitCodePolicy;
import dev.edl.spec.Framework;
import dev.edl.spec.Resources;
import dev.edl.spec.RestartPolicy;
import dev.edl.spec.RoleType;
import dev.edl.spec.SecretRef;
import dev.edl.spec.SuccessPolicy;
import dev.edl.spec.Volume;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * Parses the JSON or YAML of a job and passes its values to a {@link JobBuilder}, so that the builder's rules apply.
 * Mistakes name paths in the text, such as {@code roles.worker.replicas}.
 */
final class JobReader {
    private static final List<String> TEMPLATE = List.of(
            "image",
            "command",
            "args",
            "env",
            "secretEnv",
            "requests",
            "limits",
            "priority",
            "volumes",
            "port",
            "restart",
            "exitCodes",
            "relaunchLimit");
    private static final List<String> ROLE = prepend(List.of("replicas", "elastic"), TEMPLATE);
    private static final List<String> JOB = List.of(
            "name",
            "namespace",
            "framework",
            "frameworkVersion",
            "runId",
            "labels",
            "annotations",
            "success",
            "cleanup",
            "ttl",
            "deadline",
            "backoff",
            "defaults",
            "roles");
    private static final List<String> VOLUME =
            List.of("mountPath", "claimName", "hostPath", "image", "type", "subPath", "readOnly");

    private final JobBuilder builder = new JobBuilder(JobSourceFormat.TEXT);
    private final Consumer<String> problems = builder::mistake;

    private JobReader() {}

    /**
     * Parses a job.
     *
     * @param parsing parser of the text's format, {@link DataNodeReader#json} or {@link DataNodeReader#yaml}
     * @throws InvalidJobException with every mistake of the text and of the job
     */
    static Job read(String text, BiFunction<String, Consumer<String>, Optional<DataNode>> parsing) {
        List<String> unreadable = new ArrayList<>();
        Optional<DataNode> node = parsing.apply(text, unreadable::add);
        JobReader reader = new JobReader();
        unreadable.forEach(reader.problems);
        if (!(node.orElse(new DataNode.NullValue()) instanceof DataNode.Mapping)) {
            node.ifPresent(other ->
                    unreadable.add("text must be a map, was " + other.described() + "; for example name: test-mnist"));
            throw new InvalidJobException("", unreadable);
        }
        Optional<String> resource = node.flatMap(KubernetesObjectDetector::mistake);
        if (resource.isPresent()) {
            throw new InvalidJobException("", List.of(resource.get()));
        }
        node.ifPresent(reader::job);
        return reader.builder.build();
    }

    private void job(DataNode node) {
        FieldReader job =
                FieldReader.of("", node, FieldReaderSettings.PLAIN, problems).only(JOB, JobReader::unknown);
        job.scalar("name").ifPresent(builder::name);
        job.text("namespace").ifPresent(builder::namespace);
        job.word("framework", Framework.class, builder::framework);
        job.scalar("frameworkVersion").ifPresent(builder::frameworkVersion);
        job.text("runId").ifPresent(builder::runId);
        job.texts("labels", builder::label);
        job.texts("annotations", builder::annotation);
        job.word("success", SuccessPolicy.class, builder::success);
        job.word("cleanup", CleanupPolicy.class, builder::cleanup);
        job.duration("ttl").ifPresent(builder::ttl);
        job.duration("deadline").ifPresent(builder::deadline);
        job.fields("backoff", List.of("initial", "factor", "max")).ifPresent(backoff -> backoff(job, backoff));
        job.fields("defaults", TEMPLATE).ifPresent(defaults -> template(defaults, builder));
        List<String> types = Arrays.stream(RoleType.values()).map(RoleType::id).toList();
        job.fields("roles", types).ifPresent(roles -> {
            for (String type : roles.keys()) {
                if (types.contains(type)) {
                    role(roles, RoleType.of(type));
                }
            }
        });
    }

    /** Returns the message for a key that is unknown at the top level of a job. */
    private static String unknown(String key) {
        if (TEMPLATE.contains(key)) {
            return "unknown key here; a setting of all roles belongs under \"defaults\", as defaults." + key;
        }
        if (ROLE.contains(key)) {
            return "unknown key here; it belongs to a role, as roles.worker." + key;
        }
        if (Arrays.stream(RoleType.values()).anyMatch(type -> type.id().equals(key))) {
            return "unknown key here; a role belongs under \"roles\", as roles." + key;
        }
        return "unknown key; " + SpellingSuggestion.hint(key, JOB);
    }

    private void backoff(FieldReader job, FieldReader fields) {
        Duration initial = fields.duration("initial").orElse(Duration.ZERO);
        Duration max = fields.duration("max").orElse(initial);
        double factor = fields.decimal("factor").orElse(1);
        try {
            builder.backoff(new Backoff(initial, factor, max));
        } catch (IllegalArgumentException e) {
            job.wrong("backoff", String.valueOf(e.getMessage()));
        }
    }

    private void role(FieldReader roles, RoleType type) {
        RoleDraft draft = builder.role(type);
        RoleBuilder role = new RoleBuilder(builder, draft);
        if (roles.node(type.id()).orElse(new DataNode.NullValue()) instanceof DataNode.NullValue) {
            return; // "master:" without a value is a role without settings of its own
        }
        roles.fields(type.id(), ROLE).ifPresent(fields -> {
            fields.whole("replicas", replicas -> draft.replicas = replicas);
            fields.fields("elastic", List.of("min", "max")).ifPresent(elastic -> elastic(fields, elastic, role));
            template(fields, role);
        });
    }

    private void elastic(FieldReader role, FieldReader elastic, RoleBuilder builder) {
        if (!elastic.has("min") || !elastic.has("max")) {
            role.wrong("elastic", "min and max must both be given; for example {min: 1, max: 8}");
            return;
        }
        elastic.whole("min", min -> elastic.whole("max", max -> builder.elastic(min, max)));
    }

    private void template(FieldReader fields, RoleScope<?> scope) {
        fields.text("image").ifPresent(scope::image);
        fields.words("command").ifPresent(words -> scope.command(words.toArray(String[]::new)));
        fields.words("args").ifPresent(words -> scope.args(words.toArray(String[]::new)));
        fields.texts("env", scope::env);
        fields.texts("secretEnv", (name, ref) -> secretEnv(fields, name, ref, scope));
        resources(fields, "requests", scope::request);
        resources(fields, "limits", scope::limit);
        fields.scalar("priority").ifPresent(scope::priority);
        volumes(fields, scope);
        fields.whole("port", scope::port);
        fields.word("restart", RestartPolicy.class, scope::restart);
        fields.fields("exitCodes", List.of("free", "fatal", "temporary"))
                .ifPresent(codes -> exitCodes(fields, codes, scope));
        fields.whole("relaunchLimit", scope::relaunchLimit);
    }

    private static void secretEnv(FieldReader fields, String name, String text, RoleScope<?> scope) {
        SecretRef ref;
        try {
            ref = SecretRef.parse(text);
        } catch (IllegalArgumentException e) {
            fields.wrong("secretEnv." + name, String.valueOf(e.getMessage()));
            return;
        }
        scope.secretEnv(name, ref.secret(), ref.key());
    }

    private void resources(FieldReader fields, String key, Consumer<Resources> use) {
        Consumer<String> wrong = line -> fields.wrong(key, line);
        fields.node(key).ifPresent(node -> {
            if (node instanceof DataNode.Mapping) {
                List<Map.Entry<String, String>> entries = new ArrayList<>();
                fields.map(key).ifPresent(amounts -> {
                    for (String name : amounts.keys()) {
                        if (isOctal(amounts.node(name))) {
                            amounts.wrong(
                                    name, "a number that begins with 0 may be octal; for example \"2\" in quotes");
                        } else {
                            amounts.scalar(name).ifPresent(amount -> entries.add(Map.entry(name, amount)));
                        }
                    }
                });
                use.accept(new Resources(ResourceAmountText.read(entries, wrong)));
            } else {
                fields.text(key).ifPresent(text -> use.accept(new Resources(ResourceAmountText.parse(text, wrong))));
            }
        });
    }

    private static boolean isOctal(Optional<DataNode> node) {
        return node.filter(one -> one instanceof DataNode.Numeral number
                        && number.source().matches("[-+]?0\\d.*"))
                .isPresent();
    }

    private void volumes(FieldReader fields, RoleScope<?> scope) {
        if (fields.node("volumes").orElse(new DataNode.NullValue()) instanceof DataNode.Text text) {
            scope.volume(text.value());
            return;
        }
        fields.items("volumes", (place, node) -> {
            if (node instanceof DataNode.Text text) {
                scope.volume(text.value());
                return;
            }
            Map<String, String> volume = new LinkedHashMap<>();
            int[] wrong = {0};
            FieldReader reader = FieldReader.of(place, node, FieldReaderSettings.PLAIN, line -> {
                        wrong[0]++;
                        problems.accept(line);
                    })
                    .only(VOLUME);
            reader.text("mountPath").ifPresent(path -> volume.put("mount_path", path));
            reader.text("claimName").ifPresent(name -> volume.put("claim_name", name));
            reader.text("hostPath").ifPresent(path -> volume.put("host_path", path));
            reader.text("image").ifPresent(image -> volume.put("image", image));
            reader.text("type").ifPresent(type -> volume.put("type", type));
            reader.text("subPath").ifPresent(path -> volume.put("sub_path", path));
            reader.flag("readOnly").ifPresent(readOnly -> volume.put("read_only", Boolean.toString(readOnly)));
            if (wrong[0] == 0) {
                Volume.of(volume, line -> problems.accept(place + ": " + line)).ifPresent(scope::volume);
            }
        });
    }

    private void exitCodes(FieldReader role, FieldReader fields, RoleScope<?> scope) {
        Set<Integer> free = new TreeSet<>();
        Set<Integer> fatal = new TreeSet<>();
        Set<Integer> temporary = new TreeSet<>();
        fields.wholes("free", free::add);
        fields.wholes("fatal", fatal::add);
        fields.wholes("temporary", temporary::add);
        try {
            scope.exitCodes(new ExitCodePolicy(free, fatal, temporary));
        } catch (IllegalArgumentException e) {
            role.wrong("exitCodes", String.valueOf(e.getMessage()));
        }
    }

    private static List<String> prepend(List<String> first, List<String> second) {
        List<String> all = new ArrayList<>(first);
        all.addAll(second);
        return List.copyOf(all);
    }
}
