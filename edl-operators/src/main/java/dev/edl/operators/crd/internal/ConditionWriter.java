package dev.edl.operators.crd.internal;

import dev.edl.operators.crd.CustomObject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writer of conditions in a status, by the rules of Kubeflow's operators and et-operator. Writing an equal condition
 * changes nothing, a changed condition moves to the end, and no condition is added after Failed. Pure.
 */
public final class ConditionWriter {
    private static final String FAILED = "Failed";

    private ConditionWriter() {}

    /** Returns the status of a resource; an empty map when it has none. */
    public static Map<?, ?> status(CustomObject resource) {
        return resource.fields().get("status") instanceof Map<?, ?> status ? status : Map.of();
    }

    /** Returns a time in the format that Kubernetes writes, truncated to seconds. */
    public static String time(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** Returns the conditions of a resource's status after setting one to true. */
    public static List<Map<String, Object>> with(
            CustomObject resource, String type, String reason, String message, Instant now) {
        return with(status(resource), type, reason, message, now);
    }

    /** Returns the conditions of a status after setting one to true. */
    public static List<Map<String, Object>> with(
            Map<?, ?> status, String type, String reason, String message, Instant now) {
        return with(status, type, true, reason, message, now);
    }

    /**
     * Returns the conditions of a status after setting one to true or false.
     *
     * @param holds whether the condition is true
     */
    public static List<Map<String, Object>> with(
            Map<?, ?> status, String type, boolean holds, String reason, String message, Instant now) {
        List<Map<String, Object>> conditions = of(status);
        if (holds(status, FAILED)) {
            return conditions;
        }
        Map<String, Object> condition = new LinkedHashMap<>();
        condition.put("type", type);
        condition.put("status", holds ? "True" : "False");
        condition.put("reason", reason);
        condition.put("message", message);
        for (Map<String, Object> before : conditions) {
            Map<String, Object> same = new LinkedHashMap<>(before);
            same.keySet().retainAll(condition.keySet());
            if (same.equals(condition)) {
                return conditions;
            }
        }
        conditions.removeIf(before -> type.equals(before.get("type")));
        condition.put("lastUpdateTime", time(now));
        condition.put("lastTransitionTime", time(now));
        conditions.add(condition);
        return conditions;
    }

    /** Returns whether the status has a condition of this type that is true. */
    public static boolean holds(Map<?, ?> status, String type) {
        return of(status).stream().anyMatch(c -> type.equals(c.get("type")) && "True".equals(c.get("status")));
    }

    /**
     * Returns the message of the condition of this type in a resource's status; empty when there is no such condition.
     */
    public static String message(CustomObject resource, String type) {
        return of(status(resource)).stream()
                .filter(condition -> type.equals(condition.get("type")))
                .map(condition -> String.valueOf(condition.get("message")))
                .reduce("", (before, last) -> last);
    }

    private static List<Map<String, Object>> of(Map<?, ?> status) {
        List<Map<String, Object>> conditions = new ArrayList<>();
        if (status.get("conditions") instanceof List<?> list) {
            for (Object entry : list) {
                if (entry instanceof Map<?, ?> fields) {
                    Map<String, Object> condition = new LinkedHashMap<>();
                    fields.forEach((key, value) -> condition.put((String) key, value));
                    conditions.add(condition);
                }
            }
        }
        return conditions;
    }
}
