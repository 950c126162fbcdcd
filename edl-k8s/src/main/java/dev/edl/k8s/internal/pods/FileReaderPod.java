package dev.edl.k8s.internal.pods;

import dev.edl.k8s.render.PodTemplates;
import dev.edl.k8s.render.internal.DollarEscape;
import dev.edl.plan.JobPlan;
import dev.edl.spec.RoleType;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Pod that sends a file of a job's volumes. It copies the master's pod, with environment variables that make the
 * program send the file. It has the labels of the job's objects but not of a replica, so no Service selects it. Pure.
 */
public final class FileReaderPod {
    /** Port on the pod's loopback address at which its program sends the file. */
    public static final int PORT = 50003;

    /**
     * Value of {@code EDL_ROLE} with which the program sends a file, the same as in
     * {@code dev.edl.runtime.program.FileSender}.
     */
    private static final String READER = "reader";
    /** Variable that only jobs of {@code dev.edl.runtime.program.ProgramJobs} set, whose program can send files. */
    private static final String TOKEN_FILE = "EDL_TOKEN_FILE";

    private static final Set<String> AMOUNTS = Set.of("cpu", "memory", "ephemeral-storage");
    /** Seconds that are added to the pod's deadline, because the reader normally deletes the pod earlier. */
    private static final long SLACK_SECONDS = 60;

    private FileReaderPod() {}

    /**
     * Returns the pod that sends a file.
     *
     * @param path path of the file
     * @param suffix end of the pod's name, which distinguishes it from the job's other reader pods
     * @param key SHA-256, in hexadecimal digits, of the key that the reader sends first
     * @param seconds how long the pod is needed
     * @throws IllegalArgumentException when no volume of the master can have the file, or the master's program cannot
     *     send files
     */
    public static Pod of(
            JobPlan plan,
            PodTemplates templates,
            OwnerReference owner,
            String path,
            String suffix,
            String key,
            long seconds) {
        String no = "job \"" + plan.name() + "\": no file can be read: ";
        if (plan.role(RoleType.MASTER).isEmpty()) {
            throw new IllegalArgumentException(no + "it has no master whose volumes could have the file");
        }
        PodSpec spec = templates.get(RoleType.MASTER, 0, 0).getSpec();
        Pod pod = new PodBuilder()
                .withNewMetadata()
                .withName("elasticdl-" + plan.name() + "-" + READER + "-" + suffix)
                .withNamespace(plan.namespace())
                .withLabels(plan.selector())
                .withAnnotations(plan.annotations())
                .withOwnerReferences(owner)
                .endMetadata()
                .build();
        Container main = MainContainer.note(pod.getMetadata(), spec, templates.container(RoleType.MASTER));
        if (main.getEnv().stream().noneMatch(variable -> variable.getName().equals(TOKEN_FILE))) {
            throw new IllegalArgumentException(no + "its image has no program of ProgramJobs.image, which sends files");
        }
        check(no, spec, main, path);
        ask(main, path, key);
        spec.setContainers(new ArrayList<>(List.of(main)));
        spec.setInitContainers(new ArrayList<>());
        spec.setRestartPolicy("Never");
        // Otherwise it could preempt a worker of a low priority.
        spec.setPriorityClassName(null);
        // The loopback address must be the pod's own.
        spec.setHostNetwork(null);
        spec.setAutomountServiceAccountToken(false);
        spec.setActiveDeadlineSeconds(seconds + SLACK_SECONDS);
        pod.setSpec(spec);
        return pod;
    }

    private static void check(String no, PodSpec spec, Container main, String path) {
        Set<String> lasting = spec.getVolumes().stream()
                .filter(FileReaderPod::lasts)
                .map(Volume::getName)
                .collect(Collectors.toSet());
        List<String> folders = main.getVolumeMounts().stream()
                .filter(mount -> lasting.contains(mount.getName()))
                .map(VolumeMount::getMountPath)
                .toList();
        if (folders.isEmpty()) {
            throw new IllegalArgumentException(no + "its master has no volume that outlives its pod; add one with"
                    + " volume(\"mount_path=/data,claim_name=fileserver-claim\")");
        }
        boolean plain =
                path.startsWith("/") && Path.of(path).normalize().toString().equals(path);
        // The innermost mount has the file.
        boolean there = plain
                && main.getVolumeMounts().stream()
                        .filter(mount -> below(path, mount.getMountPath()))
                        .max((a, b) -> Integer.compare(
                                a.getMountPath().length(), b.getMountPath().length()))
                        .filter(mount -> lasting.contains(mount.getName()))
                        .isPresent();
        if (!there) {
            throw new IllegalArgumentException(no + "path must be absolute, without \".\" and \"..\", and below "
                    + String.join(" or ", folders) + ", was \"" + path + "\"; for example " + folders.get(0)
                    + "/model.npz");
        }
    }

    private static boolean below(String path, String folder) {
        return path.startsWith(folder.endsWith("/") ? folder : folder + "/");
    }

    /** Returns whether another pod, on any node, sees the files that the master's pod wrote to this volume. */
    private static boolean lasts(Volume volume) {
        return Stream.of(
                        volume.getEmptyDir(),
                        volume.getHostPath(),
                        volume.getCsi(),
                        volume.getEphemeral(),
                        volume.getSecret(),
                        volume.getConfigMap(),
                        volume.getDownwardAPI(),
                        volume.getProjected())
                .allMatch(Objects::isNull);
    }

    private static void ask(Container main, String path, String key) {
        Map<String, String> asked = new TreeMap<>(Map.of(
                "EDL_ROLE",
                READER,
                "EDL_FILE",
                DollarEscape.of(path),
                "EDL_FILE_PORT",
                Integer.toString(PORT),
                "EDL_FILE_KEY",
                key));
        List<EnvVar> env = new ArrayList<>(main.getEnv());
        env.removeIf(variable -> asked.containsKey(variable.getName()));
        asked.forEach((name, value) -> env.add(new EnvVar(name, value, null)));
        main.setEnv(env);
        // The reader needs no ports and probes of a training master.
        main.setPorts(new ArrayList<>());
        main.setLivenessProbe(null);
        main.setReadinessProbe(null);
        main.setStartupProbe(null);
        main.setLifecycle(null);
        main.setTerminationMessagePolicy("FallbackToLogsOnError");
        withoutDevices(main.getResources());
    }

    private static void withoutDevices(@Nullable ResourceRequirements resources) {
        if (resources != null) {
            Stream.of(resources.getRequests(), resources.getLimits())
                    .filter(Objects::nonNull)
                    .forEach(amounts -> amounts.keySet().retainAll(AMOUNTS));
            resources.setClaims(new ArrayList<>());
        }
    }
}
