package dev.edl.spec;

import java.util.Locale;

/** Training framework, which determines the environment of a job's replicas. */
public enum Framework {
    /**
     * EDL's own runtime with ElasticDL's roles: a master assigns tasks, workers train, parameter servers apply
     * gradients.
     */
    ELASTICDL,
    /** TensorFlow; the replicas of a distributed job get {@code TF_CONFIG}. */
    TENSORFLOW,
    /** MXNet; the replicas of a distributed job get {@code DMLC_*} variables. */
    MXNET,
    /** Horovod; the launcher gets the list of hosts or, with elastic workers, a discovery script. */
    HOROVOD,
    /** PyTorch; {@code torchrun} starts the processes of each replica. */
    PYTORCH;

    /** Returns the framework's id in text: {@code tensorflow}. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return id();
    }
}
