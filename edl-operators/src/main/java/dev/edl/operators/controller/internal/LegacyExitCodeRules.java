package dev.edl.operators.controller.internal;

import dev.edl.ExitCodePolicy;
import dev.edl.Job;
import dev.edl.RoleType;
import dev.edl.spec.JobSpec;
import dev.edl.spec.RoleSpec;
import dev.edl.spec.RoleTemplate;
import java.util.List;

/**
 * Exit code rules of the operators of 2017. A final exit by their rule ends a master or scheduler, and with it the job.
 * The kubelet restarted other replicas; EDL relaunches them as often as a job's default permits.
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
