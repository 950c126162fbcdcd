package dev.edl.plan;

import dev.edl.env.EnvRules;
import dev.edl.spec.ElasticBounds;
import dev.edl.spec.Framework;
import dev.edl.spec.JobSpec;
import dev.edl.spec.Priority;
import dev.edl.spec.Resources;
import dev.edl.spec.RoleSpec;
import dev.edl.spec.RoleTemplate;
import dev.edl.spec.RoleType;
import dev.edl.spec.RunPolicy;
import dev.edl.spec.Volume;
import java.util.LinkedHashMap;
import java.util.Map;

/** The job of ElasticDL's tutorial on public clouds: master, two parameter servers, four workers. */
public final class SeedJob {
    private SeedJob() {}

    public static JobSpec.Builder spec() {
        return JobSpec.builder()
                .name("test-mnist")
                .defaults(RoleTemplate.builder()
                        .image("gcr.io/acme/elasticdl:mnist")
                        .requests(request())
                        .addVolumes(Volume.claim("fileserver-claim", "/data"))
                        .build())
                .addRoles(role(RoleType.MASTER, 1, Priority.HIGH), role(RoleType.PS, 2, Priority.HIGH))
                .addRoles(RoleSpec.builder()
                        .type(RoleType.WORKER)
                        .replicas(4)
                        .elastic(new ElasticBounds(1, 8))
                        .template(RoleTemplate.builder().priority(Priority.LOW).build())
                        .build());
    }

    public static JobPlan plan() {
        return plan(spec().build());
    }

    public static JobPlan plan(RunPolicy policy) {
        return plan(spec().policy(policy).build());
    }

    public static JobPlan plan(JobSpec spec) {
        return Planner.plan(spec, EnvRules.of(spec.framework()));
    }

    /** Workers only: no leader. */
    public static JobSpec.Builder workers(int count) {
        return JobSpec.builder().name("flat").addRoles(role(RoleType.WORKER, count));
    }

    public static JobSpec.Builder of(Framework framework, RoleSpec... roles) {
        return JobSpec.builder().name("j").namespace("ns3").framework(framework).addRoles(roles);
    }

    public static RoleSpec role(RoleType type, int replicas) {
        return role(type, replicas, RoleTemplate.empty());
    }

    public static RoleSpec role(RoleType type, int replicas, RoleTemplate template) {
        return RoleSpec.builder()
                .type(type)
                .replicas(replicas)
                .template(template)
                .build();
    }

    private static RoleSpec role(RoleType type, int replicas, Priority priority) {
        return role(type, replicas, RoleTemplate.builder().priority(priority).build());
    }

    private static Resources request() {
        Map<String, String> amounts = new LinkedHashMap<>();
        amounts.put("cpu", "2");
        amounts.put("memory", "2048Mi");
        return new Resources(amounts);
    }
}
