package dev.edl.k8s.preflight;

/** What a {@link Problem} is about; each is looked at by a check of its own. */
public enum Topic {
    /** The job cannot be planned or rendered: names that are too long, options that do not fit. */
    PLAN,
    /** The namespace is missing or is being deleted. */
    NAMESPACE,
    /** The client may not do what the job needs. */
    PERMISSION,
    /** A kind of object, or its version, is not served. */
    KIND,
    /** A name is taken. */
    NAME,
    /** A ResourceQuota has too little left, or wants amounts that the job does not say. */
    QUOTA,
    /** A LimitRange does not allow the amounts. */
    LIMIT_RANGE,
    /** A PriorityClass is missing, or has another value. */
    PRIORITY_CLASS,
    /** Pods ask for more than the namespace's Pod Security level allows. */
    POD_SECURITY,
    /** A service account is missing. */
    SERVICE_ACCOUNT,
    /** A RuntimeClass is missing. */
    RUNTIME_CLASS,
    /** A PersistentVolumeClaim is missing, not bound, or not for so many pods. */
    CLAIM,
    /** A Secret or one of its keys is missing. */
    SECRET,
    /** A ConfigMap or one of its keys is missing. */
    CONFIG_MAP,
    /** A Secret with which images are pulled is missing or of another type. */
    IMAGE_PULL_SECRET,
    /** No node could ever take a replica. */
    NODE,
    /** The API server refuses an object in a dry run, for a reason that no other check knows. */
    ADMISSION
}
