package dev.edl.operators.crd.et;

import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.internal.ConditionWriter;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes the status of a ScaleIn or ScaleOut as et-operator does, and reads a request's progress from it.
 *
 * <pre>{@code
 * Map<String, Object> status = ScalerStatus.of(resource, scaler, now);
 * }</pre>
 *
 * <p>EDL adds one field to those of et-operator: {@code undoing}, the reason of a rollback.
 *
 * <p>Pure functions; thread-safe.
 */
public final class ScalerStatus {
    private static final String UNDOING = "undoing";

    private ScalerStatus() {}

    /** Returns the progress of a request from its status. */
    public static ScaleState read(CustomObject resource) {
        Map<?, ?> status = ConditionWriter.status(resource);
        String phase = text(status, "phase");
        String pods = resource.kind().equals(ScaleRequests.IN) ? "toDeletePods" : "addPods";
        List<String> names = status.get(pods) instanceof List<?> list
                ? list.stream().map(String::valueOf).toList()
                : List.of();
        String undoing = text(status, UNDOING);
        ScalePhase at = phase.equals(ScalePhase.SUCCEEDED.word())
                ? ScalePhase.SUCCEEDED
                : phase.equals(ScalePhase.FAILED.word())
                        ? ScalePhase.FAILED
                        : !undoing.isEmpty()
                                ? ScalePhase.UNDOING
                                : phase.equals(ScalePhase.SCALING.word()) ? ScalePhase.SCALING : ScalePhase.WAITING;
        String message = undoing;
        if (at.ended()) {
            message = ConditionWriter.message(resource, at.word());
        }
        return new ScaleState(at, time(text(status, "startTime")), names, message);
    }

    /**
     * Returns the creation time of a resource.
     *
     * @return {@link Instant#EPOCH} for a resource that is not in a cluster
     */
    public static Instant created(CustomObject resource) {
        return time(resource.fields().get("metadata") instanceof Map<?, ?> metadata
                        ? text(metadata, "creationTimestamp")
                        : "")
                .orElse(Instant.EPOCH);
    }

    /**
     * Returns the status of an accepted request that has not started; the message gives the reason for waiting, if any.
     */
    public static Map<String, Object> created(CustomObject resource, String message, Instant now) {
        Map<String, Object> status = common(resource);
        status.put("conditions", ConditionWriter.with(resource, "Created", "ScalerCreated", message, now));
        return status;
    }

    /** Returns whether the status shows that the request was matched to an existing job. */
    public static boolean taken(CustomObject resource) {
        return ConditionWriter.holds(ConditionWriter.status(resource), "Created");
    }

    /** Returns the status of a request whose job does not exist yet. */
    public static Map<String, Object> waits(CustomObject resource, String message, Instant now) {
        Map<String, Object> status = common(resource);
        status.put("conditions", ConditionWriter.with(status, "Created", false, "JobNotFound", message, now));
        return status;
    }

    /** Returns the status of a request that can never be carried out. */
    public static Map<String, Object> refused(CustomObject resource, String why, Instant now) {
        Map<String, Object> status = common(resource);
        end(status, resource, ScalePhase.FAILED, why, now);
        return status;
    }

    /** Returns the status of a request in progress, or of an ended one. */
    public static Map<String, Object> of(CustomObject resource, Scaler scaler, Instant now) {
        Map<String, Object> status = common(resource);
        ScaleState state = scaler.state();
        if (state.phase() == ScalePhase.WAITING) {
            return status;
        }
        status.put(scaler.isScaleIn() ? "toDeletePods" : "addPods", state.pods());
        state.since().ifPresent(since -> {
            status.put("startTime", ConditionWriter.time(since));
            status.put(
                    "conditions",
                    ConditionWriter.with(
                            status,
                            ScalePhase.SCALING.word(),
                            "ScalingStart",
                            scaler.request().toString(),
                            since));
        });
        status.put("phase", state.phase().word());
        if (state.phase() == ScalePhase.UNDOING) {
            status.put(UNDOING, state.message());
        }
        if (state.phase().ended()) {
            end(status, resource, state.phase(), state.message(), now);
        }
        return status;
    }

    /** Returns the status of a request after the launcher's hosts were written for it. */
    public static Map<String, Object> executed(CustomObject resource, String hosts, Instant now) {
        Map<String, Object> status = common(resource);
        status.put(
                "conditions",
                ConditionWriter.with(resource, "ScriptExecuted", "ScriptExecuted", "the hosts are " + hosts, now));
        return status;
    }

    private static void end(
            Map<String, Object> status, CustomObject resource, ScalePhase phase, String message, Instant now) {
        String way = resource.kind().equals(ScaleRequests.IN) ? "ScalingIn" : "ScalingOut";
        String reason = way + (phase == ScalePhase.SUCCEEDED ? "Succeeded" : "Failed");
        status.put("phase", phase.word());
        status.remove(UNDOING);
        status.put("completionTime", ConditionWriter.time(now));
        status.put("conditions", ConditionWriter.with(status, phase.word(), reason, message, now));
    }

    /** Returns the fields that every status has, with their values from the resource's current status. */
    private static Map<String, Object> common(CustomObject resource) {
        Map<String, Object> status = new LinkedHashMap<>();
        ConditionWriter.status(resource).forEach((key, value) -> {
            if (value != null) {
                status.put((String) key, value);
            }
        });
        status.putIfAbsent("conditions", List.of());
        status.putIfAbsent("replicaStatuses", Map.of());
        status.putIfAbsent("restartCount", 0L);
        return status;
    }

    private static String text(Map<?, ?> map, String key) {
        return map.get(key) instanceof String text ? text : "";
    }

    private static Optional<Instant> time(String text) {
        try {
            return text.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(text));
        } catch (DateTimeParseException e) {
            // Edited by hand; treated as absent.
            return Optional.empty();
        }
    }
}
