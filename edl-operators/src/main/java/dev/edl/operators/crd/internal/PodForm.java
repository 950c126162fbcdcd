package dev.edl.operators.crd.internal;

import java.util.Optional;
import java.util.function.Predicate;

/**
 * What an operator wants of its pod templates.
 *
 * @param container the name of the container that trains
 * @param anyName whether, without a container of that name, the first one trains
 * @param portName the name of the container's port that the role listens on; empty: the resource says the port elsewhere
 * @param restarts whether the template's restart policy counts; else the operator overwrites it
 * @param overwritten which environment variables the operator sets, whatever the user says
 */
public record PodForm(
        String container, boolean anyName, Optional<String> portName, boolean restarts, Predicate<String> overwritten) {
    /** Of an operator that sets no variable, and whose first container trains. */
    public static PodForm first(String container) {
        return new PodForm(container, true, Optional.empty(), false, name -> false);
    }
}
