package dev.edl.operators.crd.internal;

import java.util.Optional;
import java.util.Set;

/**
 * What an operator wants of its pod templates.
 *
 * @param container the name of the container that trains
 * @param anyName whether, without a container of that name, the first one trains; the operator then sets variables in the first
 * @param portName the name of the container's port that the role listens on; empty: the resource says the port elsewhere
 * @param restarts whether the template's restart policy counts; else the operator overwrites it
 * @param variables those that the operator sets in the container, whatever the user says; see {@link OperatorEnv}
 */
public record PodTemplateConventions(
        String container, boolean anyName, Optional<String> portName, boolean restarts, Set<String> variables) {
    /** Copies. */
    public PodTemplateConventions {
        variables = Set.copyOf(variables);
    }

    /** Of an operator that sets no variable, and whose first container trains. */
    public static PodTemplateConventions first(String container) {
        return new PodTemplateConventions(container, true, Optional.empty(), false, Set.of());
    }

    /** The same, with the variables that the operator sets. */
    public PodTemplateConventions setting(Set<String> variables) {
        return new PodTemplateConventions(container, anyName, portName, restarts, variables);
    }
}
