package dev.edl.operators.crd.kubeflow;

import dev.edl.internal.text.SpellingSuggestion;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.JobReadResult;
import dev.edl.operators.crd.internal.ConversionReport;
import dev.edl.operators.crd.internal.CustomObjectFieldReader;
import dev.edl.operators.crd.internal.PodReader;
import dev.edl.operators.crd.internal.PodTemplateConventions;
import dev.edl.operators.crd.internal.ResourceMetadata;
import dev.edl.spec.CleanupPolicy;
import dev.edl.spec.ElasticBounds;
import dev.edl.spec.JobSpec;
import dev.edl.spec.RoleSpec;
import dev.edl.spec.RoleTemplate;
import dev.edl.spec.RoleType;
import dev.edl.spec.RunPolicy;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads a resource of one of Kubeflow's kinds: the fields that all kinds have and, by a callback, those of the kind.
 */
final class KindReader {
    private static final List<String> REPLICA = List.of("replicas", "restartPolicy", "template");

    private final KubeflowKind kind;
    private final CustomObject resource;
    private final ConversionReport report;
    private final PodReader pods;
    private final JobSpec.Builder job;
    private final RunPolicy.Builder policy = RunPolicy.builder().cleanup(CleanupPolicy.NONE);
    private final Map<RoleType, RoleSpec> roles = new EnumMap<>(RoleType.class);
    private final List<RoleType> order = new ArrayList<>();
    private final Set<RoleType> empty = EnumSet.noneOf(RoleType.class);
    private Optional<ElasticBounds> elastic = Optional.empty();

    KindReader(KubeflowKind kind, CustomObject resource) {
        this.kind = kind;
        this.resource = resource;
        this.report = new ConversionReport(resource.kind(), resource.name());
        this.pods = new PodReader(kind.pod(), resource);
        this.job = JobSpec.builder().framework(kind.framework());
    }

    /** Callback that reads the fields that only one kind has. */
    interface Own {
        void read(CustomObjectFieldReader spec, KindReader reader);
    }

    /**
     * Reads the job.
     *
     * @param keys keys of the spec that only this kind has
     * @param own reads these keys; called after the roles are read
     */
    JobReadResult read(List<String> keys, Own own) {
        if (!resource.kind().equals(kind.name()) || !resource.apiVersion().equals(kind.apiVersion())) {
            ResourceMetadata.refuse(resource, kind.apiVersion() + " and " + kind.name(), report);
        }
        CustomObjectFieldReader object = CustomObjectFieldReader.of(resource, report, ResourceMetadata.OBJECT);
        ResourceMetadata.read(object, job);
        List<String> known = new ArrayList<>(keys);
        known.addAll(List.of("runPolicy", kind.replicaSpecs()));
        object.fields("spec", known).ifPresentOrElse(spec -> spec(spec, own), () -> object.wrong("spec", "is missing"));
        order.forEach(type -> Optional.ofNullable(roles.get(type)).ifPresent(job::addRoles));
        return new JobReadResult(report.job(job.policy(policy.build())), pods.options(), report.losses());
    }

    private void spec(CustomObjectFieldReader spec, Own own) {
        spec.fields("runPolicy", RunPolicyConversion.KEYS)
                .ifPresent(fields -> RunPolicyConversion.read(fields, policy));
        Optional<CustomObjectFieldReader> specs = spec.map(kind.replicaSpecs());
        if (specs.isEmpty()) {
            spec.wrong(kind.replicaSpecs(), "is missing; for example " + kind.replicaSpecs() + ": {Worker: …}");
        }
        specs.ifPresent(fields -> fields.content().keySet().forEach(key -> replica(fields, key)));
        own.read(spec, this);
        elastic.ifPresent(bounds -> roles.computeIfPresent(
                RoleType.WORKER,
                (type, role) -> RoleSpec.builder().from(role).elastic(bounds).build()));
    }

    private void replica(CustomObjectFieldReader specs, String key) {
        Optional<RoleType> type = kind.roles().entrySet().stream()
                .filter(role -> role.getValue().equalsIgnoreCase(key))
                .map(Map.Entry::getKey)
                .findFirst();
        if (type.isEmpty()) {
            specs.report()
                    .mistake(specs.at(key) + ": unknown role; "
                            + SpellingSuggestion.hint(key, kind.roles().values()));
            return;
        }
        if (order.contains(type.get())) {
            specs.wrong(key, "is given twice; the case of a role's key does not matter");
            return;
        }
        order.add(type.get());
        if (!specs.has(key)) {
            specs.wrong(key, "must be a map, was null; for example {replicas: 2, template: …}");
        }
        specs.fields(key, REPLICA).ifPresent(replica -> role(replica, type.get()));
    }

    private void role(CustomObjectFieldReader replica, RoleType type) {
        int[] replicas = {1};
        replica.whole("replicas", count -> replicas[0] = count);
        Optional<RoleTemplate.Builder> read = pods.read(form(type), replica, type, replicas[0] != 0);
        if (read.isEmpty()) {
            report.mistake(replica.at("template") + " must have a container named "
                    + kind.pod().container() + containers(replica.content()));
            return;
        }
        RoleTemplate.Builder template = read.get();
        RestartPolicyConversion.read(kind, replica, type, template);
        if (replicas[0] == 0) {
            empty.add(type);
            report.loss(replica.path(), replica.content(), "a role of a job has at least one replica");
            return;
        }
        RoleTemplate built = template.build();
        if (built.image().isEmpty()) {
            report.mistake(replica.at("template") + ": its container must have an image");
        }
        if (built.port().orElse(0) == kind.port()) {
            built = RoleTemplate.builder()
                    .from(built)
                    .port(java.util.OptionalInt.empty())
                    .build();
        }
        roles.put(
                type,
                RoleSpec.builder()
                        .type(type)
                        .replicas(replicas[0])
                        .template(built)
                        .build());
    }

    private PodTemplateConventions form(RoleType type) {
        return kind.pod(resource.fields().get("spec") instanceof Map<?, ?> spec ? spec : Map.of(), type);
    }

    /** Returns the names of a template's containers, for the message that the container that trains is missing. */
    private static String containers(Map<String, Object> replica) {
        if (replica.get("template") instanceof Map<?, ?> template
                && template.get("spec") instanceof Map<?, ?> spec
                && spec.get("containers") instanceof List<?> containers) {
            List<String> names = containers.stream()
                    .map(container -> container instanceof Map<?, ?> map ? "\"" + map.get("name") + "\"" : "none")
                    .toList();
            return ", has " + (names.isEmpty() ? "none" : String.join(", ", names));
        }
        return "";
    }

    /** Returns whether the resource has a role with at least one replica. */
    boolean has(RoleType type) {
        return roles.containsKey(type);
    }

    /** Returns whether the resource has a role's key, even if the role is malformed or has 0 replicas. */
    boolean names(RoleType type) {
        return order.contains(type);
    }

    /** Returns whether the resource has the role, with 0 replicas. */
    boolean isEmpty(RoleType type) {
        return empty.contains(type);
    }

    /** Returns the number of replicas of a role; 1 when the resource lacks the role. */
    int replicas(RoleType type) {
        return Optional.ofNullable(roles.get(type)).map(RoleSpec::replicas).orElse(1);
    }

    /** Declares the job's workers elastic within these bounds. */
    void elastic(ElasticBounds bounds) {
        elastic = Optional.of(bounds);
    }

    /** Returns the builder of the job's run policy. */
    RunPolicy.Builder policy() {
        return policy;
    }
}
