package dev.edl.plan;

/** Which existing system's names, labels and defaults a plan follows. */
public enum Profile {
    /**
     * ElasticDL: objects are {@code elasticdl-<job>-<role>[-<id>]}, labelled {@code app=elasticdl} and
     * {@code elasticdl-job-name}, {@code elasticdl-replica-type}, {@code elasticdl-replica-index}.
     */
    ELASTICDL
}
