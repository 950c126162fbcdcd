package dev.edl.operators.controller;

import dev.edl.Job;
import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.render.TfJobOperatorConfig;
import dev.edl.operators.controller.internal.LegacyExitCodeRules;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.JobReadResult;
import dev.edl.operators.crd.tfjob.TfJobStatuses;
import dev.edl.operators.crd.tfjob.TfJobs;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import dev.edl.reconcile.JobState;
import dev.edl.spec.ExitCodePolicy;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.util.Map;

/** TfJob, with the rules of its operator as of the end of 2017. */
record TfJobKind(TfJobOperatorConfig config) implements JobKind {
    private static final String IMAGE = "tensorflow/tensorflow:1.3.0";

    @Override
    public CustomResourceDefinition definition() {
        return TfJobs.definition();
    }

    @Override
    public Profile profile() {
        return Profile.TFJOB_V1ALPHA1;
    }

    @Override
    public CustomObject completed(CustomObject object, String runId) {
        return TfJobs.completed(object, runId, config.tfImage().orElse(IMAGE));
    }

    @Override
    public JobReadResult read(CustomObject object) {
        return TfJobs.read(object);
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
        return TfJobStatuses.ended(object);
    }

    @Override
    public Map<String, Object> accepted(String reason) {
        return TfJobStatuses.accepted(reason);
    }

    @Override
    public Map<String, Object> status(JobPlan plan, JobState state) {
        return TfJobStatuses.of(plan, state);
    }

    @Override
    public Map<String, Object> refused(String reason) {
        return TfJobStatuses.refused(reason);
    }
}
