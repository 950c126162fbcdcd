package dev.edl.operators.crd.et;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Rule of scaling in: workers leave the hosts file, and each is deleted once its process has ended. */
final class ScaleInRule {
    private ScaleInRule() {}

    static ScaleDecision decide(ScaleDecisionContext context) {
        return switch (context.state().phase()) {
            case WAITING -> begin(context);
            case UNDOING -> undo(context, context.state());
            default -> goOn(context, context.state());
        };
    }

    private static ScaleDecision begin(ScaleDecisionContext context) {
        List<String> pods = ScaleInWorkerSelection.of(context);
        Optional<String> mistake = ScaleInWorkerSelection.mistake(context, pods);
        return mistake.isPresent()
                ? context.refuse(mistake.get())
                : goOn(context, ScaleState.scaling(context.now, pods));
    }

    private static ScaleDecision goOn(ScaleDecisionContext context, ScaleState state) {
        List<ObservedWorker> there = context.there(state);
        boolean hosts = state.pods().stream().anyMatch(context::isHost);
        if (!hosts && there.isEmpty()) {
            return context.end(ScalePhase.SUCCEEDED, "removed " + String.join(", ", state.pods()));
        }
        if (context.late()) {
            return undo(context, state.to(ScalePhase.UNDOING, context.timeoutMessage()));
        }
        if (hosts) {
            return context.write(context.hosts(state.pods(), List.of()), state);
        }
        List<ObservedWorker> free = there.stream()
                .filter(worker -> !worker.attached() || worker.phase().ended())
                .toList();
        return context.act(context.deletions(free, "scaled in by " + context.scaler.id()), state);
    }

    /**
     * Rolls the request back: workers that were to leave become hosts again if they exist and have not ended, so that
     * no running worker is unused.
     */
    private static ScaleDecision undo(ScaleDecisionContext context, ScaleState state) {
        List<String> alive = context.there(state).stream()
                .filter(worker -> !worker.phase().ended())
                .map(ObservedWorker::name)
                .toList();
        List<String> gone = new ArrayList<>(state.pods());
        gone.removeAll(alive);
        boolean undone =
                alive.stream().allMatch(context::isHost) && gone.stream().noneMatch(context::isHost);
        return undone || context.undoingIsLate()
                ? context.end(ScalePhase.FAILED, state.message())
                : context.write(context.hosts(gone, alive), state);
    }
}
