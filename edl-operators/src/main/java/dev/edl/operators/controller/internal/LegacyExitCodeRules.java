package dev.edl.operators.controller.internal;

import dev.edl.Job;
import dev.edl.spec.ExitCodePolicy;
import dev.edl.spec.JobSpec;
import dev.edl.spec.RoleSpec;
import dev.edl.spec.RoleTemplate;
import dev.edl.spec.RoleType;
import java.util.List;

/**
 * Exit code rules of the operators of 2017. If a master or scheduler exits with a code that is final by their rule, the
 * job ends. The kubelet restarted other replicas without limit; EDL relaunches them up to a job's default limit.
 */
public final class LegacyExitCodeRules {
    private LegacyExitCodeRules() {}

    public static Job of(Job job, ExitCodePolicy codes) {
        List<RoleSpec> roles = job.spec().roles().stream()
                .map(role -> RoleSpec.builder()
                        .from(role)
                        .template(template(role, codes))
                        .build())
                .toList();
        return Job.of(JobSpec.builder().from(job.spec()).roles(roles).build());
    }

    private static RoleTemplate template(RoleSpec role, ExitCodePolicy codes) {
        RoleTemplate.Builder template =
                RoleTemplate.builder().from(role.template()).exitCodes(codes);
        return role.type() == RoleType.MASTER || role.type() == RoleType.SCHEDULER
                ? template.relaunchLimit(0).build()
                : template.build();
    }
}
