package dev.edl.plan;

import dev.edl.ElasticBounds;
import dev.edl.ExitCodePolicy;
import dev.edl.RestartPolicy;
import dev.edl.RoleType;
import dev.edl.spec.RoleTemplate;

/**
 * Plan of one role, with all defaults resolved.
 *
 * @param type the role
 * @param replicas number of replicas at the start
 * @param bounds bounds for scaling; both equal {@code replicas} when the role is not elastic
 * @param elastic whether the role may be scaled
 * @param template settings of its replicas; port, restart policy, exit codes and relaunch limit are present
 * @param leader whether its replica with index 0 leads the job
 * @param freshIds whether a relaunched replica gets the next free id. True for workers in profile
 *     {@link Profile#ELASTICDL}, so that late messages of the old replica are not attributed to the new one. Roles that
 *     other replicas address, and all roles of the other profiles, keep their ids
 */
public record RolePlan(
        RoleType type,
        int replicas,
        ElasticBounds bounds,
        boolean elastic,
        RoleTemplate template,
        boolean leader,
        boolean freshIds) {
    /** Checks that the defaults are resolved. */
    public RolePlan {
        if (template.port().isEmpty()
                || template.restart().isEmpty()
                || template.exitCodes().isEmpty()
                || template.relaunchLimit().isEmpty()) {
            throw new IllegalArgumentException(
                    type + ": a planned role has a port, a restart policy, exit codes and a relaunch limit");
        }
    }

    /** Returns the port that its replicas listen on. */
    public int port() {
        return template.port().orElseThrow();
    }

    /** Returns whether an ended replica is relaunched. */
    public RestartPolicy restart() {
        return template.restart().orElseThrow();
    }

    /** Returns the effect of exit codes. */
    public ExitCodePolicy exitCodes() {
        return template.exitCodes().orElseThrow();
    }

    /** Returns the relaunches that a replica and its successors may spend. */
    public int relaunchLimit() {
        return template.relaunchLimit().orElseThrow();
    }
}
