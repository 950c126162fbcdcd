package dev.edl.plan;

import java.util.Locale;

/**
 * Which existing system's names, labels, addresses, ports and environment a plan follows, so that what is made of it is
 * what that system would have made. How a job runs and ends is the job's own in every profile: EDL drives it, and a job that
 * survives the loss of a worker does so whatever its objects are called. {@link dev.edl.ExitCodePolicy} has the rules of the other
 * systems.
 *
 * <p>A profile takes only what its system has: {@link Planner} refuses a framework or role that it does not know. In all
 * but {@link #ELASTICDL} a replica keeps its id when it is relaunched, and a framework's variable that the user set by
 * hand is replaced by the computed one, as those systems do; {@code ELASTICDL} refuses it.
 */
public enum Profile {
    /**
     * ElasticDL, and every framework by its scheme: objects are {@code elasticdl-<job>-<role>[-<id>]}, labelled
     * {@code app=elasticdl} and {@code elasticdl-job-name}, {@code elasticdl-replica-type},
     * {@code elasticdl-replica-index}; addresses are {@code <name>.<namespace>.svc:<port>}.
     */
    ELASTICDL,
    /**
     * The first TfJob operator ({@code tensorflow.org/v1alpha1}, end of 2017): TensorFlow with master, ps and worker.
     * Objects are {@code <first 40 characters of job>-<role>-<run id>-<index>}, reached by that short name; a run id is four
     * letters and digits.
     */
    TFJOB_V1ALPHA1,
    /**
     * Kubeflow's training operator ({@code kubeflow.org/v1}, version 1.7 to 1.9): TensorFlow, PyTorch, MXNet and MPI for
     * Horovod. Objects are {@code <job>-<role>-<index>}, labelled {@code training.kubeflow.org/*}; TFJob addresses them as
     * {@code <name>.<namespace>.svc}, the others by the short name.
     */
    KUBEFLOW_V1,
    /**
     * The first MxJob operator ({@code mxnet.mlkube.io/v1beta1}): MXNet. Objects are {@code <job>-<role>-<run id>-<index>},
     * reached by that short name.
     */
    MXJOB_V1BETA1,
    /**
     * et-operator's TrainingJob ({@code kai.alibabacloud.com/v1alpha1}): Horovod. Objects are {@code <job>-launcher} and
     * {@code <job>-worker-<index>}, reached by that short name.
     */
    ET_V1ALPHA1;

    /** The profile's word in text: {@code tfjob-v1alpha1}. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
