package dev.edl.operators.controller;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.ProbeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import java.util.Map;

/**
 * Builder of the objects that run a controller in the cluster: a Deployment of two replicas and its disruption budget.
 * The pods meet Pod Security's level {@code restricted}. Pure.
 */
final class ControllerDeployment {
    private static final Map<String, String> LABELS = Map.of("app", ControllerManifest.NAME);
    static final String FOLDER = "/etc/edl";
    static final int PROBES = 8081;
    private static final int METRICS = 8080;

    private ControllerDeployment() {}

    /**
     * Returns a disruption budget of one available replica, so that a node drain evicts one replica at a time and the
     * other can take the lease.
     */
    static PodDisruptionBudget budget(ObjectMeta metadata) {
        return new PodDisruptionBudgetBuilder()
                .withMetadata(metadata)
                .withNewSpec()
                .withMinAvailable(new IntOrString(1))
                .withNewSelector()
                .withMatchLabels(LABELS)
                .endSelector()
                .endSpec()
                .build();
    }

    static Deployment of(ObjectMeta metadata, ControllerManifestOptions options) {
        return new DeploymentBuilder()
                .withMetadata(metadata)
                .withNewSpec()
                .withReplicas(2)
                .withNewSelector()
                .withMatchLabels(LABELS)
                .endSelector()
                .withNewTemplate()
                .withMetadata(labels(options))
                .withSpec(pod(options))
                .endTemplate()
                .endSpec()
                .build();
    }

    private static boolean metrics(ControllerManifestOptions options) {
        return options.arguments().contains("--metrics-bind-address");
    }

    private static ObjectMeta labels(ControllerManifestOptions options) {
        ObjectMetaBuilder metadata = new ObjectMetaBuilder().withLabels(LABELS);
        if (metrics(options)) {
            metadata.addToAnnotations("prometheus.io/scrape", "true")
                    .addToAnnotations("prometheus.io/port", "" + METRICS);
        }
        return metadata.build();
    }

    private static PodSpec pod(ControllerManifestOptions options) {
        PodSpecBuilder pod = new PodSpecBuilder()
                .withServiceAccountName(ControllerManifest.NAME)
                .withPriorityClassName(options.priorityClass().orElse(null))
                // Longer than the leader needs to release its lease.
                .withTerminationGracePeriodSeconds(60L)
                // Prefers different nodes, so that the loss of one node leaves a replica.
                .withNewAffinity()
                .withNewPodAntiAffinity()
                .addNewPreferredDuringSchedulingIgnoredDuringExecution()
                .withWeight(100)
                .withNewPodAffinityTerm()
                .withTopologyKey("kubernetes.io/hostname")
                .withNewLabelSelector()
                .withMatchLabels(LABELS)
                .endLabelSelector()
                .endPodAffinityTerm()
                .endPreferredDuringSchedulingIgnoredDuringExecution()
                .endPodAntiAffinity()
                .endAffinity()
                .withNewSecurityContext()
                .withRunAsNonRoot(true)
                .withRunAsUser(1000L)
                .withNewSeccompProfile()
                .withType("RuntimeDefault")
                .endSeccompProfile()
                .endSecurityContext()
                .withContainers(container(options))
                // The JVM's own files are the only ones written.
                .addNewVolume()
                .withName("tmp")
                .withNewEmptyDir()
                .withSizeLimit(new Quantity("64Mi"))
                .endEmptyDir()
                .endVolume();
        if (options.config().isPresent()) {
            pod.addNewVolume()
                    .withName("config")
                    .withNewConfigMap()
                    .withName(ControllerManifest.NAME + "-config")
                    .endConfigMap()
                    .endVolume();
        }
        return pod.build();
    }

    private static Container container(ControllerManifestOptions options) {
        Quantity memory = new Quantity(options.memory());
        ContainerBuilder container = new ContainerBuilder()
                .withName("controller")
                .withImage(options.image())
                // Three quarters of the memory limit, where a JVM's default is one quarter; an OutOfMemoryError in any
                // thread ends it.
                .withCommand(
                        "java",
                        "-XX:MaxRAMPercentage=75",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-cp",
                        "/edl/*",
                        ControllerMain.class.getName())
                .withArgs(options.arguments())
                .withEnv(field("MY_POD_NAMESPACE", "metadata.namespace"), field("MY_POD_NAME", "metadata.name"))
                .addNewPort()
                .withName("probes")
                .withContainerPort(PROBES)
                .endPort()
                .withLivenessProbe(probe("/livez"))
                .withReadinessProbe(probe("/readyz"))
                .withNewResources()
                .addToRequests("cpu", new Quantity("100m"))
                .addToRequests("memory", memory)
                .withLimits(Map.of("memory", memory))
                .endResources()
                .withNewSecurityContext()
                .withAllowPrivilegeEscalation(false)
                .withReadOnlyRootFilesystem(true)
                .withNewCapabilities()
                .withDrop("ALL")
                .endCapabilities()
                .endSecurityContext()
                .addNewVolumeMount()
                .withName("tmp")
                .withMountPath("/tmp")
                .endVolumeMount();
        if (metrics(options)) {
            container
                    .addNewPort()
                    .withName("metrics")
                    .withContainerPort(METRICS)
                    .endPort();
        }
        if (options.config().isPresent()) {
            container
                    .addNewVolumeMount()
                    .withName("config")
                    .withMountPath(FOLDER)
                    .withReadOnly(true)
                    .endVolumeMount();
        }
        return container.build();
    }

    /**
     * Returns an HTTP probe that fails after three timeouts of five seconds each, so that a slow node does not end a
     * controller that makes progress.
     */
    private static Probe probe(String path) {
        return new ProbeBuilder()
                .withNewHttpGet()
                .withPath(path)
                .withNewPort(PROBES)
                .endHttpGet()
                .withInitialDelaySeconds(10)
                .withPeriodSeconds(10)
                .withTimeoutSeconds(5)
                .withFailureThreshold(3)
                .build();
    }

    private static EnvVar field(String name, String path) {
        return new EnvVarBuilder()
                .withName(name)
                .withNewValueFrom()
                .withNewFieldRef()
                .withFieldPath(path)
                .endFieldRef()
                .endValueFrom()
                .build();
    }
}
