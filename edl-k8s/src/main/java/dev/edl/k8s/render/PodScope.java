package dev.edl.k8s.render;

import dev.edl.internal.text.ResourceQuantity;
import dev.edl.k8s.render.internal.ImmutablePodSettings;
import dev.edl.k8s.render.internal.OptionSyntax;
import dev.edl.k8s.render.internal.PodSettings;
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
 * What can be said of the pods of a role, or of all pods of a job, that only Kubernetes has a word for.
 *
 * <p>A role's settings lie over the whole job's: single things replace, labels, annotations and node selectors replace by
 * key, everything else is added. Models that are handed in are copied.
 *
 * <p>Each method throws {@link IllegalArgumentException} for a name or value of another form than Kubernetes takes.
 * Whether the settings fit the job is found out when its pods are made. Not safe for use by several threads.
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
     * An account that is there already; the pods get its token. Without one, and without {@link #apiAccess}, they get no
     * token at all.
     */
    public S serviceAccount(String name) {
        settings.serviceAccount(OptionSyntax.name("a service account", name, "trainer"));
        return self();
    }

    /**
     * Lets the processes ask the Kubernetes API: an account with a Role of exactly this is made, or, with
     * {@link #serviceAccount}, a Role for that account. Unless asked for, nothing is allowed.
     *
     * @param group the API's group, empty for the core
     * @param resource its plural, {@code pods}
     * @param verbs at least one, {@code get}
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

    /** A Secret with which images are pulled. */
    public S imagePullSecret(String name) {
        settings.addPullSecrets(OptionSyntax.name("an image pull secret", name, "registry"));
        return self();
    }

    /** When images are pulled: {@code Always}, {@code IfNotPresent} or {@code Never}; Kubernetes' default unless given. */
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
     * @param key of the taint, {@code nvidia.com/gpu}
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

    /** A label that a node must have. */
    public S nodeSelector(String key, String value) {
        settings.putNodeSelector(
                OptionSyntax.key("a node label", key, "disk"),
                OptionSyntax.labelValue("a node label's value", value, "ssd"));
        return self();
    }

    /** Where pods may and should run. */
    public S affinity(Affinity affinity) {
        settings.affinity(new AffinityBuilder(OptionSyntax.given("an affinity", affinity)).build());
        return self();
    }

    /** The node's network instead of one of the pod's own; names of the cluster are still found. */
    public S hostNetwork() {
        settings.hostNetwork(true);
        return self();
    }

    /** The scheduler; the cluster's default unless given. */
    public S scheduler(String name) {
        settings.scheduler(OptionSyntax.name("a scheduler", name, "volcano"));
        return self();
    }

    /**
     * A container beside the job's, which is started before it and does not keep the pod alive: an init container that
     * restarts always, as Kubernetes has it since 1.29.
     */
    public S sidecar(Container container) {
        settings.addSidecars(new ContainerBuilder(OptionSyntax.given("a sidecar", container))
                .withRestartPolicy("Always")
                .build());
        return self();
    }

    /** A container that runs to its end before the job's starts. */
    public S initContainer(Container container) {
        settings.addInitContainers(new ContainerBuilder(OptionSyntax.given("an init container", container)).build());
        return self();
    }

    /**
     * A variable whose value is in a Secret.
     *
     * @param variable its name
     * @param secret the Secret's name
     * @param key within the Secret
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

    /** Every key of a Secret as a variable; the job's own variables stand over them. */
    public S secretEnv(String secret) {
        settings.addEnvFrom(new EnvFromSourceBuilder()
                .withNewSecretRef()
                .withName(OptionSyntax.name("a secret", secret, "s3"))
                .endSecretRef()
                .build());
        return self();
    }

    /** A Secret as files, for reading. */
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

    /** A ConfigMap as files, for reading. */
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
     * Memory as a directory, such as {@code /dev/shm}, of which containers have 64 MiB otherwise.
     *
     * @param mountPath absolute
     * @param size the most that it holds, {@code 8Gi}; it counts as memory of the pod. Any quantity of Kubernetes, rounded up to
     *     whole bytes; at 0 the pod's memory is its bound
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
     * A volume of any kind.
     *
     * @param volume with a name
     * @param mountPath absolute
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
        settings.addVolumes(new PodSettings.Mounted(new VolumeBuilder(volume).build(), mount.build()));
        return self();
    }

    /**
     * The user that the processes run as, where the image names none or root.
     *
     * @param id at least 0
     */
    public S runAsUser(long id) {
        settings.runAsUser(atLeastZero("a user", id));
        return self();
    }

    /**
     * The group that volumes are given to.
     *
     * @param id at least 0
     */
    public S fsGroup(long id) {
        settings.fsGroup(atLeastZero("a group", id));
        return self();
    }

    /** How the pods stand to Pod Security; {@link PodSecurity#HARDENED} unless given or the profile is a legacy one. */
    public S security(PodSecurity security) {
        settings.security(OptionSyntax.given("security", security));
        return self();
    }

    /**
     * Devices for each pod; a resource that the job asks for as well must be of the same number.
     *
     * <p>The plan cannot see them. Where it starts one process for each device (PyTorch, Horovod), a device that the job does not
     * ask for is refused: give it in the job, {@code .gpu("amd.com/gpu", 8)}, and here for the labels of its nodes.
     * Of what {@link #pod} or a resource claim adds the plan knows nothing: say the number by the plan's rule,
     * {@code PyTorchEnv.processes} or {@code HorovodEnv.slots}.
     */
    public S accelerator(Accelerator accelerator) {
        settings.addAccelerators(OptionSyntax.given("an accelerator", accelerator));
        return self();
    }

    /** A label of the pods. */
    public S label(String key, String value) {
        settings.putLabels(
                OptionSyntax.key("a label", key, "team"), OptionSyntax.labelValue("a label's value", value, "vision"));
        return self();
    }

    /** An annotation of the pods. */
    public S annotation(String key, String value) {
        settings.putAnnotations(
                OptionSyntax.key("an annotation", key, "sidecar.istio.io/inject"),
                OptionSyntax.given("an annotation's value", value));
        return self();
    }

    /**
     * Changes the pods in any other way; the last word, in the order given, the whole job's before the role's.
     *
     * @param tweak a pure function: it gets a template of its own, which it may change and return. The labels by which
     *     the job finds its pods have to stay
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
