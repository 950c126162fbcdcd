package dev.edl.k8s.internal.record;

import dev.edl.exec.ControlLoop;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.client.ClusterApi;
import dev.edl.k8s.internal.pods.PodSubstrate;
import dev.edl.k8s.render.PodTemplates;
import dev.edl.plan.JobPlan;
import dev.edl.reconcile.JobState;
import dev.edl.reconcile.Reconciler;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/** Job that is driven as {@link KubernetesExecutor} does it, but without a thread: a test runs the passes. */
public final class DrivenJob {
    private static final Duration SEEN_LAG = Duration.ofSeconds(5);

    private final PodSubstrate pods;
    private final ControlLoop loop;

    private DrivenJob(
            ClusterApi api,
            JobPlan plan,
            PodTemplates templates,
            JobRecord record,
            JobState from,
            InstantSource clock,
            Reconciler reconciler) {
        this.pods = new PodSubstrate(api, plan, templates, record.clock(clock), Optional.empty(), Runnable::run);
        this.loop = ControlLoop.of(plan, pods)
                .from(from)
                .journal(record::save, SEEN_LAG)
                .clock(clock)
                .reconciler(reconciler)
                .manual();
    }

    /** Creates the record of a new job and drives it. */
    public static DrivenJob start(
            ClusterApi api,
            JobPlan plan,
            PodTemplates templates,
            String mark,
            InstantSource clock,
            Reconciler reconciler) {
        JobState state = JobState.initial(plan);
        return new DrivenJob(
                api,
                plan,
                templates,
                JobRecord.create(api, plan, state, mark, Optional.empty()),
                state,
                clock,
                reconciler);
    }

    /** Takes over a job and drives it; empty when it does not exist. */
    public static Optional<DrivenJob> attach(
            ClusterApi api,
            JobPlan plan,
            PodTemplates templates,
            String mark,
            InstantSource clock,
            Reconciler reconciler) {
        return JobRecord.takeOver(api, plan.name(), mark, found -> {})
                .map(record -> new DrivenJob(api, plan, templates, record, record.state(), clock, reconciler));
    }

    /** Returns the state that the cluster stores. */
    public static Optional<JobState> kept(ClusterApi api, JobPlan plan) {
        return JobRecord.find(api, plan.name()).map(JobRecord::state);
    }

    /** Returns the loop, whose {@code step} runs a pass. */
    public ControlLoop loop() {
        return loop;
    }

    /** Calls back whenever a pass is due at once. */
    public void onChange(Runnable wake) {
        pods.onChange("", wake);
    }
}
