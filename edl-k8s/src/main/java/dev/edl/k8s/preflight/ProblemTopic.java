package dev.edl.k8s.preflight;

/** Subject of a {@link Problem}. */
public enum ProblemTopic {
    /** The job cannot be planned or rendered: names that are too long, options that do not fit. */
    PLAN,
    /** The namespace is missing or is being deleted. */
    NAMESPACE,
    /** The client lacks a permission that the job needs. */
    PERMISSION,
    /** A kind of object, or its version, is not served. */
    KIND,
    /** A name is already in use. */
    NAME,
    /** A ResourceQuota has too little left, or requires resources that the job does not set. */
    QUOTA,
    /** A queue of Kueue is missing or stopped, or never admits the pods. */
    QUEUE,
    /** A LimitRange does not allow the requests or limits. */
    LIMIT_RANGE,
    /** A PriorityClass is missing, or has another value. */
    PRIORITY_CLASS,
    /** Pods need more than the namespace's Pod Security level allows. */
    POD_SECURITY,
    /** A service account is missing. */
    SERVICE_ACCOUNT,
    /** A RuntimeClass is missing, or contradicts the pods. */
    RUNTIME_CLASS,
    /** A PersistentVolumeClaim is missing, not bound, or cannot be mounted by so many pods. */
    CLAIM,
    /** A Secret or one of its keys is missing. */
    SECRET,
    /** A ConfigMap or one of its keys is missing. */
    CONFIG_MAP,
    /** A Secret for pulling images is missing or has another type. */
    IMAGE_PULL_SECRET,
    /** A replica fits no node. */
    NODE,
    /**
     * The API server refuses an object in a dry run, for a reason that no other check covers. Or a dry run is not
     * possible, so that changes by webhooks are unknown.
     */
    ADMISSION
}
