package dev.edl.operators.crd.tfjob;

import dev.edl.Job;
import dev.edl.k8s.render.PodOptions;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.JobReadResult;
import dev.edl.operators.crd.ResourceWriteResult;
import dev.edl.operators.crd.internal.CrdBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;

/**
 * Conversion of TensorFlow jobs to and from TfJob v1alpha1.
 *
 * <pre>{@code
 * ResourceWriteResult written = TfJobs.write(job);         // tensorflow.org/v1alpha1, TfJob
 * written.toYaml();
 * written.losses();                            // settings that a TfJob cannot express
 * JobReadResult read = TfJobs.read(yaml);      // group and kind determine the generation
 * read.job();
 * read.losses();                               // settings that a job cannot express
 * }</pre>
 *
 * <p>Roles: {@code master}, {@code ps} and {@code worker}; a job with a {@code chief} or an {@code evaluator} is
 * rejected. Parameter servers without an image run the operator's own server program.
 *
 * <p>Pure functions; thread-safe.
 */
public final class TfJobs {
    private TfJobs() {}

    /**
     * Returns the CustomResourceDefinition of {@link TfJobRelease#TENSORFLOW} as its operator installed it: without a
     * schema and without a status subresource. {@code kubectl} of that time showed the column Kinds for every custom
     * resource.
     */
    public static CustomResourceDefinition definition() {
        return CrdBuilder.of(TfJobRelease.TENSORFLOW.apiVersion(), TfJobRelease.TENSORFLOW.kind())
                .column("Kinds", ".kind")
                .column("Phase", ".status.phase")
                .column("State", ".status.state")
                .age()
                .build();
    }

    /** Writes a job for {@link TfJobRelease#TENSORFLOW}; see {@link #write(Job, TfJobRelease)}. */
    public static ResourceWriteResult write(Job job) {
        return write(job, TfJobRelease.TENSORFLOW);
    }

    /**
     * Writes a job.
     *
     * @throws dev.edl.operators.crd.InvalidResourceException with every mistake: the job has another framework, has a
     *     role that a TfJob lacks, has no role whose end ends the job, or lacks an image that a role needs
     */
    public static ResourceWriteResult write(Job job, TfJobRelease release) {
        return write(job, PodOptions.none(), release);
    }

    /**
     * Writes a job with pod options for {@link TfJobRelease#TENSORFLOW}; see
     * {@link #write(Job, PodOptions, TfJobRelease)}.
     */
    public static ResourceWriteResult write(Job job, PodOptions options) {
        return write(job, options, TfJobRelease.TENSORFLOW);
    }

    /** Writes a job with pod options; see {@link #write(Job, TfJobRelease)}. */
    public static ResourceWriteResult write(Job job, PodOptions options, TfJobRelease release) {
        return new TfJobWriter(job, options, release).write();
    }

    /**
     * Reads a job from YAML or JSON.
     *
     * @throws dev.edl.operators.crd.InvalidResourceException with every mistake: the text is not a TfJob, has an
     *     unknown key, or the operator rejects it, then with its message
     */
    public static JobReadResult read(String yaml) {
        return read(CustomObject.fromYaml(yaml));
    }

    /** Reads a job; see {@link #read(String)}. */
    public static JobReadResult read(CustomObject resource) {
        return new TfJobReader(resource).read();
    }

    /**
     * Returns a copy of the resource with the defaults that the operator would write into its spec. These are the run
     * id, the type, number and port of each role's replicas, the template of default parameter servers, the image and
     * the chief.
     *
     * @param runtimeId run id to set if the resource has none
     * @param tfImage image of default parameter servers and TensorBoard to set if the resource has none
     */
    public static CustomObject completed(CustomObject resource, String runtimeId, String tfImage) {
        return TfJobDefaulting.of(resource, runtimeId, tfImage);
    }
}
