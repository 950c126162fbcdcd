package dev.edl.operators.crd.internal;

import java.util.Optional;
import java.util.Set;

/**
 * Requirements of an operator on the pod templates in its resources.
 *
 * @param container required name of the container that trains
 * @param anyName whether the first container trains if no container has the required name; the operator then sets its
 *     variables in the first container
 * @param portName name of the container port that the role listens on; empty if another field of the resource has the
 *     port
 * @param restarts whether the template's restart policy applies; otherwise the operator overwrites it
 * @param variables names of the environment variables that the operator sets in the container, overwriting those of the
 *     user; see {@link OperatorEnv}
 */
public record PodTemplateConventions(
        String container, boolean anyName, Optional<String> portName, boolean restarts, Set<String> variables) {
    /** Copies the set of variables. */
    public PodTemplateConventions {
        variables = Set.copyOf(variables);
    }

    /**
     * Returns the requirements of an operator that sets no variables, and for which the first container trains if none
     * has the name.
     */
    public static PodTemplateConventions first(String container) {
        return new PodTemplateConventions(container, true, Optional.empty(), false, Set.of());
    }

    /** Returns a copy with the variables that the operator sets. */
    public PodTemplateConventions setting(Set<String> variables) {
        return new PodTemplateConventions(container, anyName, portName, restarts, variables);
    }
}
