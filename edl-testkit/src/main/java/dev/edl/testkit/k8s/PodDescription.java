package dev.edl.testkit.k8s;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Description of a pod in messages: its job, role and replica, from the labels of any supported system. */
final class PodDescription {
    private record Keys(String word, String job, String role, String index) {
        Keys(String job, String role, String index) {
            this("job", job, role, index);
        }
    }

    private static final List<Keys> SYSTEMS = List.of(
            new Keys("elasticdl-job-name", "elasticdl-replica-type", "elasticdl-replica-index"),
            new Keys(
                    "training.kubeflow.org/job-name",
                    "training.kubeflow.org/replica-type",
                    "training.kubeflow.org/replica-index"),
            new Keys("tf_job_name", "job_type", "task_index"),
            new Keys("training-job-name", "training-job-role", "replica-index"),
            // MxJob's labels have only the run.
            new Keys("run", "runtime_id", "job_type", "task_index"));

    private PodDescription() {}

    /** Returns the job that labels name, such as {@code job "mnist"}; empty if they name none. */
    static Optional<String> job(Map<String, String> labels) {
        return SYSTEMS.stream()
                .filter(keys -> labels.get(keys.job()) != null)
                .map(keys -> keys.word() + " \"" + labels.get(keys.job()) + "\"")
                .findFirst();
    }

    static String of(PodTemplateSpec pod) {
        ObjectMeta meta = pod.getMetadata() == null ? new ObjectMeta() : pod.getMetadata();
        Map<String, String> labels = meta.getLabels() == null ? Map.of() : meta.getLabels();
        for (Keys keys : SYSTEMS) {
            String job = labels.get(keys.job());
            if (job != null) {
                String role = labels.get(keys.role());
                return "pod of " + keys.word() + " \"" + job + "\""
                        + (role == null ? "" : ", " + role.toLowerCase(Locale.ROOT) + number(labels.get(keys.index())));
            }
        }
        if (meta.getName() != null) {
            return "pod \"" + meta.getName() + "\"";
        }
        List<Container> containers =
                pod.getSpec() == null ? List.of() : pod.getSpec().getContainers();
        return containers.isEmpty()
                ? "pod without containers"
                : "pod with container \"" + containers.get(0).getName() + "\"";
    }

    private static String number(@Nullable String index) {
        return index == null ? "" : " " + index;
    }
}
