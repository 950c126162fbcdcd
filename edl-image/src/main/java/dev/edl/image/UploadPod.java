package dev.edl.image;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Base64;
import java.util.Map;

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

    private UploadPod() {}

    /**
     * Returns the pod. It meets Pod Security {@code restricted}.
     *
     * @param key SHA-256, in hexadecimal digits, of the key that the uploading program sends first
     */
    static Pod pod(String namespace, String name, String claim, String image, String key, long seconds) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(namespace)
                .addToLabels("app.kubernetes.io/managed-by", "edl")
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
