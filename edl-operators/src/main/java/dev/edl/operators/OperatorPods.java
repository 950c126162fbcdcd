package dev.edl.operators;

import dev.edl.k8s.spi.ObservedPod;
import dev.edl.operators.crd.tfjob.TfJobRelease;
import dev.edl.plan.JobPlan;
import dev.edl.spec.RoleType;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Labels by which pods are recognised as the replicas of a job that an operator runs.
 *
 * @param job keys of the labels that all pods of the job have; their values are in the plan
 * @param role key of the label with the role's name, whose case is ignored
 * @param index key of the label with the replica's index; a pod without this label has index 0
 */
record OperatorPods(List<String> job, String role, String index) {
    static final OperatorPods KUBEFLOW = new OperatorPods(
            List.of("training.kubeflow.org/operator-name", "training.kubeflow.org/job-name"),
            "training.kubeflow.org/replica-type",
            "training.kubeflow.org/replica-index");

    static final OperatorPods MXJOB = new OperatorPods(List.of("runtime_id"), "job_type", "task_index");

    static final OperatorPods ET =
            new OperatorPods(List.of("group-name", "training-job-name"), "training-job-role", "replica-index");

    /**
     * Returns the labels of a TfJob release. All releases but the first label pods with the job's name. Leaves out the
     * operator's marker label, which differs between the API groups.
     */
    static OperatorPods tfJob(TfJobRelease release) {
        return new OperatorPods(
                release == TfJobRelease.MLKUBE ? List.of("runtime_id") : List.of("runtime_id", "tf_job_name"),
                "job_type",
                "task_index");
    }

    /** Returns the labels that select the pods of a job. */
    Map<String, String> selector(JobPlan plan) {
        Map<String, String> labels = new TreeMap<>(plan.selector());
        labels.keySet().retainAll(job);
        return labels;
    }

    /**
     * Returns the replica that a pod runs. Empty for a pod that is not a replica, such as TensorBoard, or is owned by
     * another resource of the same name.
     *
     * @param kind kind of the resource
     * @param uid uid of the resource
     */
    Optional<ObservedPod> replica(Pod pod, String kind, String uid) {
        Map<String, String> labels = pod.getMetadata().getLabels();
        String word = labels == null ? "" : labels.getOrDefault(role, "");
        Optional<RoleType> type = Arrays.stream(RoleType.values())
                .filter(one -> one.id().equalsIgnoreCase(word))
                .findFirst();
        Optional<OwnerReference> owner = pod.getMetadata().getOwnerReferences().stream()
                .filter(reference -> reference.getKind().equals(kind))
                .findFirst();
        if (type.isEmpty() || owner.filter(of -> !of.getUid().equals(uid)).isPresent()) {
            return Optional.empty();
        }
        String number = labels.getOrDefault(index, "0");
        return number.matches("\\d{1,9}")
                ? Optional.of(ObservedPod.of(pod, type.get(), Integer.parseInt(number)))
                : Optional.empty();
    }
}
