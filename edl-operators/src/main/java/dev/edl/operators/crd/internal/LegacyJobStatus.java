package dev.edl.operators.crd.internal;

import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.ResourceStatus;
import dev.edl.plan.JobPlan;
import dev.edl.reconcile.JobState;
import dev.edl.status.JobPhase;
import java.util.List;
import java.util.Map;

/**
 * Status of the operators of 2017, with {@code state} and {@code phase}, which TfJob and MxJob have in common. When
 * reading, the state takes precedence over the phase, because a restarted operator changed the phase of a Done job to
 * Failed, without changing its state.
 */
public final class LegacyJobStatus {
    private static final List<String> STATES = List.of("Running", "Succeeded", "Failed", "Unknown");
    private static final List<String> PHASES = List.of("Creating", "Running", "CleanUp", "Failed", "Done");

    private LegacyJobStatus() {}

    /**
     * Reads the status.
     *
     * @throws dev.edl.operators.crd.InvalidResourceException when a value is unknown, or the phase is that of an ended
     *     job and the state does not show how it ended
     */
    public static ResourceStatus read(CustomObjectFieldReader status) {
        String state = word(status, "state", STATES);
        String phase = word(status, "phase", PHASES);
        String reason = status.text("reason").orElse("");
        boolean untold = !state.equals("Succeeded") && !state.equals("Failed");
        if (untold && (phase.equals("Done") || phase.equals("CleanUp"))) {
            status.wrong("state", "must be Succeeded or Failed in phase " + phase + ", was \"" + state + "\"");
        }
        status.report().refuseMistakes();
        if (state.equals("Succeeded")) {
            return new ResourceStatus(JobPhase.SUCCEEDED, "");
        }
        if (state.equals("Failed") || phase.equals("Failed")) {
            return new ResourceStatus(JobPhase.FAILED, reason);
        }
        return new ResourceStatus(phase.equals("Running") ? JobPhase.RUNNING : JobPhase.PENDING, reason);
    }

    private static String word(CustomObjectFieldReader status, String key, List<String> known) {
        String word = status.text(key).orElse("");
        if (!word.isEmpty() && !known.contains(word)) {
            status.unknownWord(key, word, known);
        }
        return word;
    }

    /**
     * Returns the status of a job as the two operators wrote it: the keys {@code phase}, {@code reason}, {@code state},
     * {@code controlPaused} and {@code replicaStatuses}. In addition, a replica that does not run yet is
     * {@code Starting}, a value that they defined and did not use, and the reason is set for a failed job.
     *
     * @param type key under which a role's status has the replica type
     */
    public static Map<String, Object> of(JobPlan plan, JobState state, String type) {
        List<Map<String, Object>> roles = plan.roles().stream()
                .map(role -> LegacyReplicaStates.of(role, state).written(type))
                .toList();
        return switch (state.phase()) {
            case PENDING, SUSPENDED -> written("Creating", state.message(), "Running", roles);
            case SUCCEEDED -> written("Done", "", "Succeeded", roles);
            case FAILED, CANCELLED -> written("Done", state.message(), "Failed", roles);
            case RUNNING -> written("Running", "", "Running", roles);
        };
    }

    /** Returns the status of a resource that cannot be a job. */
    public static Map<String, Object> refused(String reason) {
        return written("Failed", reason, "Failed", List.of());
    }

    /** Returns the status of a resource before its job is created. */
    public static Map<String, Object> accepted(String reason) {
        return written("Creating", reason, "", List.of());
    }

    /** Returns whether the status shows that the operator is done with the resource. */
    public static boolean ended(CustomObject resource) {
        return resource.fields().get("status") instanceof Map<?, ?> status
                && (List.of("Done", "Failed", "CleanUp").contains(status.get("phase"))
                        || List.of("Succeeded", "Failed").contains(status.get("state")));
    }

    private static Map<String, Object> written(
            String phase, String reason, String state, List<Map<String, Object>> replicas) {
        return OrderedMaps.of(
                "phase", phase, "reason", reason, "controlPaused", false, "state", state, "replicaStatuses", replicas);
    }
}
