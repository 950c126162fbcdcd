package dev.edl.k8s.render;

import dev.edl.internal.text.ResourceQuantity;
import dev.edl.k8s.render.internal.KueueMetadata;
import dev.edl.k8s.render.internal.OptionSyntax;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.AffinityBuilder;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvFromSourceBuilder;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Kubernetes settings for all pods of a job, or for the pods of one role. Not thread-safe.
 *
 * <p>A role's settings override the job's: single values replace, labels, annotations and node selectors replace by
 * key, and all others add up. Kubernetes objects that are passed in are copied.
 *
 * <p>Each method throws {@link IllegalArgumentException} for a name or value whose form Kubernetes rejects. Whether the
 * settings fit the job is checked when its pods are rendered.
 *
 * @param <S> the type that each method returns
 */
public abstract sealed class PodScope<S extends PodScope<S>> permits PodOptions.Builder, PodOptions.Role {
    private final ImmutablePodSettings.Builder settings = ImmutablePodSettings.builder();

    PodScope() {}

    abstract S self();

    final void say(PodSettings given) {
        settings.from(given);
    }

    final PodSettings settings() {
        return settings.build();
    }

    /**
     * Sets an existing service account, whose token the pods get. Without it and without {@link #apiAccess} they get no
     * token.
     */
    public S serviceAccount(String name) {
        settings.serviceAccount(OptionSyntax.name("a service account", name, "trainer"));
        return self();
    }

    /**
     * Grants the processes access to the Kubernetes API. It creates a Role with exactly these permissions, for a new
     * account or for that of {@link #serviceAccount}. By default nothing is granted.
     *
     * @param group the API group, empty for the core group
     * @param resource plural of the kind, such as {@code pods}
     * @param verbs at least one, such as {@code get}
     */
    public S apiAccess(String group, String resource, String... verbs) {
        OptionSyntax.given("a group of the API", group);
        OptionSyntax.given("a resource of the API", resource);
        for (String verb : OptionSyntax.given("verbs", verbs)) {
            OptionSyntax.given("a verb", verb);
        }
        if (verbs.length == 0 || resource.isBlank()) {
            throw new IllegalArgumentException("apiAccess must name a resource and at least one verb, was \"" + resource
                    + "\" and " + List.of(verbs) + "; for example apiAccess(\"\", \"pods\", \"get\", \"list\")");
        }
        if (resource.equals("*") || List.of(verbs).contains("*")) {
            throw new IllegalArgumentException("apiAccess must name what the job needs, was \"" + resource + "\" and "
                    + List.of(verbs) + "; for example apiAccess(\"\", \"pods\", \"get\", \"list\")");
        }
        settings.addApiRules(new PolicyRuleBuilder()
                .withApiGroups(group)
                .withResources(resource)
                .withVerbs(verbs)
                .build());
        return self();
    }

    /** Adds a Secret for pulling images. */
    public S imagePullSecret(String name) {
        settings.addPullSecrets(OptionSyntax.name("an image pull secret", name, "registry"));
        return self();
    }

    /**
     * Sets the pull policy: {@code Always}, {@code IfNotPresent} or {@code Never}. The default is that of Kubernetes.
     */
    public S imagePullPolicy(String policy) {
        if (!Set.of("Always", "IfNotPresent", "Never").contains(OptionSyntax.given("an image pull policy", policy))) {
            throw new IllegalArgumentException(
                    "an image pull policy must be Always, IfNotPresent or Never, was \"" + policy + "\"");
        }
        settings.pullPolicy(policy);
        return self();
    }

    /** Tolerates a taint of nodes. */
    public S toleration(Toleration toleration) {
        settings.addTolerations(new TolerationBuilder(OptionSyntax.given("a toleration", toleration)).build());
        return self();
    }

    /**
     * Tolerates a taint with any value.
     *
     * @param key key of the taint, such as {@code nvidia.com/gpu}
     * @param effect {@code NoSchedule}, {@code PreferNoSchedule} or {@code NoExecute}
     */
    public S toleration(String key, String effect) {
        if (!Set.of("NoSchedule", "PreferNoSchedule", "NoExecute")
                .contains(OptionSyntax.given("a taint's effect", effect))) {
            throw new IllegalArgumentException(
                    "a taint's effect must be NoSchedule, PreferNoSchedule or NoExecute, was \"" + effect + "\"");
        }
        return toleration(new TolerationBuilder()
                .withKey(OptionSyntax.key("a taint", key, "nvidia.com/gpu"))
                .withOperator("Exists")
                .withEffect(effect)
                .build());
    }

