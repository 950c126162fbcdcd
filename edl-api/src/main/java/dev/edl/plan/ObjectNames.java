package dev.edl.plan;

import dev.edl.spec.JobSpec;
import dev.edl.spec.RoleType;
import java.util.Map;
import java.util.Set;

/**
 * Names, addresses and labels of a job's objects in one profile. Ids and indexes are strings, so that a plan can show a
 * placeholder such as {@code <id>} in their place.
 */
sealed interface ObjectNames permits ElasticDlNames, TfJobNames, KubeflowNames, MxJobNames, EtNames {
    /**
     * Returns the naming scheme of a profile for a job.
     *
     * @param runId the run id, or a placeholder for it
     */
    static ObjectNames of(Profile profile, JobSpec spec, String runId) {
        return switch (profile) {
            case ELASTICDL -> new ElasticDlNames(spec);
            case TFJOB_V1ALPHA1 -> new TfJobNames(spec.name(), runId);
            case KUBEFLOW_V1 -> new KubeflowNames(spec);
            case MXJOB_V1BETA1 -> new MxJobNames(spec.name(), runId);
            case ET_V1ALPHA1 -> new EtNames(spec.name());
        };
    }

    /** Returns the name of a replica's object. */
    String replica(RoleType type, String id);

    /** Returns the host of the replica with an index. */
    default String host(RoleType type, String index) {
        return replica(type, index);
    }

    /** Returns the labels that together select the objects of the job. */
    Map<String, String> selector();

    /** Returns the labels of a replica, without the user's. */
    Map<String, String> labels(RoleType type, int index);

    /** Returns the keys of all labels that {@link #labels} may return. The user cannot set them. */
    Set<String> keys();

    /** Returns whether a relaunched worker gets a new id, so that names need room for large ids. */
    default boolean freshIds() {
        return false;
    }
}
