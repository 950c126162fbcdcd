package dev.edl.k8s.render;

import dev.edl.k8s.render.internal.RestrictedRules;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.List;

/** How pods stand to Kubernetes' Pod Security Standard {@code restricted}. */
public enum PodSecurity {
    /**
     * What {@code restricted} wants is said in every container. What the job or the options ask for beyond it, such as a
     * host path or the host's network, they get. The default, but for the profiles of TfJob v1alpha1, MXJob and the
     * et-operator.
     */
    HARDENED,
    /** As {@link #HARDENED}; a pod that asks for more than {@code restricted} allows is refused. */
    RESTRICTED,
    /**
     * Nothing is said. The default of the profiles of TfJob v1alpha1, MXJob and the et-operator, whose pods are as those
     * operators make them, and whose images run as root.
     */
    AS_GIVEN;

    /**
     * What a pod asks for beyond {@code restricted}.
     *
     * @return one line each, such as {@code spec.hostNetwork must not be true, was true}; empty when it meets the standard
     */
    public static List<String> violations(PodTemplateSpec pod) {
        return new RestrictedRules(pod).violations();
    }
}