    /** Requires a node label. */
    public S nodeSelector(String key, String value) {
        settings.putNodeSelector(
                OptionSyntax.key("a node label", key, "disk"),
                OptionSyntax.labelValue("a node label's value", value, "ssd"));
        return self();
    }

    /** Sets the affinity of the pods. */
    public S affinity(Affinity affinity) {
        settings.affinity(new AffinityBuilder(OptionSyntax.given("an affinity", affinity)).build());
        return self();
    }

    /** Uses the node's network instead of the pod's own. Names of Services still resolve. */
    public S hostNetwork() {
        settings.hostNetwork(true);
        return self();
    }

    /** Sets the scheduler; the default is that of the cluster. */
    public S scheduler(String name) {
        settings.scheduler(OptionSyntax.name("a scheduler", name, "volcano"));
        return self();
    }

    /**
     * Adds a container that starts before the job's main container and does not keep the pod alive: an init container
     * with restart policy {@code Always}, available since Kubernetes 1.29.
     */
    public S sidecar(Container container) {
        settings.addSidecars(new ContainerBuilder(OptionSyntax.given("a sidecar", container))
                .withRestartPolicy("Always")
                .build());
        return self();
    }

    /** Adds a container that runs to its end before the job's container starts. */
    public S initContainer(Container container) {
        settings.addInitContainers(new ContainerBuilder(OptionSyntax.given("an init container", container)).build());
        return self();
    }

    /**
     * Adds a variable whose value is in a Secret.
     *
     * @param variable name of the variable
     * @param secret name of the Secret
     * @param key key within the Secret
     */
    public S secretEnv(String variable, String secret, String key) {
        settings.addEnv(new EnvVarBuilder()
                .withName(OptionSyntax.variable(variable, "AWS_SECRET_ACCESS_KEY"))
                .withNewValueFrom()
                .withNewSecretKeyRef()
                .withName(OptionSyntax.name("a secret", secret, "s3"))
                .withKey(OptionSyntax.dataKey(key, "secret"))
                .endSecretKeyRef()
                .endValueFrom()
                .build());
        return self();
    }

    /** Adds every key of a Secret as a variable. The job's own variables take precedence. */
    public S secretEnv(String secret) {
        settings.addEnvFrom(new EnvFromSourceBuilder()
                .withNewSecretRef()
                .withName(OptionSyntax.name("a secret", secret, "s3"))
                .endSecretRef()
                .build());
        return self();
    }

    /** Mounts a Secret as read-only files. */
    public S secretVolume(String secret, String mountPath) {
        OptionSyntax.name("a secret", secret, "s3");
        return volume(
                new VolumeBuilder()
                        .withName(OptionSyntax.labelOf("secret", secret))
                        .withNewSecret()
                        .withSecretName(secret)
                        .endSecret()
                        .build(),
                mountPath,
                true);
    }

    /** Mounts a ConfigMap as read-only files. */
    public S configMapVolume(String configMap, String mountPath) {
        OptionSyntax.name("a ConfigMap", configMap, "settings");
        return volume(
                new VolumeBuilder()
                        .withName(OptionSyntax.labelOf("config", configMap))
                        .withNewConfigMap()
                        .withName(configMap)
                        .endConfigMap()
                        .build(),
                mountPath,
                true);
    }

    /**
     * Mounts memory as a directory, such as {@code /dev/shm}, which otherwise has 64 MiB in a container.
     *
     * @param mountPath absolute path in the container
     * @param size maximum size of the directory, such as {@code 8Gi}; it counts as memory of the pod. Any quantity of
     *     Kubernetes, rounded up to whole bytes; 0 means that only the pod's memory bounds it
     */
    public S memoryVolume(String mountPath, String size) {
        String bytes = ResourceQuantity.bytes("a size", OptionSyntax.given("a size", size), "8Gi")
                .text();
        return volume(
                new VolumeBuilder()
                        .withName(OptionSyntax.labelOf(
                                "memory", OptionSyntax.path("a mount path", mountPath, "/dev/shm")))
                        .withNewEmptyDir()
                        .withMedium("Memory")
                        .withSizeLimit(new Quantity(bytes))
                        .endEmptyDir()
                        .build(),
                mountPath,
                false);
    }

