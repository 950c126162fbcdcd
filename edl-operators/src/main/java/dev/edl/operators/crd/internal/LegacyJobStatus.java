package dev.edl.operators.crd.internal;

import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.ResourceStatus;
import dev.edl.plan.JobPlan;
import dev.edl.reconcile.JobState;
import dev.edl.status.JobPhase;
import java.util.List;
import java.util.Map;

/**
 * A status of 2017, {@code state} beside {@code phase}, which TfJob and MxJob have in common. The state counts before the phase:
 * an operator that was started again wrote the phase Failed over that of a job which was Done, and left its state.
 */
public final class LegacyJobStatus {
    private static final List<String> STATES = List.of("Running", "Succeeded", "Failed", "Unknown");
    private static final List<String> PHASES = List.of("Creating", "Running", "CleanUp", "Failed", "Done");

    private LegacyJobStatus() {}

    /**
     * Reads it.
     *
     * @throws dev.edl.operators.crd.InvalidResourceException when a word is unknown, or the phase says that there was an end and the
     *     state does not say which
     */
    public static ResourceStatus read(ResourceMapReader status) {
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

    private static String word(ResourceMapReader status, String key, List<String> known) {
        String word = status.text(key).orElse("");
        if (!word.isEmpty() && !known.contains(word)) {
            status.unknownWord(key, word, known);
        }
        return word;
    }

    /**
     * How a job stands, as the two operators wrote it: the keys {@code phase}, {@code reason}, {@code state},
     * {@code controlPaused} and {@code replicaStatuses}. Beside what they wrote, a replica that does not run yet is
     * {@code Starting}, a word that they had and did not use, and the reason says why a job failed.
     *
     * @param type the key of a replica's type
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

    /** Of a resource that is no job. */
    public static Map<String, Object> refused(String reason) {
        return written("Failed", reason, "Failed", List.of());
    }

    /** Of a resource for which nothing was made yet. */
    public static Map<String, Object> accepted(String reason) {
        return written("Creating", reason, "", List.of());
    }

    /** Whether the status of a resource says that nothing is to be done for it any more. */
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
