package dev.edl.operators.crd.et;

import dev.edl.RoleType;
import dev.edl.reconcile.Action;
import dev.edl.status.ObservedPhase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Workers come: they are created, and the hosts file gets them once all of them run. */
final class ScaleOutRule {
    private ScaleOutRule() {}

    static ScaleDecision decide(ScaleDecisionContext turn) {
        return switch (turn.state().phase()) {
            case WAITING -> begin(turn);
            case UNDOING -> undo(turn, turn.state());
            default -> goOn(turn);
        };
    }

    private static ScaleDecision begin(ScaleDecisionContext turn) {
        int count = turn.scaler.request().change();
        Optional<String> refusal = turn.refusal(turn.alive() + count);
        if (refusal.isPresent()) {
            return turn.refuse(".spec.toAdd.count " + refusal.get());
        }
        List<String> pods = IntStream.range(turn.free(), turn.free() + count)
                .mapToObj(index -> turn.job.replicaName(RoleType.WORKER, index))
                .toList();
        return turn.act(creations(turn, pods), ScaleState.scaling(turn.now, pods));
    }

    private static ScaleDecision goOn(ScaleDecisionContext turn) {
        ScaleState state = turn.state();
        if (state.pods().stream().allMatch(turn::isHost)) {
            return turn.end(ScalePhase.SUCCEEDED, "added " + String.join(", ", state.pods()));
        }
        List<ObservedWorker> there = turn.there(state);
        List<String> running = there.stream()
                .filter(worker -> worker.phase() == ObservedPhase.RUNNING)
                .map(ObservedWorker::name)
                .toList();
        Optional<ObservedWorker> ended =
                there.stream().filter(worker -> worker.phase().ended()).findFirst();
        if (ended.isPresent()) {
            String why = ended.get().name() + " has ended before it was a host";
            return undo(turn, state.to(ScalePhase.UNDOING, why));
        }
        if (turn.late()) {
            return undo(turn, state.to(ScalePhase.UNDOING, turn.timeoutMessage()));
        }
        if (running.size() == state.pods().size()) {
            return turn.write(turn.hosts(List.of(), running), state);
        }
        List<String> missing = new ArrayList<>(state.pods());
        there.forEach(worker -> missing.remove(worker.name()));
        return turn.act(creations(turn, missing), state);
    }

    /** New workers go, and the hosts are those of before. */
    private static ScaleDecision undo(ScaleDecisionContext turn, ScaleState state) {
        List<ObservedWorker> there = turn.there(state);
        boolean hosts = state.pods().stream().anyMatch(turn::isHost);
        if ((there.isEmpty() && !hosts) || turn.undoingIsLate()) {
            return turn.end(ScalePhase.FAILED, state.message());
        }
        ScaleDecision delete = turn.act(turn.deletions(there, state.message()), state);
        return hosts
                ? new ScaleDecision(
                        Optional.of(turn.hosts(state.pods(), List.of())), delete.actions(), state, delete.wakeAfter())
                : delete;
    }

    private static List<Action> creations(ScaleDecisionContext turn, List<String> pods) {
        return pods.stream()
                .map(name -> Integer.parseInt(name.substring(name.lastIndexOf('-') + 1)))
                .map(index -> (Action) new Action.CreateReplica(turn.job.replica(RoleType.WORKER, index, index)))
                .toList();
    }
}
