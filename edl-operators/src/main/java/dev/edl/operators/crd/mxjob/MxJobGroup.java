package dev.edl.operators.crd.mxjob;

import java.util.Arrays;
import java.util.Optional;

/**
 * API group of an MxJob, which determines the release of its operator. The group was renamed so that a cluster could
 * have both MxJobs and TfJobs.
 */
public enum MxJobGroup {
    /** Group until 2017-10-13: {@code mlkube.io/v1beta1}. */
    MLKUBE("mlkube.io/v1beta1"),
    /** Group since 2017-10-13: {@code mxnet.mlkube.io/v1beta1}. The default. */
    MXNET_MLKUBE("mxnet.mlkube.io/v1beta1");

    private final String apiVersion;

    MxJobGroup(String apiVersion) {
        this.apiVersion = apiVersion;
    }

    /** Returns group and version. */
    public String apiVersion() {
        return apiVersion;
    }

    static Optional<MxJobGroup> of(String apiVersion) {
        return Arrays.stream(values())
                .filter(group -> group.apiVersion.equals(apiVersion))
                .findFirst();
    }
}
