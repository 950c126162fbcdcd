package dev.edl.k8s.crd.internal;

import dev.edl.k8s.crd.ResourceStatus;
import dev.edl.reconcile.JobPhase;
import java.util.List;

/**
 * A status of 2017, {@code state} beside {@code phase}, which TfJob and MxJob have in common. The state counts before the phase:
 * an operator that was started again wrote the phase Failed over that of a job which was Done, and left its state.
 */
public final class StateAndPhase {
    private static final List<String> STATES = List.of("Running", "Succeeded", "Failed", "Unknown");
    private static final List<String> PHASES = List.of("Creating", "Running", "CleanUp", "Failed", "Done");

    private StateAndPhase() {}

    /**
     * Reads it.
     *
     * @throws dev.edl.k8s.crd.InvalidResourceException when a word is unknown, or the phase says that there was an end and the
     *     state does not say which
     */
    public static ResourceStatus read(Fields status) {
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

    private static String word(Fields status, String key, List<String> known) {
        String word = status.text(key).orElse("");
        if (!word.isEmpty() && !known.contains(word)) {
            status.unknownWord(key, word, known);
        }
        return word;
    }
}
