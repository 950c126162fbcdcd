package dev.edl.k8s.crd.mxjob;

import dev.edl.Job;
import dev.edl.k8s.crd.CustomObject;
import dev.edl.k8s.crd.Reading;
import dev.edl.k8s.crd.Written;
import dev.edl.k8s.render.PodOptions;

/**
 * MXNet jobs as MxJob v1beta1, and back. A job of one worker alone is {@code jobMode: local}, any other {@code dist},
 * which must have all three roles.
 *
 * <pre>{@code
 * Written written = MxJobs.write(job);         // mxnet.mlkube.io/v1beta1
 * Reading reading = MxJobs.read(written.toYaml());
 * }</pre>
 *
 * <p>Pure functions; safe for use by several threads.
 */
public final class MxJobs {
    private MxJobs() {}

    /** Writes a job for {@link MxJobGroup#MXNET_MLKUBE}; see {@link #write(Job, MxJobGroup)}. */
    public static Written write(Job job) {
        return write(job, MxJobGroup.MXNET_MLKUBE);
    }

    /**
     * Writes a job.
     *
     * @throws dev.edl.k8s.crd.InvalidResourceException when the job is of another framework, lacks one of the three roles,
     *     then with the operator's own words, or has a role without an image; with every mistake
     */
    public static Written write(Job job, MxJobGroup group) {
        return write(job, PodOptions.none(), group);
    }

    /** Writes a job, and what is said of its pods, for {@link MxJobGroup#MXNET_MLKUBE}; see {@link #write(Job)}. */
    public static Written write(Job job, PodOptions options) {
        return write(job, options, MxJobGroup.MXNET_MLKUBE);
    }

    /** Writes a job, and what is said of its pods; see {@link #write(Job, MxJobGroup)}. */
    public static Written write(Job job, PodOptions options, MxJobGroup group) {
        return new MxJobWriter(job, options, group).write();
    }

    /**
     * Reads a job from YAML or JSON.
     *
     * @throws dev.edl.k8s.crd.InvalidResourceException when the text is no MxJob, has an unknown key, or is one that the
     *     operator refuses, then with the operator's own words; with every mistake
     */
    public static Reading read(String yaml) {
        return read(CustomObject.fromYaml(yaml));
    }

    /** Reads a job; see {@link #read(String)}. */
    public static Reading read(CustomObject resource) {
        return new MxJobReader(resource).read();
    }
}
