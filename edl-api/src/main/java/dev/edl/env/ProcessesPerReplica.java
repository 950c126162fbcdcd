package dev.edl.env;

import dev.edl.plan.RolePlan;

/** Number of training processes in a replica, for frameworks that start one on each device. */
final class ProcessesPerReplica {
    private ProcessesPerReplica() {}

    /**
     * Returns the number of compute devices in the role's limits, see {@link dev.edl.spec.Resources#isDevice}; without a
     * device, one.
     */
    static int processes(RolePlan role) {
        return Math.max(1, role.template().effectiveLimits().devices());
    }
}
