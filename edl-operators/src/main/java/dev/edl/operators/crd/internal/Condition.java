package dev.edl.operators.crd.internal;

import java.util.List;

/**
 * Condition in a resource's status whose own field {@code status} is {@code True}.
 *
 * @param type type of the condition, such as {@code Succeeded}
 * @param reason reason for programs, such as {@code TFJobSucceeded}; empty when absent
 * @param message message for people; empty when absent
 */
public record Condition(String type, String reason, String message) {
    /**
     * Returns the conditions of a status that are true, in the status's order, in which a new condition is always last.
     */
    public static List<Condition> holding(CustomObjectFieldReader status) {
        return status.items("conditions").stream()
                .filter(item -> item.text("status").orElse("").equals("True"))
                .map(item -> new Condition(
                        item.text("type").orElse(""),
                        item.text("reason").orElse(""),
                        item.text("message").orElse("")))
                .toList();
    }

    /** Returns the message or, without one, the reason. */
    public String describe() {
        return message.isEmpty() ? reason : message;
    }
}
