package dev.edl.plan;

import java.util.Locale;

/**
 * Existing system whose names, labels, addresses, ports and environment a plan follows, so that its objects equal those
 * of that system. The profile does not change how a job runs and ends: EDL drives it, and the loss of a worker is
 * survived in every profile. {@link dev.edl.ExitCodePolicy} has the exit code rules of the other systems.
 *
 * <p>{@link Planner} rejects a framework or role that the profile's system does not have. In all profiles except
 * {@link #ELASTICDL}, a replica keeps its id when it is relaunched. In these, a framework variable set by the user is
 * replaced by the computed one, as those systems do; {@code ELASTICDL} rejects it.
 */
public enum Profile {
    /**
     * ElasticDL's names for every framework: objects are {@code elasticdl-<job>-<role>[-<id>]}, labelled
     * {@code app=elasticdl} and {@code elasticdl-job-name}, {@code elasticdl-replica-type},
     * {@code elasticdl-replica-index}; addresses are {@code <name>.<namespace>.svc:<port>}.
     */
    ELASTICDL,
    /**
     * The first TfJob operator ({@code tensorflow.org/v1alpha1}, end of 2017): TensorFlow with master, ps and worker.
     * Objects are {@code <first 40 characters of job>-<role>-<run id>-<index>}, with that short name as host; a run id
     * is four letters and digits.
     */
    TFJOB_V1ALPHA1,
    /**
     * Kubeflow's training operator ({@code kubeflow.org/v1}, version 1.7 to 1.9): TensorFlow, PyTorch, MXNet and MPI
     * for Horovod. Objects are {@code <job>-<role>-<index>}, labelled {@code training.kubeflow.org/*}. TFJob addresses
     * are {@code <name>.<namespace>.svc}, those of the others are the short name.
     */
    KUBEFLOW_V1,
    /**
     * The first MxJob operator ({@code mxnet.mlkube.io/v1beta1}): MXNet. Objects are
     * {@code <job>-<role>-<run id>-<index>}, with that short name as host.
     */
    MXJOB_V1BETA1,
    /**
     * et-operator's TrainingJob ({@code kai.alibabacloud.com/v1alpha1}): Horovod. Objects are {@code <job>-launcher}
     * and {@code <job>-worker-<index>}, with that short name as host.
     */
    ET_V1ALPHA1;

    /** Returns the profile's id in text: {@code tfjob-v1alpha1}. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
