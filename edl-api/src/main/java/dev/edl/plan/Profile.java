package dev.edl.plan;

import java.util.Locale;

/**
 * Existing system whose names, labels, addresses and environment a plan follows, so that the job's objects equal those
 * of that system. The profile does not change how a job runs and ends: EDL drives the job, and the job survives the
 * loss of a worker in every profile. {@link dev.edl.spec.ExitCodePolicy} has the exit code rules of the other systems.
 *
 * <p>{@link Planner} rejects a framework or role that the profile's system does not have. In all profiles except
 * {@link #ELASTICDL}, a relaunched replica keeps its id. If the user sets a variable that the framework's rule
 * computes, these profiles replace the user's value, as their systems do; the planner rejects it in {@code ELASTICDL}.
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
     * Objects are {@code <first 40 characters of job>-<role>-<run id>-<index>}, which is also the host name; a run id
     * has four letters and digits.
     */
    TFJOB_V1ALPHA1,
    /**
     * Kubeflow's training operator ({@code kubeflow.org/v1}, version 1.7 to 1.9): TensorFlow, PyTorch, MXNet and MPI
     * for Horovod. Objects are {@code <job>-<role>-<index>}, or {@code <job>-launcher}, labelled
     * {@code training.kubeflow.org/*}. The host name of a TFJob's replica is {@code <name>.<namespace>.svc}, otherwise
     * the object's name.
     */
    KUBEFLOW_V1,
    /**
     * The first MxJob operator ({@code mxnet.mlkube.io/v1beta1}): MXNet. Objects are
     * {@code <job>-<role>-<run id>-<index>}, which is also the host name.
     */
    MXJOB_V1BETA1,
    /**
     * et-operator's TrainingJob ({@code kai.alibabacloud.com/v1alpha1}): Horovod. Objects are {@code <job>-launcher}
     * and {@code <job>-worker-<index>}, which is also the host name.
     */
    ET_V1ALPHA1;

    /** Returns the constant's name in lower case with hyphens, for example {@code tfjob-v1alpha1}. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
