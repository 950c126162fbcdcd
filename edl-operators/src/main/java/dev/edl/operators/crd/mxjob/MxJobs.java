package dev.edl.operators.crd.mxjob;

import dev.edl.Job;
import dev.edl.k8s.render.PodOptions;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.JobReadResult;
import dev.edl.operators.crd.ResourceWriteResult;
import dev.edl.operators.crd.internal.CrdBuilder;
import dev.edl.operators.crd.internal.SpecDefaulting;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;

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

    /** The kind of {@link MxJobGroup#MXNET_MLKUBE}; see {@link #definition(MxJobGroup)}. */
    public static CustomResourceDefinition definition() {
        return definition(MxJobGroup.MXNET_MLKUBE);
    }

    /**
     * The kind as its operator installed it: no schema, and the status is a part of the resource. The column Kinds is what
     * {@code kubectl} of that time showed of every custom resource.
     */
    public static CustomResourceDefinition definition(MxJobGroup group) {
        return CrdBuilder.of(group.apiVersion(), MxJobRules.KIND)
                .column("Kinds", ".kind")
                .column("Phase", ".status.phase")
                .column("State", ".status.state")
                .age()
                .build();
    }

    /** Writes a job for {@link MxJobGroup#MXNET_MLKUBE}; see {@link #write(Job, MxJobGroup)}. */
    public static ResourceWriteResult write(Job job) {
        return write(job, MxJobGroup.MXNET_MLKUBE);
    }

    /**
     * Writes a job.
     *
     * @throws dev.edl.operators.crd.InvalidResourceException when the job is of another framework, lacks one of the three roles,
     *     then with the operator's own words, or has a role without an image; with every mistake
     */
    public static ResourceWriteResult write(Job job, MxJobGroup group) {
        return write(job, PodOptions.none(), group);
    }

    /** Writes a job, and what is said of its pods, for {@link MxJobGroup#MXNET_MLKUBE}; see {@link #write(Job)}. */
    public static ResourceWriteResult write(Job job, PodOptions options) {
        return write(job, options, MxJobGroup.MXNET_MLKUBE);
    }

    /** Writes a job, and what is said of its pods; see {@link #write(Job, MxJobGroup)}. */
    public static ResourceWriteResult write(Job job, PodOptions options, MxJobGroup group) {
        return new MxJobWriter(job, options, group).write();
    }

    /**
     * Reads a job from YAML or JSON.
     *
     * @throws dev.edl.operators.crd.InvalidResourceException when the text is no MxJob, has an unknown key, or is one that the
     *     operator refuses, then with the operator's own words; with every mistake
     */
    public static JobReadResult read(String yaml) {
        return read(CustomObject.fromYaml(yaml));
    }

    /** Reads a job; see {@link #read(String)}. */
    public static JobReadResult read(CustomObject resource) {
        return new MxJobReader(resource).read();
    }

    /**
     * A resource with what it leaves open, as the operator completes it and writes it back: run id, types, numbers and ports of the
     * replicas.
     *
     * @param runtimeId for one that names none
     */
    public static CustomObject completed(CustomObject resource, String runtimeId) {
        return SpecDefaulting.of(resource, spec -> SpecDefaulting.fill(spec, "RuntimeId", runtimeId), replica -> {
            SpecDefaulting.fill(replica, "replicas", 1);
            SpecDefaulting.fill(replica, "mxReplicaType", "WORKER");
            SpecDefaulting.fill(replica, "PsRootPort", MxJobRules.PORT);
        });
    }
}
