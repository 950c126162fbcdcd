package dev.edl.operators.crd.et;

import dev.edl.Job;
import dev.edl.k8s.render.PodOptions;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.JobReadResult;
import dev.edl.operators.crd.ResourceWriteResult;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;

/**
 * Conversion of elastic Horovod jobs to and from et-operator's TrainingJob. The bounds of the workers are
 * {@code minReplicas} and {@code maxReplicas}; a {@link ScaleRequest} scales a running job.
 *
 * <pre>{@code
 * ResourceWriteResult written = TrainingJobs.write(job);
 * JobReadResult read = TrainingJobs.read(written.toYaml());
 * }</pre>
 *
 * <p>Pure functions; thread-safe.
 */
public final class TrainingJobs {
    static final String API_VERSION = "kai.alibabacloud.com/v1alpha1";
    static final String KIND = "TrainingJob";

    private TrainingJobs() {}

    /**
     * Returns the definition as et-operator installs it: defaults {@code restartPolicy: Never} and
     * {@code backoffLimit: 6}, and a status subresource.
     */
    public static CustomResourceDefinition definition() {
        return EtDefinitions.trainingJob();
    }

    /**
     * Writes a job.
     *
     * @throws dev.edl.operators.crd.InvalidResourceException with every mistake: the job has another framework, lacks
     *     the launcher or the workers, or has a role without an image
     */
    public static ResourceWriteResult write(Job job) {
        return write(job, PodOptions.none());
    }

    /** Writes a job with pod options; see {@link #write(Job)}. */
    public static ResourceWriteResult write(Job job, PodOptions options) {
        return new TrainingJobWriter(job, options).write();
    }

    /**
     * Reads a job from YAML or JSON.
     *
     * @throws dev.edl.operators.crd.InvalidResourceException with every mistake: the text is not a TrainingJob, has an
     *     unknown key, lacks what the operator needs, or cannot be a job
     */
    public static JobReadResult read(String yaml) {
        return read(CustomObject.fromYaml(yaml));
    }

    /** Reads a job; see {@link #read(String)}. */
    public static JobReadResult read(CustomObject resource) {
        return new TrainingJobReader(resource).read();
    }
}
