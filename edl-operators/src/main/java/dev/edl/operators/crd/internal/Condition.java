package dev.edl.operators.crd.internal;

import java.util.List;

/**
 * A condition that holds: its {@code status} is {@code True}.
 *
 * @param type such as {@code Succeeded}
 * @param reason such as {@code TFJobSucceeded}; empty when not given
 * @param message in words; empty when not given
 */
public record Condition(String type, String reason, String message) {
    /** The conditions of a status that hold, in their order: a new one is always last. */
    public static List<Condition> holding(ResourceMapReader status) {
        return status.items("conditions").stream()
                .filter(item -> item.text("status").orElse("").equals("True"))
                .map(item -> new Condition(
                        item.text("type").orElse(""),
                        item.text("reason").orElse(""),
                        item.text("message").orElse("")))
                .toList();
    }

    /** The message or, without one, the reason. */
    public String words() {
        return message.isEmpty() ? reason : message;
    }
}
