package dev.edl.plan;

import dev.edl.ElasticBounds;
import dev.edl.ExitCodePolicy;
import dev.edl.Framework;
import dev.edl.RestartPolicy;
import dev.edl.RoleType;
import dev.edl.SuccessPolicy;
import dev.edl.spec.JobSpec;
import dev.edl.spec.RoleSpec;
import dev.edl.spec.RoleTemplate;
import dev.edl.spec.RunPolicy;
import java.util.List;
import java.util.Optional;

/**
 * Makes the plan of a job: a pure function, so that two calls give the same bytes on every machine.
 *
 * <pre>{@code
 * JobPlan plan = Planner.plan(spec, EnvRules.of(spec.framework()));
 * plan.replica("worker", 2).env();
 * }</pre>
 */
public final class Planner {
    /** Roles that lead a job, the first present one does. */
    private static final List<RoleType> LEADERS = List.of(RoleType.MASTER, RoleType.CHIEF, RoleType.LAUNCHER);

    private Planner() {}

    /**
     * Plans a job.
     *
     * @param spec a valid job
     * @param env the framework's variables
     * @throws PlanException when the job is well formed but cannot run: nothing can end it, a name or an environment
     *     variable is longer than the platform takes, or a variable or label of the plan was set by hand
     */
    public static JobPlan plan(JobSpec spec, EnvRule env) {
        Optional<RoleType> leader = leader(spec);
        if (leader.isEmpty()) {
            throw new PlanException("job \"" + spec.name()
                    + "\": nothing can end it; add a master, chief or launcher, or workers, for example .workers(4)");
        }
        List<RolePlan> roles = spec.roles().stream()
                .map(role -> role(spec, role, leader.get() == role.type()))
                .toList();
        JobPlan plan = new JobPlan(spec, policy(spec), roles, env);
        PlanLimits.check(plan, spec);
        return plan;
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

    private static RolePlan role(JobSpec spec, RoleSpec role, boolean leader) {
        RoleTemplate defaults = RoleTemplate.builder()
                .restart(RestartPolicy.ON_FAILURE)
                .exitCodes(ExitCodePolicy.ELASTICDL)
                .relaunchLimit(1)
                .port(port(spec.framework(), role.type()))
                .build();
        return new RolePlan(
                role.type(),
                role.replicas(),
                role.elastic().orElse(new ElasticBounds(role.replicas(), role.replicas())),
                role.elastic().isPresent(),
                spec.effective(role).over(defaults),
                leader);
    }

    /** ElasticDL's ports; where TensorFlow and MXNet have one of their own, the one their Kubernetes operators use. */
    private static int port(Framework framework, RoleType type) {
        return switch (framework) {
            case TENSORFLOW -> 2222;
            case MXNET -> 9091;
            case ELASTICDL, HOROVOD, PYTORCH ->
                switch (type) {
                    case MASTER, CHIEF, LAUNCHER, SCHEDULER -> 50001;
                    case PS, SERVER -> 2222;
                    case WORKER, EVALUATOR -> 3333;
                };
        };
    }
}
