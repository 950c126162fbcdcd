package dev.edl.k8s.render.internal.profiles;

import dev.edl.k8s.render.internal.PodAdditions;
import dev.edl.k8s.render.internal.ReplicaIdentity;
import dev.edl.plan.JobPlan;
import dev.edl.spec.RoleType;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
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

/** Adds the et-operator's parts to the pods of a TrainingJob. */
final class EtPods {
    private static final String HOSTFILE = "training-job-hostfile";
    private static final String CONFIG = "training-job-config";
    private static final String KUBECTL = "training-job-kubectl";
    private static final String DEEPSPEED = "deepspeed-hostfile";
    private static final int OWNER_ONLY = 0600;
    private static final int READABLE = 0444;
    private static final int EXECUTABLE = 0555;

    private final JobPlan plan;
    private final boolean kubexec;

    EtPods(JobPlan plan, boolean kubexec) {
        this.plan = plan;
        this.kubexec = kubexec;
    }

    void complete(RoleType role, PodTemplateSpec pod) {
        Container own = pod.getSpec().getContainers().get(0);
        if (role == RoleType.LAUNCHER) {
            launcher(pod, own);
        } else if (own.getCommand().isEmpty()) {
            own.setCommand(List.of("sh", "-c", kubexec ? "sleep 365d" : "/usr/sbin/sshd  && sleep 365d"));
        }
        if (!kubexec) {
            ssh(pod);
        }
    }

    private void ssh(PodTemplateSpec pod) {
        PodAdditions.volume(pod, keys());
        pod.getSpec()
                .getContainers()
                .forEach(container -> PodAdditions.mount(
                        container,
                        new VolumeMountBuilder()
                                .withName(plan.name())
                                .withMountPath("/root/.ssh")
                                .withSubPath(".ssh")
                                .build()));
    }

    private Volume keys() {
        return new VolumeBuilder()
                .withName(plan.name())
                .withNewSecret()
                .withSecretName(plan.name())
                .withDefaultMode(OWNER_ONLY)
                .withItems(
                        new KeyToPath("id_rsa", null, ".ssh/id_rsa"),
                        new KeyToPath("id_rsa.pub", null, ".ssh/id_rsa.pub"),
                        new KeyToPath("id_rsa.pub", null, ".ssh/authorized_keys"),
                        new KeyToPath("config", null, ".ssh/config"))
                .endSecret()
                .build();
    }

    private void launcher(PodTemplateSpec pod, Container own) {
        List<Container> first = new ArrayList<>(pod.getSpec().getInitContainers());
        first.add(hostfile());
        pod.getSpec().setInitContainers(first);
        if (kubexec) {
            List<EnvVar> env = new ArrayList<>(own.getEnv());
            env.add(ReplicaIdentity.variable("OMPI_MCA_plm_rsh_agent", "/etc/mpi/kubexec.sh"));
            own.setEnv(env);
        }
        PodAdditions.volume(pod, empty(HOSTFILE));
        PodAdditions.volume(pod, config());
        PodAdditions.volume(pod, empty(KUBECTL));
        PodAdditions.volume(pod, empty(DEEPSPEED));
        PodAdditions.mount(own, mount(HOSTFILE, "/etc/edl"));
        PodAdditions.mount(own, mount(CONFIG, "/etc/mpi"));
        PodAdditions.mount(own, mount(KUBECTL, "/opt/kube"));
        PodAdditions.mount(own, mount(DEEPSPEED, "/job"));
    }

    private static Volume empty(String name) {
        return new VolumeBuilder()
                .withName(name)
                .withNewEmptyDir()
                .endEmptyDir()
                .build();
    }

    private Volume config() {
        return new VolumeBuilder()
                .withName(CONFIG)
                .withNewConfigMap()
                .withName(EtObjects.config(plan))
                .withItems(
                        new KeyToPath("hostfile", READABLE, "hostfile"),
                        new KeyToPath("discover_hosts.sh", READABLE, "discover_hosts.sh"),
                        new KeyToPath("deepspeed-hostfile", READABLE, "deepspeed-hostfile"),
                        new KeyToPath("kubexec.sh", EXECUTABLE, "kubexec.sh"))
                .endConfigMap()
                .build();
    }

    /**
     * Returns an init container that copies the files with the hosts, because the operator rewrites the hosts and files
     * of a ConfigMap are read-only.
     */
    private static Container hostfile() {
        Map<String, Quantity> amounts = new LinkedHashMap<>();
        amounts.put("cpu", new Quantity("100m"));
        amounts.put("memory", new Quantity("512Mi"));
        amounts.put("ephemeral-storage", new Quantity("5Gi"));
        return new ContainerBuilder()
                .withName("init-hostfile")
                .withImage("alpine:3.10")
                .withImagePullPolicy("IfNotPresent")
                .withCommand(
                        "sh",
                        "-c",
                        "cp /etc/mpi/hostfile /etc/edl/hostfile && chmod 600 /etc/edl/hostfile"
                                + " && cp /etc/mpi/discover_hosts.sh /etc/edl/discover_hosts.sh"
                                + " && chmod +x /etc/edl/discover_hosts.sh"
                                + " && cp /etc/mpi/deepspeed-hostfile /job/hostfile && chmod 600 /job/hostfile")
                .withNewResources()
                .withLimits(amounts)
                .withRequests(amounts)
                .endResources()
                .withVolumeMounts(mount(HOSTFILE, "/etc/edl"), mount(CONFIG, "/etc/mpi"), mount(DEEPSPEED, "/job"))
                .build();
    }

    private static VolumeMount mount(String volume, String path) {
        return new VolumeMountBuilder().withName(volume).withMountPath(path).build();
    }
}
