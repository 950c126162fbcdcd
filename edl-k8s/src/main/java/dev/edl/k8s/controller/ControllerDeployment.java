package dev.edl.k8s.controller;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.util.List;
import java.util.Map;

/** The two replicas of a controller, as Pod Security's level restricted wants them. Pure. */
final class ControllerDeployment {
    private static final Map<String, String> LABELS = Map.of("app", ControllerManifest.NAME);
    static final String FOLDER = "/etc/edl";

    private ControllerDeployment() {}

    /**
     * The Deployment.
     *
     * @param arguments of {@link ControllerMain}
     */
    static Deployment of(ObjectMeta metadata, String image, List<String> arguments) {
        Deployment deployment = new DeploymentBuilder()
                .withMetadata(metadata)
                .withNewSpec()
                .withReplicas(2)
                .withNewSelector()
                .withMatchLabels(LABELS)
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .withLabels(LABELS)
                .endMetadata()
                .withNewSpec()
                .withServiceAccountName(ControllerManifest.NAME)
                // The leader gives up its lease within it.
                .withTerminationGracePeriodSeconds(60L)
                .withNewSecurityContext()
                .withRunAsNonRoot(true)
                .withRunAsUser(1000L)
                .withNewSeccompProfile()
                .withType("RuntimeDefault")
                .endSeccompProfile()
                .endSecurityContext()
                .withContainers(container(image, arguments))
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
        if (arguments.contains("--config")) {
            deployment = deployment
                    .edit()
                    .editSpec()
                    .editTemplate()
                    .editSpec()
                    .addNewVolume()
                    .withName("config")
                    .withNewConfigMap()
                    .withName(ControllerManifest.NAME + "-config")
                    .endConfigMap()
                    .endVolume()
                    .editFirstContainer()
                    .addNewVolumeMount()
                    .withName("config")
                    .withMountPath(FOLDER)
                    .withReadOnly(true)
                    .endVolumeMount()
                    .endContainer()
                    .endSpec()
                    .endTemplate()
                    .endSpec()
                    .build();
        }
        return deployment;
    }

    private static Container container(String image, List<String> arguments) {
        return new ContainerBuilder()
                .withName("controller")
                .withImage(image)
                .withCommand("java", "-cp", "/edl/*", ControllerMain.class.getName())
                .withArgs(arguments)
                .withEnv(field("MY_POD_NAMESPACE", "metadata.namespace"), field("MY_POD_NAME", "metadata.name"))
                .withNewResources()
                .addToRequests("cpu", new Quantity("100m"))
                .addToRequests("memory", new Quantity("256Mi"))
                .withLimits(Map.of("memory", new Quantity("512Mi")))
                .endResources()
                .withNewSecurityContext()
                .withAllowPrivilegeEscalation(false)
                .withNewCapabilities()
                .withDrop("ALL")
                .endCapabilities()
                .endSecurityContext()
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
