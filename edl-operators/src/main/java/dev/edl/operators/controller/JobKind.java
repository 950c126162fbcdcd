package dev.edl.operators.controller;

import dev.edl.Job;
import dev.edl.k8s.render.PodOptions;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.JobReadResult;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import dev.edl.reconcile.JobState;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.util.List;
import java.util.Map;

/** Kind of custom object of which each is one EDL job. Pure. */
interface JobKind extends ObjectKind {
    /** Returns the profile of the pods' names, labels and environment. */
    Profile profile();

    /**
     * Returns the object with the operator's defaults.
     *
     * @param runId for an object without one
     */
    CustomObject completed(CustomObject object, String runId);

    /**
     * Reads an object with defaults.
     *
     * @throws dev.edl.operators.crd.InvalidResourceException when its operator rejects it
     */
    JobReadResult read(CustomObject object);

    /** Returns the job with the operator's rules on what ends it. */
    Job ruled(Job job);

    /** Adds the controller's settings of pods that the object does not hold. */
    PodOptions.Builder options(PodOptions.Builder options);

    /** Whether the object's status has the end of the job. */
    boolean ended(CustomObject object);

    /** Returns the status of an accepted object. */
    Map<String, Object> accepted(String reason);

    /** Returns the status of a running or ended job. */
    Map<String, Object> status(JobPlan plan, JobState state);

    /** Returns the status of an object that cannot be a job. */
    Map<String, Object> refused(String reason);

    /** The controller writes defaults into the object's spec, and deletes the object when it expires. */
    @Override
    default List<PolicyRule> rules() {
        return List.of(ControllerPermissions.of(this, "update", "delete"));
    }

    @Override
    default ObjectDriver open(CustomObject object, ObjectContext context) {
        return new JobDriver(this, context);
    }
}
