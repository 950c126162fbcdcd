package dev.edl.operators.crd.tfjob;

import dev.edl.Job;
import dev.edl.k8s.render.PodOptions;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.JobReadResult;
import dev.edl.operators.crd.ResourceWriteResult;
import dev.edl.operators.crd.internal.CrdBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;

/**
 * TensorFlow jobs as TfJob v1alpha1, and back.
 *
 * <pre>{@code
 * Written written = TfJobs.write(job);         // tensorflow.org/v1alpha1, TfJob
 * written.toYaml();
 * written.losses();                            // what a TfJob cannot say of the job
 *
 * Reading reading = TfJobs.read(yaml);         // the group and kind tell the generation
 * reading.job();
 * reading.losses();                            // what a job cannot say of the TfJob
 * }</pre>
 *
 * <p>Roles: {@code master}, {@code ps} and {@code worker}; a job with a {@code chief} or an {@code evaluator} is refused.
 * Parameter servers without an image are those whose program the operator brings along.
 *
 * <p>Pure functions; safe for use by several threads.
 */
public final class TfJobs {
    private TfJobs() {}

    /**
     * The kind of {@link TfJobGeneration#TENSORFLOW} as its operator installed it: no schema, and the status is a part of the
     * resource. The column Kinds is what {@code kubectl} of that time showed of every custom resource.
     */
    public static CustomResourceDefinition definition() {
        return CrdBuilder.of(TfJobGeneration.TENSORFLOW.apiVersion(), TfJobGeneration.TENSORFLOW.kind())
                .column("Kinds", ".kind")
                .column("Phase", ".status.phase")
                .column("State", ".status.state")
                .age()
                .build();
    }

    /** Writes a job for {@link TfJobGeneration#TENSORFLOW}; see {@link #write(Job, TfJobGeneration)}. */
    public static ResourceWriteResult write(Job job) {
        return write(job, TfJobGeneration.TENSORFLOW);
    }

    /**
     * Writes a job.
     *
     * @throws dev.edl.operators.crd.InvalidResourceException when the job is of another framework, has a role that a TfJob does
     *     not have, or nothing that would end it, or a role without an image that needs one; with every mistake
     */
    public static ResourceWriteResult write(Job job, TfJobGeneration generation) {
        return write(job, PodOptions.none(), generation);
    }

    /** Writes a job, and what is said of its pods, for {@link TfJobGeneration#TENSORFLOW}; see {@link #write(Job)}. */
    public static ResourceWriteResult write(Job job, PodOptions options) {
        return write(job, options, TfJobGeneration.TENSORFLOW);
    }

    /** Writes a job, and what is said of its pods; see {@link #write(Job, TfJobGeneration)}. */
    public static ResourceWriteResult write(Job job, PodOptions options, TfJobGeneration generation) {
        return new TfJobWriter(job, options, generation).write();
    }

    /**
     * Reads a job from YAML or JSON.
     *
     * @throws dev.edl.operators.crd.InvalidResourceException when the text is no TfJob, has an unknown key, or is one that the
     *     operator refuses, then with the operator's own words; with every mistake
     */
    public static JobReadResult read(String yaml) {
        return read(CustomObject.fromYaml(yaml));
    }

    /** Reads a job; see {@link #read(String)}. */
    public static JobReadResult read(CustomObject resource) {
        return new TfJobReader(resource).read();
    }

    /**
     * A resource with what it leaves open, as the operator completes it and writes it back: run id, types, numbers and ports of the
     * replicas, the template of default parameter servers, image and chief.
     *
     * @param runtimeId for one that names none
     * @param tfImage of default parameter servers and TensorBoard, for one that names none
     */
    public static CustomObject completed(CustomObject resource, String runtimeId, String tfImage) {
        return TfJobDefaulting.of(resource, runtimeId, tfImage);
    }
}
