package dev.edl.env;

import dev.edl.plan.RolePlan;

/** How many processes a replica is for. */
final class ProcessesPerReplica {
    private ProcessesPerReplica() {}

    /** One for each device of its limit, else one; see {@link dev.edl.Resources#isDevice}. */
    static int processes(RolePlan role) {
        return Math.max(1, role.template().effectiveLimits().devices());
    }
}
