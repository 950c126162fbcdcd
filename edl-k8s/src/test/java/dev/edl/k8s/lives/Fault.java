package dev.edl.k8s.lives;

/** Fault of a life. Each kind must strike some life of a run, or the run fails. */
enum Fault {
    FORBIDDEN_403,
    CONFLICT_409,
    INVALID_422,
    THROTTLED_429,
    BROKEN_500,
    NO_ANSWER,
    ANSWER_LOST,
    REQUEST_LATE,
    ANSWER_LATE,
    OUTAGE,
    QUOTA_LASTS,
    RIGHT_LASTS,
    WEBHOOK_LASTS,
    LIST_OLD,
    WATCH_LAGS,
    WATCH_ENDS,
    CRASH_BETWEEN_REQUESTS,
    TAKE_OVER,
    TAKE_OVER_IN_A_REQUEST,
    REPLICA_FAILS,
    REPLICA_EVICTED,
    NODE_SILENT,
    POD_DELETED_BY_HAND,
    OBJECT_EDITED
}
