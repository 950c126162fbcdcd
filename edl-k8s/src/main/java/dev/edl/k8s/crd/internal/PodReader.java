package dev.edl.k8s.crd.internal;

import dev.edl.Priority;
import dev.edl.RestartPolicy;
import dev.edl.k8s.crd.CustomObject;
import dev.edl.spec.RoleTemplate;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads a pod template as the settings of a role. */
public final class PodReader {
    static final List<String> SPEC = List.of(
            "containers",
            "initContainers",
            "ephemeralContainers",
            "volumes",
            "restartPolicy",
            "priorityClassName",
            "priority",
            "preemptionPolicy",
            "serviceAccountName",
            "serviceAccount",
            "automountServiceAccountToken",
            "nodeSelector",
            "nodeName",
            "affinity",
            "tolerations",
            "topologySpreadConstraints",
            "schedulerName",
            "schedulingGates",
            "schedulingGroup",
            "runtimeClassName",
            "imagePullSecrets",
            "securityContext",
            "hostNetwork",
            "hostPID",
            "hostIPC",
            "hostUsers",
            "hostAliases",
            "hostname",
            "hostnameOverride",
            "subdomain",
            "setHostnameAsFQDN",
            "dnsPolicy",
            "dnsConfig",
            "enableServiceLinks",
            "shareProcessNamespace",
            "terminationGracePeriodSeconds",
            "activeDeadlineSeconds",
            "readinessGates",
            "overhead",
            "os",
            "resources",
            "resourceClaims",
            "workloadRef");

    private static final List<String> HANDLED =
            List.of("containers", "volumes", "restartPolicy", "priorityClassName", "initContainers");
    private static final List<String> TEMPLATE = List.of("metadata", "spec");
    private static final String POD_ONLY =
            "a job says nothing of pods; give it to the pods beside the plan, when EDL runs the job";

    private final PodForm form;
    private final Map<?, ?> labels;
    private final Map<?, ?> annotations;

    /** Reads the templates of a resource, whose labels and annotations are those of the job and so of all its pods. */
    public PodReader(PodForm form, CustomObject resource) {
        this.form = form;
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
     * @return empty when there is no container that trains, which is a mistake
     */
    public Optional<RoleTemplate.Builder> read(Fields role) {
        Optional<Fields> template = role.fields("template", TEMPLATE);
        template.flatMap(fields -> fields.fields("metadata", Meta.METADATA)).ifPresent(this::metadata);
        return template.flatMap(fields -> fields.fields("spec", SPEC)).flatMap(this::spec);
    }

    private void metadata(Fields metadata) {
        ofTheJob(metadata, "labels", labels);
        ofTheJob(metadata, "annotations", annotations);
        metadata.loseAllBut(List.of("labels", "annotations"), "pods are named by the plan");
    }

    private static void ofTheJob(Fields metadata, String key, Map<?, ?> whole) {
        metadata.texts(key).forEach((name, value) -> {
            if (!value.equals(whole.get(name))) {
                metadata.report()
                        .loss(
                                metadata.at(key + "." + name),
                                value,
                                "a job's " + key
                                        + " are those of all its replicas, and the resource's own do not say it");
            }
        });
    }

    private Optional<RoleTemplate.Builder> spec(Fields spec) {
        RoleTemplate.Builder role = RoleTemplate.builder();
        List<Fields> containers = spec.items("containers", ContainerReader.CONTAINER);
        Optional<Fields> trains = containers.stream()
                .filter(container -> form.container().equals(container.raw("name")))
                .findFirst()
                .or(() -> containers.stream().filter(first -> form.anyName()).findFirst());
        VolumeReader volumes = new VolumeReader(spec);
        trains.ifPresent(container -> new ContainerReader(form, role).read(container, volumes));
        containers.stream()
                .filter(container -> trains.filter(one -> one == container).isEmpty())
                .forEach(other -> spec.report()
                        .loss(other.path(), other.content(), "a replica of a job is one container; " + POD_ONLY));
        volumes.loseUnmounted();
        spec.lose("a replica of a job is one container; " + POD_ONLY, "initContainers");
        spec.filled("priorityClassName").ifPresent(name -> priority(spec, name, role));
        restart(spec, role);
        spec.loseUnless("hostNetwork", false, POD_ONLY);
        spec.loseUnless("hostPID", false, POD_ONLY);
        spec.loseUnless("hostIPC", false, POD_ONLY);
        spec.loseAllBut(ContainerReader.and(HANDLED, "hostNetwork", "hostPID", "hostIPC"), POD_ONLY);
        return trains.map(container -> role);
    }

    private static void priority(Fields spec, String name, RoleTemplate.Builder role) {
        try {
            role.priority(Priority.of(name));
        } catch (IllegalArgumentException e) {
            spec.report().loss(spec.at("priorityClassName"), name, String.valueOf(e.getMessage()));
        }
    }

    private void restart(Fields spec, RoleTemplate.Builder role) {
        if (!form.restarts()) {
            spec.lose("the operator overwrites it", "restartPolicy");
            return;
        }
        // Kubernetes' own default, when a template says nothing.
        restart(spec, spec.filled("restartPolicy").orElse("Always"), role);
    }

    /** Sets a restart policy from Kubernetes' word; EDL's default is left out. */
    public static void restart(Fields fields, String word, RoleTemplate.Builder role) {
        switch (word) {
            case "Never" -> role.restart(RestartPolicy.NEVER);
            case "Always" -> role.restart(RestartPolicy.ALWAYS);
            case "OnFailure" -> {}
            default -> fields.unknownWord("restartPolicy", word, List.of("Always", "OnFailure", "Never"));
        }
    }
}
