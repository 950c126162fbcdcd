package dev.edl.operators.crd.tfjob;

import dev.edl.spec.CleanupPolicy;
import java.util.Arrays;
import java.util.Optional;

/**
 * Generation of the TfJob operator: group, version and kind changed while the fields stayed the same.
 *
 * <table><caption>Generations</caption>
 * <tr><th>generation</th><th>from</th><th>apiVersion</th><th>kind</th><th>optional fields</th></tr>
 * <tr><td>{@link #MLKUBE}</td><td>2017-08-20</td><td>mlkube.io/v1beta1</td><td>TfJob</td><td></td></tr>
 * <tr><td>{@link #SHORT_NAMES}</td><td>2017-11-01</td><td>tensorflow.org/v1alpha1</td><td>TfJob</td><td></td></tr>
 * <tr><td>{@link #TENSORFLOW}</td><td>2017-11-18</td><td>tensorflow.org/v1alpha1</td><td>TfJob</td>
 * <td>terminationPolicy</td></tr>
 * <tr><td>{@link #RENAMED}</td><td>2018-01-23</td><td>tensorflow.org/v1alpha1</td><td>TFJob</td>
 * <td>terminationPolicy</td></tr>
 * <tr><td>{@link #KUBEFLOW}</td><td>2018-01-30</td><td>kubeflow.org/v1alpha1</td><td>TFJob</td>
 * <td>terminationPolicy, schedulerName</td></tr>
 * </table>
 *
 * <p>Up to {@link #TENSORFLOW}, parameter servers without a template run the operator's own server program. Up to
 * {@link #RENAMED}, the operator keeps ended replicas; {@link #KUBEFLOW} deletes all of them.
 */
public enum TfJobRelease {
    /** The first generation, with its own API group. Pods and services are named like {@code ps-76no-0}. */
    MLKUBE("mlkube.io/v1beta1", "TfJob"),
    /** The API group became that of TensorFlow. Names of pods and services still lack the job's name. */
    SHORT_NAMES("tensorflow.org/v1alpha1", "TfJob"),
    /** Names of pods and services contain the job's name, such as {@code example-job-ps-76no-0}. The default. */
    TENSORFLOW("tensorflow.org/v1alpha1", "TfJob"),
    /** The kind became TFJob, and the operator no longer has its own parameter server program. */
    RENAMED("tensorflow.org/v1alpha1", "TFJob"),
    /** The API group became that of Kubeflow, and the operator creates pods instead of batch Jobs. */
    KUBEFLOW("kubeflow.org/v1alpha1", "TFJob");

    private final String apiVersion;
    private final String kind;

    TfJobRelease(String apiVersion, String kind) {
        this.apiVersion = apiVersion;
        this.kind = kind;
    }

    /** Returns group and version. */
    public String apiVersion() {
        return apiVersion;
    }

    /** Returns the kind. */
    public String kind() {
        return kind;
    }

    /** Returns whether parameter servers without a template run the operator's own server program. */
    boolean hasOwnServers() {
        return this == MLKUBE || this == SHORT_NAMES || this == TENSORFLOW;
    }

    /**
     * Returns whether a resource can set the replica whose end ends the job; if false, that replica is always the
     * MASTER.
     */
    boolean hasTerminationPolicy() {
        return this != MLKUBE && this != SHORT_NAMES;
    }

    /** Returns which replicas the operator deletes at the job's end. */
    CleanupPolicy cleanup() {
        return this == KUBEFLOW ? CleanupPolicy.ALL : CleanupPolicy.NONE;
    }

    /**
     * Returns the generation of a resource with this apiVersion and kind; {@link #TENSORFLOW} if {@link #SHORT_NAMES}
     * has the same ones. Empty for a resource that is not a TfJob.
     */
    static Optional<TfJobRelease> of(String apiVersion, String kind) {
        return Arrays.stream(values())
                .filter(one -> one != SHORT_NAMES)
                .filter(one -> one.apiVersion.equals(apiVersion) && one.kind.equals(kind))
                .findFirst();
    }
}
