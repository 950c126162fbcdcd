package dev.edl.operators.crd.et;

import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.internal.Conditions;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The status of a ScaleIn or ScaleOut as et-operator writes it, and how far the request is by it.
 *
 * <pre>{@code
 * Map<String, Object> status = ScalerStatus.of(resource, scaler, now);
 * }</pre>
 *
 * <p>One field is more than the operator's: {@code undoing}, why what was begun is being taken back.
 *
 * <p>Pure functions; safe for use by several threads.
 */
public final class ScalerStatus {
    private static final String UNDOING = "undoing";

    private ScalerStatus() {}

    /** How far a request is by its status. */
    public static ScaleState read(CustomObject resource) {
        Map<?, ?> status = Conditions.status(resource);
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
            message = Conditions.message(resource, at.word());
        }
        return new ScaleState(at, time(text(status, "startTime")), names, message);
    }

    /**
     * When a resource was created.
     *
     * @return {@link Instant#EPOCH} for one that is in no cluster
     */
    public static Instant created(CustomObject resource) {
        return time(resource.fields().get("metadata") instanceof Map<?, ?> metadata
                        ? text(metadata, "creationTimestamp")
                        : "")
                .orElse(Instant.EPOCH);
    }

    /** The status of a request that was taken on, of which nothing was done yet; with what it waits for, if anything. */
    public static Map<String, Object> created(CustomObject resource, String message, Instant now) {
        Map<String, Object> status = common(resource);
        status.put("conditions", Conditions.with(resource, "Created", "ScalerCreated", message, now));
        return status;
    }

    /** Whether a request was found to be one of a job that is there. */
    public static boolean taken(CustomObject resource) {
        return Conditions.holds(Conditions.status(resource), "Created");
    }

    /** The status of a request that waits for its job to be there. */
    public static Map<String, Object> waits(CustomObject resource, String message, Instant now) {
        Map<String, Object> status = common(resource);
        status.put("conditions", Conditions.with(status, "Created", false, "JobNotFound", message, now));
        return status;
    }

    /** The status of a request that can never be done. */
    public static Map<String, Object> refused(CustomObject resource, String why, Instant now) {
        Map<String, Object> status = common(resource);
        end(status, resource, ScalePhase.FAILED, why, now);
        return status;
    }

    /** The status of a request that is being worked on, or has ended. */
    public static Map<String, Object> of(CustomObject resource, Scaler scaler, Instant now) {
        Map<String, Object> status = common(resource);
        ScaleState state = scaler.state();
        if (state.phase() == ScalePhase.WAITING) {
            return status;
        }
        status.put(scaler.isScaleIn() ? "toDeletePods" : "addPods", state.pods());
        state.since().ifPresent(since -> {
            status.put("startTime", Conditions.time(since));
            status.put(
                    "conditions",
                    Conditions.with(
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

    /** The status of a request for which the hosts were written. */
    public static Map<String, Object> executed(CustomObject resource, String hosts, Instant now) {
        Map<String, Object> status = common(resource);
        status.put(
                "conditions",
                Conditions.with(resource, "ScriptExecuted", "ScriptExecuted", "the hosts are " + hosts, now));
        return status;
    }

    private static void end(
            Map<String, Object> status, CustomObject resource, ScalePhase phase, String message, Instant now) {
        String way = resource.kind().equals(ScaleRequests.IN) ? "ScalingIn" : "ScalingOut";
        String reason = way + (phase == ScalePhase.SUCCEEDED ? "Succeeded" : "Failed");
        status.put("phase", phase.word());
        status.remove(UNDOING);
        status.put("completionTime", Conditions.time(now));
        status.put("conditions", Conditions.with(status, phase.word(), reason, message, now));
    }

    /** What every status of the operator has, as it is. */
    private static Map<String, Object> common(CustomObject resource) {
        Map<String, Object> status = new LinkedHashMap<>();
        Conditions.status(resource).forEach((key, value) -> {
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
            // Written by hand; as good as none.
            return Optional.empty();
        }
    }
}
