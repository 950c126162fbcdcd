package dev.edl.operators.crd.tfjob;

import dev.edl.CleanupPolicy;
import java.util.Arrays;
import java.util.Optional;

/**
 * Which operator reads a TfJob: its group, version and kind changed while the fields stayed the same.
 *
 * <table><caption>Generations</caption>
 * <tr><th>generation</th><th>from</th><th>apiVersion</th><th>kind</th><th>may say</th></tr>
 * <tr><td>{@link #MLKUBE}</td><td>2017-08-20</td><td>mlkube.io/v1beta1</td><td>TfJob</td><td></td></tr>
 * <tr><td>{@link #SHORT_NAMES}</td><td>2017-11-01</td><td>tensorflow.org/v1alpha1</td><td>TfJob</td><td></td></tr>
 * <tr><td>{@link #TENSORFLOW}</td><td>2017-11-18</td><td>tensorflow.org/v1alpha1</td><td>TfJob</td>
 *     <td>terminationPolicy</td></tr>
 * <tr><td>{@link #RENAMED}</td><td>2018-01-23</td><td>tensorflow.org/v1alpha1</td><td>TFJob</td>
 *     <td>terminationPolicy</td></tr>
 * <tr><td>{@link #KUBEFLOW}</td><td>2018-01-30</td><td>kubeflow.org/v1alpha1</td><td>TFJob</td>
 *     <td>terminationPolicy, schedulerName</td></tr>
 * </table>
 *
 * <p>Parameter servers without a template get the operator's own server program up to {@link #TENSORFLOW}. What has
 * ended stays as it is up to {@link #RENAMED}; {@link #KUBEFLOW} deletes all of it.
 */
public enum TfJobGeneration {
    /** The first one; children are named {@code ps-76no-0}. */
    MLKUBE("mlkube.io/v1beta1", "TfJob"),
    /** The group of TensorFlow; children are still named without the job. */
    SHORT_NAMES("tensorflow.org/v1alpha1", "TfJob"),
    /** Children are named by the job, {@code example-job-ps-76no-0}. The default. */
    TENSORFLOW("tensorflow.org/v1alpha1", "TfJob"),
    /** The kind is TFJob; the operator's own parameter servers are gone. */
    RENAMED("tensorflow.org/v1alpha1", "TFJob"),
    /** The group of Kubeflow; pods instead of batch jobs. */
    KUBEFLOW("kubeflow.org/v1alpha1", "TFJob");

    private final String apiVersion;
    private final String kind;

    TfJobGeneration(String apiVersion, String kind) {
        this.apiVersion = apiVersion;
        this.kind = kind;
    }

    /** Group and version. */
    public String apiVersion() {
        return apiVersion;
    }

    /** Kind. */
    public String kind() {
        return kind;
    }

    /** Whether parameter servers without a template get the operator's own server program. */
    boolean hasOwnServers() {
        return this == MLKUBE || this == SHORT_NAMES || this == TENSORFLOW;
    }

    /** Whether a resource can say whose end is the job's; before, it was the MASTER's. */
    boolean hasTerminationPolicy() {
        return this != MLKUBE && this != SHORT_NAMES;
    }

    /** What becomes of the replicas at the end. */
    CleanupPolicy cleanup() {
        return this == KUBEFLOW ? CleanupPolicy.ALL : CleanupPolicy.NONE;
    }

    /** The generation of a resource; of two that look the same, {@link #TENSORFLOW}. */
    static Optional<TfJobGeneration> of(String apiVersion, String kind) {
        return Arrays.stream(values())
                .filter(one -> one != SHORT_NAMES)
                .filter(one -> one.apiVersion.equals(apiVersion) && one.kind.equals(kind))
                .findFirst();
    }
}
