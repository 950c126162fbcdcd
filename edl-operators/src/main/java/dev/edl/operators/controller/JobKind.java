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

/** A kind of which each object is a job that EDL drives as any other. Pure. */
interface JobKind extends ObjectKind {
    /** Whose names, labels and environment the job's pods have. */
    Profile profile();

    /**
     * The object with what it leaves open, as its operator completes it.
     *
     * @param runId for an object that names none
     */
    CustomObject completed(CustomObject object, String runId);

    /**
     * Reads a completed object.
     *
     * @throws dev.edl.operators.crd.InvalidResourceException when its operator refuses it
     */
    JobReadResult read(CustomObject object);

    /** The job that was read, with its operator's rules of what ends it. */
    Job ruled(Job job);

    /** What the controller says of the pods beside the object. */
    PodOptions.Builder options(PodOptions.Builder options);

    /** Whether the object's status says that the job has ended. */
    boolean ended(CustomObject object);

    /** The status of an object that was taken on. */
    Map<String, Object> accepted(String reason);

    /** The status of a job. */
    Map<String, Object> status(JobPlan plan, JobState state);

    /** The status of an object that cannot be a job. */
    Map<String, Object> refused(String reason);

    /** Its spec is completed in the object itself, which goes when it is to. */
    @Override
    default List<PolicyRule> rules() {
        return List.of(ControllerRules.of(this, "update", "delete"));
    }

    @Override
    default ObjectDriver open(CustomObject object, ObjectContext context) {
        return new JobDriver(this, context);
    }
}
