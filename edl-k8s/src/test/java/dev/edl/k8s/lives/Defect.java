package dev.edl.k8s.lives;

/** Past defect of EDL, which {@link OldWays} reintroduces and the lives must find. */
enum Defect {
    NONE,
    /** Ten failures of one request in a row failed the job. */
    TEN_TRIES,
    /** The first list of a watch could be older than the record. */
    STALE_LIST,
    /** A pod was deleted by its name, also when another pod had it by then. */
    DELETE_BY_NAME,
    /** A replaced driver applied its last decision to the end. */
    NO_FENCE,
    /** The first container of a pod counted as the replica. */
    FIRST_CONTAINER
}
