package dev.edl.exec;

import dev.edl.spec.RoleType;

/**
 * Numbers of replicas of one role, by status.
 *
 * @param role the role
 * @param desired the number that the job should have
 * @param pending the number that waits to be created or to run
 * @param running the number that runs
 * @param succeeded the number that succeeded
 * @param failed the number that ended without success and without a successor
 */
public record RoleStatus(RoleType role, int desired, int pending, int running, int succeeded, int failed) {
    /** Returns for example {@code worker 3/4 running, 1 pending}. */
    @Override
    public String toString() {
        return role + " " + running + "/" + desired + " running"
                + (pending > 0 ? ", " + pending + " pending" : "")
                + (succeeded > 0 ? ", " + succeeded + " succeeded" : "")
                + (failed > 0 ? ", " + failed + " failed" : "");
    }
}
