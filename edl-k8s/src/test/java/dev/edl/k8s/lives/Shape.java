package dev.edl.k8s.lives;

import dev.edl.Job;
import dev.edl.k8s.render.PodTemplates;
import dev.edl.plan.JobPlan;
import dev.edl.spec.Backoff;
import dev.edl.spec.CleanupPolicy;
import dev.edl.spec.RoleType;
import java.time.Duration;
import java.util.List;

/** Job of a life. */
record Shape(JobPlan plan, PodTemplates templates) {
    static final int MOST = 8;

    static final List<Shape> ALL = List.of(
            of(Job.named("mnist")
                    .namespace("test")
                    .image("mnist:1")
                    .master()
                    .ps(2)
                    .workers(3)
                    .elastic(1, MOST)
                    .build()),
            of(Job.named("mnist")
                    .namespace("test")
                    .image("mnist:1")
                    .cleanup(CleanupPolicy.ALL)
                    .backoff(Backoff.doubling(Duration.ofSeconds(1), Duration.ofSeconds(20)))
                    .master()
                    .ps(1)
                    .workers(6)
                    .elastic(2, MOST)
                    .relaunchLimit(3)
                    .build()),
            of(Job.named("mnist")
                    .namespace("test")
                    .image("mnist:1")
                    .tensorflow()
                    .ps(2)
                    .workers(4)
                    .elastic(1, MOST)
                    .build()));

    private static Shape of(Job job) {
        JobPlan plan = job.plan();
        return new Shape(plan, PodTemplates.of(plan));
    }

    boolean freshIds(RoleType role) {
        return plan.roles().stream().anyMatch(one -> one.type() == role && one.freshIds());
    }
}
