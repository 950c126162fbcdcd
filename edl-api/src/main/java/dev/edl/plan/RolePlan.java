package dev.edl.plan;

import dev.edl.spec.ElasticBounds;
import dev.edl.spec.ExitCodePolicy;
import dev.edl.spec.RestartPolicy;
import dev.edl.spec.RoleTemplate;
import dev.edl.spec.RoleType;

/**
 * Plan of one role, with all defaults resolved.
 *
 * @param type the role
 * @param replicas initial number of replicas
 * @param bounds minimum and maximum number of replicas for scaling; both equal {@code replicas} when the role is not
 *     elastic
 * @param elastic whether the role may be scaled
 * @param template settings of its replicas; must have a port, a restart policy, exit codes and a relaunch limit
 * @param leader whether its replica with index 0 leads the job
 * @param freshIds whether a relaunched replica gets the next unused id. True for workers in profile
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
    /** Checks that the template has a port, a restart policy, exit codes and a relaunch limit. */
    public RolePlan {
        require(template.port().isPresent(), type, "port");
        require(template.restart().isPresent(), type, "restart");
        require(template.exitCodes().isPresent(), type, "exitCodes");
        require(template.relaunchLimit().isPresent(), type, "relaunchLimit");
    }

    private static void require(boolean present, RoleType type, String setting) {
        if (!present) {
            throw new IllegalArgumentException(
                    type + ": " + setting + " must be set in a planned role; Job.plan() sets its default");
        }
    }

    /** Returns the port that its replicas listen on. */
    public int port() {
        return template.port().orElseThrow();
    }

    /** Returns the policy that decides whether an ended replica is relaunched. */
    public RestartPolicy restart() {
        return template.restart().orElseThrow();
    }

    /** Returns the policy that decides the effect of a replica's exit code. */
    public ExitCodePolicy exitCodes() {
        return template.exitCodes().orElseThrow();
    }

    /**
     * Returns the maximum number of counted relaunches in one slot. A relaunch counts if the replica caused its own
     * failure.
     */
    public int relaunchLimit() {
        return template.relaunchLimit().orElseThrow();
    }
}
