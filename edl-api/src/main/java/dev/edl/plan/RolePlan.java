package dev.edl.plan;

import dev.edl.ElasticBounds;
import dev.edl.ExitCodePolicy;
import dev.edl.RestartPolicy;
import dev.edl.RoleType;
import dev.edl.spec.RoleTemplate;

/**
 * One role of a plan, every default resolved.
 *
 * @param type the role
 * @param replicas number at the start
 * @param bounds between which numbers it may be scaled; both equal to {@code replicas} when it is not elastic
 * @param elastic whether it may be scaled at all
 * @param template what its replicas are; port, restart policy, exit codes and relaunch limit are present
 * @param leader whether its replica with index 0 leads the job
 * @param freshIds whether a relaunched replica gets the next free id instead of its own. Workers do in profile
 *     {@link Profile#ELASTICDL}: a late message of the old one can then never be taken for the new one's. Roles that others
 *     know by address keep their id, and all roles in the profiles of other systems
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

    /** The port its replicas listen on. */
    public int port() {
        return template.port().orElseThrow();
    }

    /** Whether an ended replica is relaunched. */
    public RestartPolicy restart() {
        return template.restart().orElseThrow();
    }

    /** What exit codes mean. */
    public ExitCodePolicy exitCodes() {
        return template.exitCodes().orElseThrow();
    }

    /** Relaunches that one lineage of replicas may spend. */
    public int relaunchLimit() {
        return template.relaunchLimit().orElseThrow();
    }
}
