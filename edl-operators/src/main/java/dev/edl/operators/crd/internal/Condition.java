package dev.edl.operators.crd.internal;

import java.util.List;

/**
 * A condition whose {@code status} is {@code True}.
 *
 * @param type such as {@code Succeeded}
 * @param reason such as {@code TFJobSucceeded}; empty when absent
 * @param message for people; empty when absent
 */
public record Condition(String type, String reason, String message) {
    /** Returns the true conditions of a status in their order: a new one is always last. */
    public static List<Condition> holding(ResourceMapReader status) {
        return status.items("conditions").stream()
                .filter(item -> item.text("status").orElse("").equals("True"))
                .map(item -> new Condition(
                        item.text("type").orElse(""),
                        item.text("reason").orElse(""),
                        item.text("message").orElse("")))
                .toList();
    }

    /** Returns the message or, without one, the reason. */
    public String words() {
        return message.isEmpty() ? reason : message;
    }
}
