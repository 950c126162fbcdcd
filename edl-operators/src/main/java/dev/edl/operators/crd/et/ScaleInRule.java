package dev.edl.operators.crd.et;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Workers go: first out of the hosts file and then, each once its process has ended, altogether. */
final class ScaleInRule {
    private ScaleInRule() {}

    static ScaleDecision decide(ScaleDecisionContext turn) {
        return switch (turn.state().phase()) {
            case WAITING -> begin(turn);
            case UNDOING -> undo(turn, turn.state());
            default -> goOn(turn, turn.state());
        };
    }

    private static ScaleDecision begin(ScaleDecisionContext turn) {
        List<String> pods = ScaleInSelection.of(turn);
        Optional<String> mistake = ScaleInSelection.mistake(turn, pods);
        return mistake.isPresent() ? turn.refuse(mistake.get()) : goOn(turn, ScaleState.scaling(turn.now, pods));
    }

    private static ScaleDecision goOn(ScaleDecisionContext turn, ScaleState state) {
        List<ObservedWorker> there = turn.there(state);
        boolean hosts = state.pods().stream().anyMatch(turn::isHost);
        if (!hosts && there.isEmpty()) {
            return turn.end(ScalePhase.SUCCEEDED, "removed " + String.join(", ", state.pods()));
        }
        if (turn.late()) {
            return undo(turn, state.to(ScalePhase.UNDOING, turn.timeoutMessage()));
        }
        if (hosts) {
            return turn.write(turn.hosts(state.pods(), List.of()), state);
        }
        List<ObservedWorker> free = there.stream()
                .filter(worker -> !worker.attached() || worker.phase().ended())
                .toList();
        return turn.act(turn.deletions(free, "scaled in by " + turn.scaler.id()), state);
    }

    /** Makes hosts again of workers that still exist and have not ended, so that no running worker is unused. */
    private static ScaleDecision undo(ScaleDecisionContext turn, ScaleState state) {
        List<String> alive = turn.there(state).stream()
                .filter(worker -> !worker.phase().ended())
                .map(ObservedWorker::name)
                .toList();
        List<String> gone = new ArrayList<>(state.pods());
        gone.removeAll(alive);
        boolean undone = alive.stream().allMatch(turn::isHost) && gone.stream().noneMatch(turn::isHost);
        return undone || turn.undoingIsLate()
                ? turn.end(ScalePhase.FAILED, state.message())
                : turn.write(turn.hosts(gone, alive), state);
    }
}
