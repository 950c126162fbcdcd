package dev.edl.operators.crd.et;

import dev.edl.Job;
import dev.edl.k8s.render.PodOptions;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.JobReadResult;
import dev.edl.operators.crd.ResourceWriteResult;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;

/**
 * Elastic Horovod jobs as et-operator's TrainingJob, and back. The bounds of the workers are its {@code minReplicas} and
 * {@code maxReplicas}; while it runs, it is scaled by a {@link ScaleRequest}.
 *
 * <pre>{@code
 * Written written = TrainingJobs.write(job);
 * Reading reading = TrainingJobs.read(written.toYaml());
 * }</pre>
 *
 * <p>Pure functions; safe for use by several threads.
 */
public final class TrainingJobs {
    static final String API_VERSION = "kai.alibabacloud.com/v1alpha1";
    static final String KIND = "TrainingJob";

    private TrainingJobs() {}

    /**
     * The kind as et-operator installs it: with the defaults {@code restartPolicy: Never} and {@code backoffLimit: 6}, its status
     * written apart.
     */
    public static CustomResourceDefinition definition() {
        return EtDefinitions.trainingJob();
    }

    /**
     * Writes a job.
     *
     * @throws dev.edl.operators.crd.InvalidResourceException when the job is of another framework, lacks the launcher or the
     *     workers, or has a role without an image; with every mistake
     */
    public static ResourceWriteResult write(Job job) {
        return write(job, PodOptions.none());
    }

    /** Writes a job, and what is said of its pods; see {@link #write(Job)}. */
    public static ResourceWriteResult write(Job job, PodOptions options) {
        return new TrainingJobWriter(job, options).write();
    }

    /**
     * Reads a job from YAML or JSON.
     *
     * @throws dev.edl.operators.crd.InvalidResourceException when the text is no TrainingJob, has an unknown key, lacks what
     *     the operator needs, or cannot be a job; with every mistake
     */
    public static JobReadResult read(String yaml) {
        return read(CustomObject.fromYaml(yaml));
    }

    /** Reads a job; see {@link #read(String)}. */
    public static JobReadResult read(CustomObject resource) {
        return new TrainingJobReader(resource).read();
    }
}
