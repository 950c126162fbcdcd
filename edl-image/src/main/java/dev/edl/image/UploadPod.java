package dev.edl.image;

import dev.edl.k8s.render.PodOptions;
import dev.edl.spec.RoleType;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.PodSecurityContextBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;

/** Objects of an upload: a pod that mounts the claim and runs {@link ClassPathReceiver}, and the ConfigMap with it. */
final class UploadPod {
    /** Folder of the jars in pods. */
    static final String FOLDER = "/edl/classes";
    /** Port on the pod's loopback address. */
    static final int PORT = 50003;

    private static final String RECEIVER_FOLDER = "/edl/receiver";
    private static final String RECEIVER_JAR = "receiver.jar";
    private static final long USER = 1000;
    /** Seconds that are added to the pod's deadline, because the uploading program normally deletes the pod earlier. */
    private static final long SLACK_SECONDS = 60;

    /** Longest time of an upload, so that Kubernetes accepts the pod's deadline. */
    static final long MOST_SECONDS = Integer.MAX_VALUE - SLACK_SECONDS;

    private UploadPod() {}

    /**
     * Returns the pod. It meets Pod Security {@code restricted}. Of the options it has those of a master that concern the
     * pod: pull secrets, placement, user, labels and annotations, but no volume, variable, sidecar and device.
     *
     * @param options options of the job's pods
     * @param key SHA-256, in hexadecimal digits, of the key that the uploading program sends first
     * @throws IllegalArgumentException if the user is root, or no number that Kubernetes accepts
     */
    static Pod pod(
            String namespace, String name, String claim, String image, PodOptions options, String key, long seconds) {
        Pod plain = plain(namespace, name, claim, image, key, seconds);
        PodTemplateSpec applied = options.applyTo(
                RoleType.MASTER,
                new PodTemplateSpecBuilder()
                        .withMetadata(plain.getMetadata())
                        .withSpec(plain.getSpec())
                        .build());
        PodSpec spec = applied.getSpec();
        Container before = plain.getSpec().getContainers().get(0);
        Container receiver = new ContainerBuilder(before)
                .withImagePullPolicy(spec.getContainers().get(0).getImagePullPolicy())
                .build();
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(namespace)
                .withLabels(applied.getMetadata().getLabels())
                .withAnnotations(applied.getMetadata().getAnnotations())
                .endMetadata()
                .withSpec(new PodSpecBuilder(spec)
                        .withInitContainers()
                        .withContainers(receiver)
                        .withVolumes(plain.getSpec().getVolumes())
                        .withSecurityContext(user(plain.getSpec().getSecurityContext(), spec.getSecurityContext()))
                        // The loopback address must be the pod's own.
                        .withHostNetwork(null)
                        .withDnsPolicy(null)
                        .withAutomountServiceAccountToken(false)
                        .build())
                .build();
    }

    /** Returns the secure defaults with the user and the group of the volumes that the options set. */
    private static PodSecurityContext user(PodSecurityContext defaults, PodSecurityContext options) {
        long user = Objects.requireNonNullElse(options.getRunAsUser(), USER);
        if (user < 1 || user > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("the user of the temporary pod must be from 1 to " + Integer.MAX_VALUE
                    + ", was " + user + "; for example runAsUser(1000)");
        }
        return new PodSecurityContextBuilder(defaults)
                .withRunAsUser(user)
                .withFsGroup(Objects.requireNonNullElse(options.getFsGroup(), USER))
                .build();
    }

    private static Pod plain(String namespace, String name, String claim, String image, String key, long seconds) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(namespace)
                .addToLabels("app.kubernetes.io/managed-by", "edl")
                // A mesh may put its container first.
                .addToAnnotations("kubectl.kubernetes.io/default-container", "receiver")
                .endMetadata()
                .withNewSpec()
                .withRestartPolicy("Never")
                .withActiveDeadlineSeconds(seconds + SLACK_SECONDS)
                .withAutomountServiceAccountToken(false)
                .withEnableServiceLinks(false)
                .withNewSecurityContext()
                .withRunAsNonRoot(true)
                .withRunAsUser(USER)
                .withRunAsGroup(USER)
                .withFsGroup(USER)
                .withNewSeccompProfile()
                .withType("RuntimeDefault")
                .endSeccompProfile()
                .endSecurityContext()
                .addNewContainer()
                .withName("receiver")
                .withImage(image)
                .withCommand(
                        "java",
                        "-Xmx32m",
                        "-cp",
                        RECEIVER_FOLDER + "/" + RECEIVER_JAR,
                        ClassPathReceiver.class.getName(),
                        FOLDER,
                        Integer.toString(PORT),
                        Long.toString(seconds))
                .addNewEnv()
                .withName(ClassPathReceiver.KEY)
                .withValue(key)
                .endEnv()
                // Java reads names of files in the encoding of the locale.
                .addNewEnv()
                .withName("LC_ALL")
                .withValue("C.UTF-8")
                .endEnv()
                .withTerminationMessagePolicy("FallbackToLogsOnError")
                .withNewResources()
                .addToRequests(Map.of("cpu", new Quantity("100m"), "memory", new Quantity("128Mi")))
                .addToLimits(Map.of("cpu", new Quantity("1"), "memory", new Quantity("128Mi")))
                .endResources()
                .withNewSecurityContext()
                .withAllowPrivilegeEscalation(false)
                .withNewCapabilities()
                .addToDrop("ALL")
                .endCapabilities()
                .endSecurityContext()
                .addNewVolumeMount()
                .withName("classes")
                .withMountPath(FOLDER)
                .endVolumeMount()
                .addNewVolumeMount()
                .withName("receiver")
                .withMountPath(RECEIVER_FOLDER)
                .withReadOnly(true)
                .endVolumeMount()
                .endContainer()
                .addNewVolume()
                .withName("classes")
                .withNewPersistentVolumeClaim()
                .withClaimName(claim)
                .endPersistentVolumeClaim()
                .endVolume()
                .addNewVolume()
                .withName("receiver")
                .withNewConfigMap()
                .withName(name)
                .endConfigMap()
                .endVolume()
                .endSpec()
                .build();
    }

    /** Returns the ConfigMap with the receiver's jar, which is deleted with the pod. */
    static ConfigMap receiver(Pod pod, byte[] jar) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(pod.getMetadata().getName())
                .withNamespace(pod.getMetadata().getNamespace())
                .addToLabels(pod.getMetadata().getLabels())
                .addNewOwnerReference()
                .withApiVersion("v1")
                .withKind("Pod")
                .withName(pod.getMetadata().getName())
                .withUid(pod.getMetadata().getUid())
                .endOwnerReference()
                .endMetadata()
                .addToBinaryData(RECEIVER_JAR, Base64.getEncoder().encodeToString(jar))
                .build();
    }
}
