package dev.edl.k8s.render.internal.profiles;

import dev.edl.k8s.render.internal.PodAdditions;
import dev.edl.k8s.render.internal.ReplicaIdentity;
import dev.edl.plan.JobPlan;
import dev.edl.spec.RoleType;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.KeyToPath;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Adds the training operator's parts to the pods of an MPIJob v1. */
final class MpiPods {
    private static final String CONFIG = "mpi-job-config";
    private static final String KUBECTL = "mpi-job-kubectl";
    private static final String TOOLS = "/opt/kube";
    private static final int READABLE = 0444;
    private static final int EXECUTABLE = 0555;

    private MpiPods() {}

    static void complete(JobPlan plan, RoleType role, PodTemplateSpec pod) {
        Container own = pod.getSpec().getContainers().get(0);
        KeyToPath kubexec = new KeyToPath("kubexec.sh", EXECUTABLE, "kubexec.sh");
        if (role == RoleType.LAUNCHER) {
            List<Container> first = new ArrayList<>(pod.getSpec().getInitContainers());
            first.add(delivery(plan));
            pod.getSpec().setInitContainers(first);
            PodAdditions.volume(
                    pod,
                    new VolumeBuilder()
                            .withName(KUBECTL)
                            .withNewEmptyDir()
                            .endEmptyDir()
                            .build());
            PodAdditions.mount(own, mount(KUBECTL, TOOLS));
            PodAdditions.volume(
                    pod,
                    config(
                            plan,
                            kubexec,
                            new KeyToPath("hostfile", READABLE, "hostfile"),
                            new KeyToPath("discover_hosts.sh", EXECUTABLE, "discover_hosts.sh")));
        } else {
            if (own.getCommand().isEmpty()) {
                own.setCommand(List.of("sleep"));
                own.setArgs(List.of("365d"));
            }
            // Open MPI looks for the script on every host.
            PodAdditions.volume(pod, config(plan, kubexec));
        }
        PodAdditions.mount(own, mount(CONFIG, "/etc/mpi"));
    }

    private static Volume config(JobPlan plan, KeyToPath... files) {
        return new VolumeBuilder()
                .withName(CONFIG)
                .withNewConfigMap()
                .withName(MpiObjects.config(plan))
                .withItems(files)
                .endConfigMap()
                .build();
    }

    /** Returns an init container that provides {@code kubectl} and waits for the workers. */
    private static Container delivery(JobPlan plan) {
        Map<String, Quantity> amounts = new LinkedHashMap<>();
        amounts.put("cpu", new Quantity("100m"));
        amounts.put("memory", new Quantity("512Mi"));
        amounts.put("ephemeral-storage", new Quantity("5Gi"));
        return new ContainerBuilder()
                .withName("kubectl-delivery")
                .withImage("mpioperator/kubectl-delivery:latest")
                .withImagePullPolicy("IfNotPresent")
                .withEnv(
                        ReplicaIdentity.variable("TARGET_DIR", TOOLS),
                        ReplicaIdentity.variable("NAMESPACE", plan.namespace()))
                .withNewResources()
                .withLimits(amounts)
                .withRequests(amounts)
                .endResources()
                .withVolumeMounts(mount(KUBECTL, TOOLS), mount(CONFIG, "/etc/mpi"))
                .build();
    }

    private static VolumeMount mount(String volume, String path) {
        return new VolumeMountBuilder().withName(volume).withMountPath(path).build();
    }
}
