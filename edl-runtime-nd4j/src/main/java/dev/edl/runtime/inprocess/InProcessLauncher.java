package dev.edl.runtime.inprocess;

import dev.edl.exec.ControlLoop;
import dev.edl.exec.ExecutorRuns;
import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import dev.edl.spec.Framework;
import dev.edl.spec.RoleType;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Validates and starts a plan in this JVM. */
final class InProcessLauncher {
    private InProcessLauncher() {}

    /**
     * Rejects a plan that cannot run in this JVM.
     *
     * @param trains whether the plan is for a training, which needs parameter servers
     * @throws IllegalArgumentException if the plan cannot run in this JVM; the message has every reason
     */
    static void check(JobPlan plan, boolean trains) {
        List<String> problems = new ArrayList<>();
        if (plan.framework() != Framework.ELASTICDL) {
            problems.add("its framework is " + plan.framework() + ", but only elasticdl jobs "
                    + (trains ? "train" : "run") + " in this JVM; use .elasticdl()");
        }
        for (RoleType needed : List.of(RoleType.MASTER, RoleType.PS, RoleType.WORKER)) {
            if (plan.role(needed).isEmpty() && (trains || needed != RoleType.PS)) {
                problems.add("it has no " + needed + "; add ."
                        + (needed == RoleType.MASTER ? "master()" : needed == RoleType.PS ? "ps(2)" : "workers(4)"));
            }
        }
        if (plan.role(RoleType.PS).map(RolePlan::elastic).orElse(false)) {
            problems.add(
                    "its ps is elastic, but the number of parameter shards is fixed in this JVM; remove .elastic(...)"
                            + " from ps");
        }
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(
                    "job \"" + plan.name() + "\" cannot run in this JVM: " + String.join("; ", problems));
        }
    }

    /**
     * Checks that an executor is open.
     *
     * @throws IllegalStateException if it is closed
     */
    static void checkOpen(ExecutorRuns<?> runs, JobPlan plan) {
        runs.checkOpen("the executor is closed; job \"" + plan.name() + "\" needs a new one");
    }

    /** Creates the control loop of a job and starts the job's replicas before it returns. */
    static ControlLoop start(JobPlan plan, InProcessSubstrate substrate, InstantSource clock) {
        ControlLoop loop = ControlLoop.of(plan, substrate).clock(clock).manual();
        loop.step();
        loop.drive();
        return loop;
    }
}