    /**
     * Mounts a volume of any kind.
     *
     * @param volume volume with a name
     * @param mountPath absolute path in the container
     */
    public S volume(Volume volume, String mountPath, boolean readOnly) {
        String path = OptionSyntax.path("a mount path", mountPath, "/data");
        String name = Objects.requireNonNullElse(
                OptionSyntax.given("a volume", volume).getName(), "");
        OptionSyntax.label("a volume's name", name, "scratch");
        VolumeMountBuilder mount = new VolumeMountBuilder().withName(name).withMountPath(path);
        if (readOnly) {
            mount.withReadOnly(true);
        }
        settings.addVolumes(new PodSettings.MountedVolume(new VolumeBuilder(volume).build(), mount.build()));
        return self();
    }

    /**
     * Sets the user of the processes, for an image that names no user or root.
     *
     * @param id user id, at least 0
     */
    public S runAsUser(long id) {
        settings.runAsUser(atLeastZero("a user", id));
        return self();
    }

    /**
     * Sets the group that owns the volumes.
     *
     * @param id group id, at least 0
     */
    public S fsGroup(long id) {
        settings.fsGroup(atLeastZero("a group", id));
        return self();
    }

    /**
     * Sets the Pod Security level of the pods. The default is {@link PodSecurity#HARDENED}, except for legacy profiles.
     */
    public S security(PodSecurity security) {
        settings.security(OptionSyntax.given("security", security));
        return self();
    }

    /**
     * Adds devices to each pod. If the job requests the same resource, the counts must be equal.
     *
     * <p>The plan does not see these devices. If the profile starts one process per device (PyTorch, Horovod), a device
     * that the job does not request is refused. Request it in the job, {@code .gpu("amd.com/gpu", 8)}, and add it here
     * for its node labels. The plan does not see devices of {@link #pod} or of a resource claim either: set their
     * number by {@code PyTorchEnv.processes} or {@code HorovodEnv.slots}.
     */
    public S accelerator(Accelerator accelerator) {
        settings.addAccelerators(OptionSyntax.given("an accelerator", accelerator));
        return self();
    }

    /**
     * Gives the main container of each pod the devices of a separate claim, by Dynamic Resource Allocation. The plan does not
     * see these devices; see {@link #accelerator}.
     *
     * @param template name of a ResourceClaimTemplate in the job's namespace, from which Kubernetes creates the claim
     */
    public S resourceClaim(String template) {
        settings.addClaimTemplates(OptionSyntax.name("a ResourceClaimTemplate", template, "one-gpu"));
        return self();
    }

    /**
     * Requires that Kueue places the pods of each role that it admits together in one topology domain, such as a rack.
     * Needs a {@link PodOptions.Builder#queue} whose flavor has a topology.
     *
     * @param level node label of the level, one of Kueue's Topology object
     */
    public S requiredTopology(String level) {
        return annotation(
                KueueMetadata.REQUIRED_TOPOLOGY, OptionSyntax.key("a topology level", level, "example.com/rack"));
    }

    /** Asks for the same as {@link #requiredTopology}; if no domain has room, Kueue uses larger domains, or several. */
    public S preferredTopology(String level) {
        return annotation(
                KueueMetadata.PREFERRED_TOPOLOGY, OptionSyntax.key("a topology level", level, "example.com/rack"));
    }

    /** Adds a label to the pods. */
    public S label(String key, String value) {
        settings.putLabels(
                OptionSyntax.key("a label", key, "team"), OptionSyntax.labelValue("a label's value", value, "vision"));
        return self();
    }

    /** Adds an annotation to the pods. */
    public S annotation(String key, String value) {
        settings.putAnnotations(
                OptionSyntax.key("an annotation", key, "sidecar.istio.io/inject"),
                OptionSyntax.given("an annotation's value", value));
        return self();
    }

    /**
     * Changes the pods in any other way, after all other settings. Changes apply in order, the job's before the role's.
     *
     * @param tweak pure function of a pod template. It receives a template that no other code uses, which it may change
     *     and return. It must keep the labels by which the job finds its pods
     */
    public S pod(UnaryOperator<PodTemplateSpec> tweak) {
        settings.addTweaks(OptionSyntax.given("a tweak", tweak));
        return self();
    }

    private static long atLeastZero(String what, long id) {
        if (id < 0) {
            throw new IllegalArgumentException(what + "'s id must be at least 0, was " + id + "; for example 1000");
        }
        return id;
    }
}
