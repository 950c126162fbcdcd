package dev.edl.operators.crd.internal;

import dev.edl.k8s.render.PodOptions;
import dev.edl.operators.crd.CustomObject;
import dev.edl.spec.Priority;
import dev.edl.spec.RestartPolicy;
import dev.edl.spec.RoleTemplate;
import dev.edl.spec.RoleType;
import io.fabric8.kubernetes.api.model.PodSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads pod templates of a resource. Settings that a role of a job can express go into the role, and all others
 * into the options of the role's pods.
 */
public final class PodReader {
    private static final Set<String> HANDLED =
            Set.of("containers", "initContainers", "volumes", "restartPolicy", "priorityClassName");

    private final PodTemplateConventions conventions;
    private final Map<?, ?> labels;
    private final Map<?, ?> annotations;
    private final PodOptions.Builder options = PodOptions.builder();
    private boolean said;

    /**
     * Creates a reader of a resource's templates. The resource's labels and annotations become those of the job, and so
     * of all its pods.
     */
    public PodReader(PodTemplateConventions conventions, CustomObject resource) {
        this.conventions = conventions;
        Map<?, ?> metadata = map(resource.fields(), "metadata");
        this.labels = map(metadata, "labels");
        this.annotations = map(metadata, "annotations");
    }

    private static Map<?, ?> map(Map<?, ?> in, String key) {
        return in.get(key) instanceof Map<?, ?> map ? map : Map.of();
    }

    /**
     * Reads the key {@code template} of a role.
     *
     * @param counts whether the role has replicas; if false, its pods get no options
     * @return settings of the role; empty, with a mistake in the report, when no container trains
     */
    public Optional<RoleTemplate.Builder> read(CustomObjectFieldReader role, RoleType type, boolean counts) {
        return read(conventions, role, type, counts);
    }

    /** Reads the key {@code template} of a role, with other requirements on the template than this reader's. */
    public Optional<RoleTemplate.Builder> read(
            PodTemplateConventions conventions, CustomObjectFieldReader role, RoleType type, boolean counts) {
        Optional<CustomObjectFieldReader> template = role.fields("template", List.of("metadata", "spec"));
        UnmappedPodFields unmapped = new UnmappedPodFields();
        template.flatMap(fields -> fields.fields("metadata", ResourceMetadata.METADATA))
                .ifPresent(metadata -> metadata(metadata, unmapped));
        Optional<RoleTemplate.Builder> read =
                template.flatMap(fields -> fields.map("spec")).flatMap(spec -> spec(conventions, spec, unmapped));
        if (counts && read.isPresent() && !unmapped.isEmpty()) {
            said = true;
            options.role(type.id(), pods -> unmapped.say(pods, template.orElseThrow()));
        }
        return read;
    }

    /** Returns the builder of the options, to which a caller adds options of the whole job. */
    public PodOptions.Builder whole() {
        said = true;
        return options;
    }

    /** Returns the pod settings that a job cannot express. */
    public PodOptions options() {
        return said ? options.build() : PodOptions.none();
    }

    private void metadata(CustomObjectFieldReader metadata, UnmappedPodFields unmapped) {
        unmapped.labels.putAll(metadata.texts("labels"));
        unmapped.labels.entrySet().removeIf(label -> label.getValue().equals(labels.get(label.getKey())));
        unmapped.annotations.putAll(metadata.texts("annotations"));
        unmapped.annotations.entrySet().removeIf(note -> note.getValue().equals(annotations.get(note.getKey())));
        ResourceMetadata.checkNumbers(metadata);
        metadata.loseAllBut(List.of("labels", "annotations"), "pods are named by the plan");
    }

    private static Optional<RoleTemplate.Builder> spec(
            PodTemplateConventions conventions, CustomObjectFieldReader spec, UnmappedPodFields unmapped) {
        RoleTemplate.Builder role = RoleTemplate.builder();
        if (!ModelClassValidator.check(spec, PodSpec.class)) {
            // The resource is rejected anyway; a value missing because of that is not a second mistake.
            return Optional.of(role.image("unread"));
        }
        List<CustomObjectFieldReader> containers = spec.items("containers");
        Optional<CustomObjectFieldReader> trains = containers.stream()
                .filter(container -> conventions.container().equals(container.raw("name")))
                .findFirst()
                .or(() -> containers.stream()
                        .filter(first -> conventions.anyName())
                        .findFirst());
        VolumeReader volumes = new VolumeReader(spec);
        trains.ifPresent(container -> {
            container.loseUnless(
                    "name", conventions.container(), "the container that trains is named " + conventions.container());
            boolean set = !conventions.anyName() || container.equals(containers.get(0));
            new TrainingContainerReader(set ? conventions : conventions.setting(Set.of()), container, role, unmapped)
                    .read(volumes);
        });
        List<CustomObjectFieldReader> others = new ArrayList<>(containers);
        trains.ifPresent(others::remove);
        List<CustomObjectFieldReader> inits = spec.items("initContainers");
        rest(spec, unmapped);
        put(unmapped, "containers", others.stream().map(VolumeReader::container).toList());
        put(
                unmapped,
                "initContainers",
                inits.stream().map(VolumeReader::container).toList());
        others.addAll(inits);
        put(unmapped, "volumes", volumes.rest(others, unmapped));
        spec.filled("priorityClassName").ifPresent(name -> priority(spec, name, role));
        restart(conventions, spec, role);
        return trains.map(container -> role);
    }

    private static void rest(CustomObjectFieldReader spec, UnmappedPodFields unmapped) {
        spec.keys().stream()
                .filter(key -> !HANDLED.contains(key) && !CustomObjectFieldReader.saysNothing(spec.raw(key)))
                .forEach(key -> unmapped.pod.put(key, spec.content().get(key)));
        // Kubernetes' name of the account until 1.0, which it still sets.
        Object old = unmapped.pod.remove("serviceAccount");
        if (old != null) {
            unmapped.pod.putIfAbsent("serviceAccountName", old);
        }
    }

    private static void put(UnmappedPodFields unmapped, String key, List<?> items) {
        if (!items.isEmpty()) {
            unmapped.pod.put(key, items);
        }
    }

    private static void priority(CustomObjectFieldReader spec, String name, RoleTemplate.Builder role) {
        try {
            role.priority(Priority.of(name));
        } catch (IllegalArgumentException e) {
            spec.report().loss(spec.at("priorityClassName"), name, String.valueOf(e.getMessage()));
        }
    }

    private static void restart(
            PodTemplateConventions conventions, CustomObjectFieldReader spec, RoleTemplate.Builder role) {
        if (!conventions.restarts()) {
            spec.lose("the operator overwrites it", "restartPolicy");
            return;
        }
        // Kubernetes' default.
        restart(spec, spec.filled("restartPolicy").orElse("Always"), role);
    }

    /** Sets a restart policy from Kubernetes' value, unless it is EDL's default. */
    public static void restart(CustomObjectFieldReader fields, String word, RoleTemplate.Builder role) {
        switch (word) {
            case "Never" -> role.restart(RestartPolicy.NEVER);
            case "Always" -> role.restart(RestartPolicy.ALWAYS);
            case "OnFailure" -> {}
            default -> fields.unknownWord("restartPolicy", word, List.of("Always", "OnFailure", "Never"));
        }
    }
}
