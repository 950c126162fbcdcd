package dev.edl.k8s.render;

import dev.edl.k8s.render.internal.RestrictedRules;
import dev.edl.plan.Profile;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.List;

/** Conformance of pods to Kubernetes' Pod Security Standard {@code restricted}. */
public enum PodSecurity {
    /**
     * Every container has the settings that {@code restricted} requires. Explicit settings of the job or the options
     * beyond it, such as a host path or the host network, stay. The default, except for the profiles of TfJob v1alpha1,
     * MXJob and the et-operator.
     */
    HARDENED,
    /** Like {@link #HARDENED}, but a pod that needs more than {@code restricted} allows is refused. */
    RESTRICTED,
    /**
     * No settings are added. The default of the profiles of TfJob v1alpha1, MXJob and the et-operator, whose pods equal
     * those of the operators and whose images run as root.
     */
    AS_GIVEN;

    /** Returns the default of a profile. */
    static PodSecurity of(Profile profile) {
        return switch (profile) {
            case ELASTICDL, KUBEFLOW_V1 -> HARDENED;
            case TFJOB_V1ALPHA1, MXJOB_V1BETA1, ET_V1ALPHA1 -> AS_GIVEN;
        };
    }

    /**
     * Returns the settings of a pod that violate {@code restricted}.
     *
     * @return one line each, such as {@code spec.hostNetwork must not be true, was true}; empty when it meets the
     *     standard
     */
    public static List<String> violations(PodTemplateSpec pod) {
        return new RestrictedRules(pod).violations();
    }
}
