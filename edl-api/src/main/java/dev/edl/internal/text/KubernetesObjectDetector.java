package dev.edl.internal.text;

import java.util.Optional;
import java.util.Set;

/** Distinguishes Kubernetes objects, which have an apiVersion and a kind, from jobs. */
public final class KubernetesObjectDetector {
    private static final Set<String> READ =
            Set.of("TfJob", "TFJob", "PyTorchJob", "MXJob", "MxJob", "MPIJob", "TrainingJob");

    private KubernetesObjectDetector() {}

    /** Returns the message for a Kubernetes object in place of a job; empty if the text is not a Kubernetes object. */
    public static Optional<String> mistake(DataNode text) {
        if (!(text instanceof DataNode.Mapping mapping)
                || !(mapping.nodes().get("apiVersion") instanceof DataNode.Text version)
                || !(mapping.nodes().get("kind") instanceof DataNode.Text kind)) {
            return Optional.empty();
        }
        return Optional.of(
                "text must be a job of EDL, was the " + kind.value() + " of " + version.value() + wayOut(kind.value()));
    }

    private static String wayOut(String kind) {
        if (READ.contains(kind)) {
            return "; dev.edl.operators.crd.kinds.CustomResources.read(text), in edl-operators, reads it";
        }
        if (kind.equals("TrainJob")) {
            return "; EDL does not read a TrainJob, whose runtime defines its pods; specify the trainer as roles, for"
                    + " example framework: pytorch, roles: {worker: {replicas: 4}}";
        }
        return "; for example name: test-mnist, roles: {worker: {replicas: 4}}";
    }
}
