package dev.edl.runtime.protocol;

/** What goes wrong in a life; each kind strikes some life of a run, or the run fails. */
enum Fault {
    MESSAGE_LATE,
    CONNECTION_BREAKS,
    BREAK_SEEN_LATE,
    PUSH_REPEATED,
    PARTITION_OF_TWO,
    PARTITION_OF_ONE,
    WORKER_DIES,
    WORKER_SLOW,
    SERVER_DIES,
    SERVER_LOSES_DISK,
    SERVER_REPLACED,
    MASTER_DIES,
    MASTER_LOSES_DISK,
    SECOND_MASTER,
    PROCESS_STOPS,
    CLOCK_JUMPS,
    DISK_SLOW
}
