package dev.edl.env;

import dev.edl.plan.RolePlan;

/** Number of processes of a replica. */
final class ProcessesPerReplica {
    private ProcessesPerReplica() {}

    /**
     * Returns one process for each device in the role's limit, otherwise one; see {@link dev.edl.Resources#isDevice}.
     */
    static int processes(RolePlan role) {
        return Math.max(1, role.template().effectiveLimits().devices());
    }
}
