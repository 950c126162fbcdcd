package dev.edl.operators.crd.internal;

import java.util.Optional;
import java.util.Set;

/**
 * Requirements of an operator on its pod templates.
 *
 * @param container the name of the container that trains
 * @param anyName whether the first container trains if none has that name; the operator then sets variables in the
 *     first
 * @param portName the name of the container's port that the role listens on; empty: another field of the resource has
 *     the port
 * @param restarts whether the template's restart policy applies; otherwise the operator overwrites it
 * @param variables that the operator sets in the container, overriding the user's; see {@link OperatorEnv}
 */
public record PodTemplateConventions(
        String container, boolean anyName, Optional<String> portName, boolean restarts, Set<String> variables) {
    /** Copies the variables. */
    public PodTemplateConventions {
        variables = Set.copyOf(variables);
    }

    /** Returns those of an operator that sets no variable, and whose first container trains. */
    public static PodTemplateConventions first(String container) {
        return new PodTemplateConventions(container, true, Optional.empty(), false, Set.of());
    }

    /** Returns a copy with the variables that the operator sets. */
    public PodTemplateConventions setting(Set<String> variables) {
        return new PodTemplateConventions(container, anyName, portName, restarts, variables);
    }
}
