package dev.edl.plan;

import dev.edl.spec.ElasticBounds;
import dev.edl.spec.ExitCodePolicy;
import dev.edl.spec.Framework;
import dev.edl.spec.JobSpec;
import dev.edl.spec.RestartPolicy;
import dev.edl.spec.RoleSpec;
import dev.edl.spec.RoleTemplate;
import dev.edl.spec.RoleType;
import dev.edl.spec.RunPolicy;
import dev.edl.spec.SuccessPolicy;
import java.util.List;
import java.util.Optional;

/**
 * Plans jobs. Planning is a pure function, so equal jobs have plans with the same bytes on every machine.
 *
 * <pre>{@code
 * JobPlan plan = Planner.plan(spec, EnvRules.of(spec.framework()));
 * plan.replica("worker", 2).env();
 * }</pre>
 */
public final class Planner {
    /** Roles that can lead a job, in order of precedence; in a job without such a role, the workers lead. */
    private static final List<RoleType> LEADERS = List.of(RoleType.MASTER, RoleType.CHIEF, RoleType.LAUNCHER);

    private Planner() {}

    /**
     * Plans a job in {@link Profile#ELASTICDL}.
     *
     * @param spec a valid job
     * @param env the framework's variables
     * @throws PlanException when the job is well formed but cannot run; see {@link #plan(JobSpec, Profile, EnvRule)}
     */
    public static JobPlan plan(JobSpec spec, EnvRule env) {
        return plan(spec, Profile.ELASTICDL, env);
    }

    /**
     * Plans a job.
     *
     * @param spec a valid job
     * @param profile the system whose names, labels, addresses and environment the plan follows
     * @param env the framework's variables
     * @throws PlanException when the job is well formed but cannot run: no role can end it; the profile's system lacks
     *     the framework or role; the framework's version does not support the plan; a name, variable or command word is
     *     too long for the platform; or the user sets a label of the profile or, in {@link Profile#ELASTICDL}, a
     *     variable of the framework
     */
    public static JobPlan plan(JobSpec spec, Profile profile, EnvRule env) {
        ProfileSupportCheck.check(spec, profile);
        Optional<RoleType> leader = leader(spec);
        if (leader.isEmpty()) {
            throw new PlanException("job \"" + spec.name()
                    + "\": nothing can end it; add a master, chief or launcher, or workers, for example .workers(4)");
        }
        List<RolePlan> roles = spec.roles().stream()
                .map(role -> role(spec, profile, role, leader.get() == role.type()))
                .toList();
        JobPlan plan = JobPlan.of(spec, profile, policy(spec), roles, env);
        env.check(plan);
        PlanLimits.check(plan, spec);
        return plan;
    }

    /**
     * Returns the settings of a role that a job leaves unset: port, restart policy, exit codes and relaunch limit. They
     * are equal in all profiles.
     */
    public static RoleTemplate defaults(Framework framework, RoleType type) {
        return RoleTemplate.builder()
                .restart(RestartPolicy.ON_FAILURE)
                .exitCodes(ExitCodePolicy.ELASTICDL)
                .relaunchLimit(1)
                .port(ProfileSupportCheck.port(framework, type))
                .build();
    }

    private static Optional<RoleType> leader(JobSpec spec) {
        return LEADERS.stream()
                .filter(type -> spec.role(type).isPresent())
                .findFirst()
                .or(() -> spec.role(RoleType.WORKER).map(RoleSpec::type));
    }

    private static RunPolicy policy(JobSpec spec) {
        boolean led = LEADERS.stream().anyMatch(type -> spec.role(type).isPresent());
        RunPolicy given = spec.policy();
        RunPolicy.Builder resolved = RunPolicy.builder()
                .success(given.success().orElse(led ? SuccessPolicy.LEADER : SuccessPolicy.ALL_WORKERS))
                .cleanup(given.cleanup())
                .backoff(given.backoff());
        given.ttl().ifPresent(resolved::ttl);
        given.deadline().ifPresent(resolved::deadline);
        return resolved.build();
    }

    private static RolePlan role(JobSpec spec, Profile profile, RoleSpec role, boolean leader) {
        RoleTemplate defaults = defaults(spec.framework(), role.type());
        return new RolePlan(
                role.type(),
                role.replicas(),
                role.elastic().orElse(new ElasticBounds(role.replicas(), role.replicas())),
                role.elastic().isPresent(),
                spec.effective(role).over(defaults),
                leader,
                role.type() == RoleType.WORKER && profile == Profile.ELASTICDL);
    }
}
