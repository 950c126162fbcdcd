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
 * Conversion of MXNet jobs to and from MxJob v1beta1. A job of a single worker is {@code jobMode: local}. Any other job
 * is {@code jobMode: dist}, which needs all three roles: scheduler, servers and workers.
 *
 * <pre>{@code
 * ResourceWriteResult written = MxJobs.write(job);         // mxnet.mlkube.io/v1beta1
 * JobReadResult read = MxJobs.read(written.toYaml());
 * }</pre>
 *
 * <p>Pure functions; thread-safe.
 */
public final class MxJobs {
    private MxJobs() {}

    /** Returns the definition of {@link MxJobGroup#MXNET_MLKUBE}; see {@link #definition(MxJobGroup)}. */
    public static CustomResourceDefinition definition() {
        return definition(MxJobGroup.MXNET_MLKUBE);
    }

    /**
     * Returns the CustomResourceDefinition of MxJob as the operator of this group installed it: without a schema and
     * without a status subresource. {@code kubectl} of that time showed the column Kinds for every custom resource.
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
     * @throws dev.edl.operators.crd.InvalidResourceException with every mistake: the job has another framework, lacks
     *     one of the three roles, then with the operator's message, or has a role without an image
     */
    public static ResourceWriteResult write(Job job, MxJobGroup group) {
        return write(job, PodOptions.none(), group);
    }

    /**
     * Writes a job with pod options for {@link MxJobGroup#MXNET_MLKUBE}; see
     * {@link #write(Job, PodOptions, MxJobGroup)}.
     */
    public static ResourceWriteResult write(Job job, PodOptions options) {
        return write(job, options, MxJobGroup.MXNET_MLKUBE);
    }

    /** Writes a job with pod options; see {@link #write(Job, MxJobGroup)}. */
    public static ResourceWriteResult write(Job job, PodOptions options, MxJobGroup group) {
        return new MxJobWriter(job, options, group).write();
    }

    /**
     * Reads a job from YAML or JSON.
     *
     * @throws dev.edl.operators.crd.InvalidResourceException with every mistake: the text is not an MxJob, has an
     *     unknown key, or the operator rejects it, then with its message
     */
    public static JobReadResult read(String yaml) {
        return read(CustomObject.fromYaml(yaml));
    }

    /** Reads a job; see {@link #read(String)}. */
    public static JobReadResult read(CustomObject resource) {
        return new MxJobReader(resource).read();
    }

    /**
     * Returns a copy of the resource with the defaults that the operator would write into its spec. These are the run
     * id, and the type, number and port of each role's replicas.
     *
     * @param runtimeId run id to set if the resource has none
     */
    public static CustomObject completed(CustomObject resource, String runtimeId) {
        return SpecDefaulting.of(resource, spec -> SpecDefaulting.fill(spec, "RuntimeId", runtimeId), replica -> {
            SpecDefaulting.fill(replica, "replicas", 1);
            SpecDefaulting.fill(replica, "mxReplicaType", "WORKER");
            SpecDefaulting.fill(replica, "PsRootPort", MxJobRules.PORT);
        });
    }
}
