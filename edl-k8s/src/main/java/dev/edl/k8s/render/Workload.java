package dev.edl.k8s.render;

/** As which objects the replicas of a job are written. */
public enum Workload {
    /**
     * One Job a role, whose pods know their index; a Job for each replica of a role whose replicas differ by more than
     * that, up to 1,000 of them. Kubernetes relaunches what fails. The size grows with the roles.
     */
    INDEXED_JOBS,
    /** A Job for each replica. Kubernetes relaunches what fails. */
    JOBS,
    /**
     * A pod for each replica, as EDL itself creates them when it runs a job. No controller of Kubernetes relaunches them, ends them at the
     * job's deadline or removes them after its time to live.
     */
    PODS
}
