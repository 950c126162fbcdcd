package dev.edl.operators.crd.internal;

import dev.edl.Job;
import dev.edl.k8s.render.PodOptions;
import dev.edl.spec.Priority;
import dev.edl.spec.Resources;
import dev.edl.spec.RestartPolicy;
import dev.edl.spec.RoleSpec;
import dev.edl.spec.RoleTemplate;
import dev.edl.spec.RoleType;
import dev.edl.spec.Volume;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Writes the roles of a job as pod templates. */
public final class PodWriter {
    private final Job job;
    private final PodOptions options;
    private final PodTemplateConventions conventions;
    private final ConversionReport report;

    /**
     * Creates a writer of a job's roles for an operator.
     *
     * @param options options of the job's pods
     */
    public PodWriter(Job job, PodOptions options, PodTemplateConventions conventions, ConversionReport report) {
        this.job = job;
        this.options = options;
        this.conventions = conventions;
        this.report = report;
    }

    /** Returns the template of a role; adds a mistake when it has no image. */
    public Map<String, Object> template(RoleSpec role) {
        RoleTemplate template = job.spec().effective(role);
        Map<String, Object> metadata = new LinkedHashMap<>();
        ResourceMetadata.put(metadata, "labels", job.spec().labels());
        ResourceMetadata.put(metadata, "annotations", job.spec().annotations());
        Map<String, Object> spec = new LinkedHashMap<>();
        VolumeNames volumes = new VolumeNames(template.volumes());
        spec.put("containers", List.of(container(role, template, volumes)));
        if (!template.volumes().isEmpty()) {
            spec.put("volumes", volumes.written());
        }
        template.priority().ifPresent(priority -> priority(role, priority, spec));
        if (conventions.restarts()) {
            spec.put("restartPolicy", word(template.restart().orElse(RestartPolicy.ON_FAILURE)));
        }
        Map<String, Object> pod = new LinkedHashMap<>();
        if (!metadata.isEmpty()) {
            pod.put("metadata", metadata);
        }
        pod.put("spec", spec);
        variables(role.type()).stream()
                .filter(conventions.variables()::contains)
                .forEach(name -> report.loss("options." + role.type() + ".env." + name, name, OperatorEnv.WHY));
        return options == PodOptions.none() ? pod : with(role.type(), pod);
    }

    /**
     * Returns the names of the environment variables that the pod options set in a role's container, in the options'
     * order.
     */
    public List<String> variables(RoleType role) {
        Map<?, ?> pod = optioned(role);
        return pod.get("spec") instanceof Map<?, ?> spec
                        && spec.get("containers") instanceof List<?> containers
                        && containers.get(0) instanceof Map<?, ?> container
                        && container.get("env") instanceof List<?> env
                ? env.stream()
                        .map(entry -> entry instanceof Map<?, ?> map ? String.valueOf(map.get("name")) : "")
                        .toList()
                : List.of();
    }

    /** Reports the options of a role that is written without a template. */
    public void loseOptions(RoleType role, String why) {
        Map<String, Object> pod = optioned(role);
        if (!pod.equals(bare())) {
            report.loss("options." + role, pod, why);
        }
    }

    private Map<String, Object> optioned(RoleType role) {
        return options == PodOptions.none() ? bare() : with(role, bare());
    }

    private Map<String, Object> bare() {
        return OrderedMaps.of(
                "spec", OrderedMaps.of("containers", List.of(OrderedMaps.of("name", conventions.container()))));
    }

    /** Returns the pod template with the options applied; keys that the job sets come first. */
    private Map<String, Object> with(RoleType role, Map<String, Object> pod) {
        Map<String, Object> changed =
                KubernetesModelConversion.plain(options.applyTo(role, KubernetesModelConversion.template(pod)));
        changed.values().removeIf(value -> value.equals(Map.of()));
        Map<String, Object> order = OrderedMaps.of("metadata", Map.of());
        order.putAll(pod);
        return KubernetesModelConversion.inOrder(changed, order);
    }

