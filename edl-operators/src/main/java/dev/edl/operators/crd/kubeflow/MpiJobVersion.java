package dev.edl.operators.crd.kubeflow;

/** API version of an MPIJob, which determines its operator. */
public enum MpiJobVersion {
    /** Kubeflow's training operator up to 1.9: the launcher reaches the workers by {@code kubectl exec}. */
    V1("kubeflow.org/v1"),
    /** The MPI operator: the launcher reaches the workers by ssh. */
    V2BETA1("kubeflow.org/v2beta1");

    private final String apiVersion;

    MpiJobVersion(String apiVersion) {
        this.apiVersion = apiVersion;
    }

    /** Returns group and version. */
    public String apiVersion() {
        return apiVersion;
    }
}
