package dev.edl;

import java.util.Locale;

/** Whose environment the replicas of a job expect. */
public enum Framework {
    /** EDL's own runtime, by ElasticDL's scheme: a master hands out tasks, workers train, parameter servers apply. */
    ELASTICDL,
    /** TensorFlow: {@code TF_CONFIG}. */
    TENSORFLOW,
    /** MXNet: {@code DMLC_*}. */
    MXNET,
    /** Horovod: host file and discovery script. */
    HOROVOD,
    /** PyTorch: {@code torchrun}. */
    PYTORCH;

    /** The framework's word in text: {@code tensorflow}. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return id();
    }
}
