package dev.edl.k8s.render;

import dev.edl.plan.Profile;

/** Kind of object that runs the replicas of a job. */
public enum Workload {
    /**
     * One indexed Job per role. A role whose replicas differ in more than their index has one Job per replica, up to
     * 1,000. Kubernetes relaunches failed pods. The number of objects grows with the number of roles, not of replicas.
     */
    INDEXED_JOBS,
    /** One Job per replica. Kubernetes relaunches failed pods. */
    JOBS,
    /**
     * One pod per replica, as EDL itself creates them. No controller of Kubernetes relaunches them, ends them at the
     * job's deadline or deletes them after its time to live.
     */
    PODS;

    /** Returns the default of a profile. */
    static Workload of(Profile profile) {
        return switch (profile) {
            case ELASTICDL -> INDEXED_JOBS;
            case TFJOB_V1ALPHA1, MXJOB_V1BETA1 -> JOBS;
            case KUBEFLOW_V1, ET_V1ALPHA1 -> PODS;
        };
    }
}
