package dev.edl.operators.controller;

import dev.edl.Job;
import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.render.TfJobOperatorConfig;
import dev.edl.operators.controller.internal.LegacyExitCodeRules;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.JobReadResult;
import dev.edl.operators.crd.mxjob.MxJobGroup;
import dev.edl.operators.crd.mxjob.MxJobStatuses;
import dev.edl.operators.crd.mxjob.MxJobs;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import dev.edl.reconcile.JobState;
import dev.edl.spec.ExitCodePolicy;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.util.Map;

/**
 * MxJob, with the rules of its operator of 2017, which decides by exit codes whether a failed replica is retried and
 * ignores termination messages.
 */
record MxJobKind(TfJobOperatorConfig config, MxJobGroup group) implements JobKind {
    @Override
    public CustomResourceDefinition definition() {
        return MxJobs.definition(group);
    }

    @Override
    public Profile profile() {
        return Profile.MXJOB_V1BETA1;
    }

    @Override
    public CustomObject completed(CustomObject object, String runId) {
        return MxJobs.completed(object, runId);
    }

    @Override
    public JobReadResult read(CustomObject object) {
        return MxJobs.read(object);
    }

    @Override
    public Job ruled(Job job) {
        return LegacyExitCodeRules.of(job, ExitCodePolicy.TFJOB_V1ALPHA1);
    }

    @Override
    public PodOptions.Builder options(PodOptions.Builder options) {
        return options.acceleratorConfig(config.accelerators());
    }

    @Override
    public boolean ended(CustomObject object) {
        return MxJobStatuses.ended(object);
    }

    @Override
    public Map<String, Object> accepted(String reason) {
        return MxJobStatuses.accepted(reason);
    }

    @Override
    public Map<String, Object> status(JobPlan plan, JobState state) {
        return MxJobStatuses.of(plan, state);
    }

    @Override
    public Map<String, Object> refused(String reason) {
        return MxJobStatuses.refused(reason);
    }
}
