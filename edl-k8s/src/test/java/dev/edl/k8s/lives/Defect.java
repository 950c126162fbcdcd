package dev.edl.k8s.lives;

/** A defect of EDL's own past, which {@link OldWays} puts back: the lives have to find it. */
enum Defect {
    NONE,
    /** Ten failures in a row of one request failed the job. */
    TEN_TRIES,
    /** The first list of a watch might be older than what the record knows. */
    STALE_LIST,
    /** A pod was deleted by its name, whichever had it by then. */
    DELETE_BY_NAME,
    /** A driver that was replaced applied what it had decided to the end. */
    NO_FENCE,
    /** The first container of a pod was taken for the replica. */
    FIRST_CONTAINER
}
