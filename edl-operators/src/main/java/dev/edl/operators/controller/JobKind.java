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

/** Kind of custom object that specifies one EDL job and has no scaling requests. Pure. */
interface JobKind extends ManagedKind {
    /** Returns the profile that determines names, labels and environment of the job's pods. */
    Profile profile();

    /**
     * Returns a copy of the object with the defaults that its operator sets.
     *
     * @param runId run id for an object that has none
     */
    CustomObject completed(CustomObject object, String runId);

    /**
     * Reads a job from an object that {@link #completed} returned.
     *
     * @throws dev.edl.operators.crd.InvalidResourceException when its operator rejects it
     */
    JobReadResult read(CustomObject object);

    /** Returns a copy of the job with the operator's rules on which exit codes and replicas end a job. */
    Job ruled(Job job);

    /** Adds pod settings from the controller's configuration, which the object does not hold. */
    PodOptions.Builder options(PodOptions.Builder options);

    /** Returns whether the object's status shows that the job has ended. */
    boolean ended(CustomObject object);

    /**
     * Returns the status of an object whose job is not running yet.
     *
     * @param reason reason for waiting; empty for none
     */
    Map<String, Object> accepted(String reason);

    /** Returns the status of a running or ended job. */
    Map<String, Object> status(JobPlan plan, JobState state);

    /**
     * Returns the status of an object that cannot be a job.
     *
     * @param reason why it cannot
     */
    Map<String, Object> refused(String reason);

    /**
     * Returns the RBAC rules to write defaults into an object's spec, and to delete an object whose time to live is
     * over.
     */
    @Override
    default List<PolicyRule> rules() {
        return List.of(ControllerPermissions.of(this, "update", "delete"));
    }

    @Override
    default ObjectDriver open(CustomObject object, ObjectDriverContext context) {
        return new JobDriver(this, context);
    }
}