    private Map<String, Object> container(RoleSpec role, RoleTemplate template, VolumeNames volumes) {
        Map<String, Object> container = OrderedMaps.of("name", conventions.container());
        template.image()
                .ifPresentOrElse(
                        image -> container.put("image", image),
                        () -> report.mistake(role.type() + ".image is missing, which a pod needs; for example image("
                                + "\"registry.example/acme/mnist:1\")"));
        if (!template.command().isEmpty()) {
            container.put("command", literal(template.command()));
        }
        if (!template.args().isEmpty()) {
            container.put("args", literal(template.args()));
        }
        List<Object> env = env(role, template);
        if (!env.isEmpty()) {
            container.put("env", env);
        }
        conventions
                .portName()
                .ifPresent(name -> template.port().ifPresent(port -> {
                    Map<String, Object> entry = new LinkedHashMap<>();
                    entry.put("name", name);
                    entry.put("containerPort", port);
                    container.put("ports", List.of(entry));
                }));
        resources(template).ifPresent(resources -> container.put("resources", resources));
        if (!template.volumes().isEmpty()) {
            container.put(
                    "volumeMounts",
                    template.volumes().stream()
                            .map(volume -> mount(volume, volumes))
                            .toList());
        }
        return container;
    }

    private static List<String> literal(List<String> words) {
        return words.stream().map(VariableReferences::literal).toList();
    }

    private List<Object> env(RoleSpec role, RoleTemplate template) {
        List<Object> env = new ArrayList<>();
        template.env().forEach((name, value) -> {
            if (conventions.variables().contains(name)) {
                report.loss(role.type() + ".env." + name, value, OperatorEnv.WHY);
            } else {
                env.add(OrderedMaps.of("name", name, "value", VariableReferences.literal(value)));
            }
        });
        template.secretEnv().forEach((name, ref) -> {
            if (conventions.variables().contains(name)) {
                report.loss(role.type() + ".secretEnv." + name, ref.toString(), OperatorEnv.WHY);
            } else {
                env.add(OrderedMaps.of(
                        "name",
                        name,
                        "valueFrom",
                        OrderedMaps.of("secretKeyRef", OrderedMaps.of("name", ref.secret(), "key", ref.key()))));
            }
        });
        return env;
    }

    private static Optional<Map<String, Object>> resources(RoleTemplate template) {
        Map<String, Object> resources = new LinkedHashMap<>();
        Resources limits = template.effectiveLimits();
        template.requests()
                .filter(requests -> !requests.amounts().isEmpty())
                .ifPresent(requests -> resources.put("requests", requests.amounts()));
        if (!limits.amounts().isEmpty()) {
            resources.put("limits", limits.amounts());
        }
        return resources.isEmpty() ? Optional.empty() : Optional.of(resources);
    }

    private static Map<String, Object> mount(Volume volume, VolumeNames volumes) {
        Map<String, Object> mount = OrderedMaps.of("name", volumes.of(volume), "mountPath", volume.mountPath());
        volume.subPath().ifPresent(path -> mount.put("subPath", path));
        if (volume.readOnly()) {
            mount.put("readOnly", true);
        }
        return mount;
    }

    private void priority(RoleSpec role, Priority priority, Map<String, Object> spec) {
        if (priority.isFraction()) {
            report.loss(
                    role.type() + ".priority",
                    priority.toString(),
                    "one template is for all replicas of the role, so that all have one class");
        } else {
            spec.put("priorityClassName", priority.toString());
        }
    }

    /** Returns Kubernetes' value for a restart policy. */
    public static String word(RestartPolicy policy) {
        return switch (policy) {
            case NEVER -> "Never";
            case ON_FAILURE -> "OnFailure";
            case ALWAYS -> "Always";
        };
    }
}
