package dev.edl.runtime.protocol;

/** A defect that is planted into a machine: the lives have to find it. */
enum Defect {
    NONE,
    /** A task is complete when one shard holds its pushes. */
    ONE_SHARD_CONFIRMS,
    /** A worker that pushes is a member of rounds from then on, whatever the master says. */
    MEMBER_JOINS_ITSELF,
    /** Rounds wait for workers that the master has taken out. */
    NO_MEMBER_LEAVES,
    /** A shard takes a gradient of weights of another life. */
    LIFE_NOT_CHECKED,
    /** A server obeys a master with a lower term. */
    LOWER_TERM_OBEYED,
    /** A server obeys two masters of one term. */
    OTHER_MASTER_OBEYED,
    /** A worker that connects again sends its push under another id. */
    REPEATED_UNDER_ANOTHER_ID,
    /** A cut is saved without what is on its way. */
    CUT_WITHOUT_FLUSH,
    /** A shard lets newer pushes in between the hold and the save. */
    NO_HOLD,
    /** The parts of a cut are not compared. */
    EVERY_CUT_EXACT,
    /** A worker that waits for one shard does not tell the others. */
    IDLE_NOT_SENT,
    /** A heartbeat does not extend the lease. */
    LEASE_NOT_EXTENDED,
    /** A master lets a worker keep a task that its ledger has not leased to it. */
    LEASE_KEPT_AND_GIVEN,
    /** A server takes the newest part on its disk, with a manifest or without. */
    PART_WITHOUT_MANIFEST,
    /** A master without a journal takes for complete what any shard has applied. */
    REBUILT_FROM_ANY_SHARD,
    /** What a returned shard lacks is not handed out again. */
    LOST_WORK_NOT_REOPENED,
    /** A shard that returns gets a life that it has had. */
    LIFE_GIVEN_TWICE;

    Machine in(Machine machine, String name, Life life) {
        if (this == NONE) {
            return machine;
        } else if (name.equals("master")) {
            return new PlantedMaster(this, machine, life);
        }
        return name.startsWith("ps-")
                ? new PlantedServer(this, machine, name, life)
                : new PlantedWorker(this, machine, life);
    }
}
