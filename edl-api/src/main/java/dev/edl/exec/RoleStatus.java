package dev.edl.exec;

import dev.edl.RoleType;

/**
 * How many replicas of a role are where.
 *
 * @param role the role
 * @param desired wanted
 * @param pending waiting to be created or to run
 * @param running running
 * @param succeeded ended with success
 * @param failed ended otherwise, without a successor
 */
public record RoleStatus(RoleType role, int desired, int pending, int running, int succeeded, int failed) {
    /** For example {@code worker 3/4 running, 1 pending}. */
    @Override
    public String toString() {
        return role + " " + running + "/" + desired + " running"
                + (pending > 0 ? ", " + pending + " pending" : "")
                + (succeeded > 0 ? ", " + succeeded + " succeeded" : "")
                + (failed > 0 ? ", " + failed + " failed" : "");
    }
}
