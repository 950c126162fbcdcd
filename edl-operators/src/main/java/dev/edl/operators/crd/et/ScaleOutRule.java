package dev.edl.operators.crd.et;

import dev.edl.reconcile.Action;
import dev.edl.spec.RoleType;
import dev.edl.status.ObservedPhase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Rule of scaling out: workers are created, and enter the hosts file once all of them run. */
final class ScaleOutRule {
    private ScaleOutRule() {}

    static ScaleDecision decide(ScaleDecisionContext context) {
        return switch (context.state().phase()) {
            case WAITING -> begin(context);
            case UNDOING -> undo(context, context.state());
            default -> goOn(context);
        };
    }

    private static ScaleDecision begin(ScaleDecisionContext context) {
        int count = context.scaler.request().change();
        Optional<String> refusal = context.refusal(context.alive() + count);
        if (refusal.isPresent()) {
            return context.refuse(".spec.toAdd.count " + refusal.get());
        }
        List<String> pods = IntStream.range(context.free(), context.free() + count)
                .mapToObj(index -> context.job.replicaName(RoleType.WORKER, index))
                .toList();
        return context.act(creations(context, pods), ScaleState.scaling(context.now, pods));
    }

    private static ScaleDecision goOn(ScaleDecisionContext context) {
        ScaleState state = context.state();
        if (state.pods().stream().allMatch(context::isHost)) {
            return context.end(ScalePhase.SUCCEEDED, "added " + String.join(", ", state.pods()));
        }
        List<ObservedWorker> there = context.there(state);
        List<String> running = there.stream()
                .filter(worker -> worker.phase() == ObservedPhase.RUNNING)
                .map(ObservedWorker::name)
                .toList();
        Optional<ObservedWorker> ended =
                there.stream().filter(worker -> worker.phase().ended()).findFirst();
        if (ended.isPresent()) {
            String why = ended.get().name() + " has ended before it was a host";
            return undo(context, state.to(ScalePhase.UNDOING, why));
        }
        if (context.late()) {
            return undo(context, state.to(ScalePhase.UNDOING, context.timeoutMessage()));
        }
        if (running.size() == state.pods().size()) {
            return context.write(context.hosts(List.of(), running), state);
        }
        List<String> missing = new ArrayList<>(state.pods());
        there.forEach(worker -> missing.remove(worker.name()));
        return context.act(creations(context, missing), state);
    }

    /** Rolls the request back: deletes the new workers, and removes them from the hosts. */
    private static ScaleDecision undo(ScaleDecisionContext context, ScaleState state) {
        List<ObservedWorker> there = context.there(state);
        boolean hosts = state.pods().stream().anyMatch(context::isHost);
        if ((there.isEmpty() && !hosts) || context.undoingIsLate()) {
            return context.end(ScalePhase.FAILED, state.message());
        }
        ScaleDecision delete = context.act(context.deletions(there, state.message()), state);
        return hosts
                ? new ScaleDecision(
                        Optional.of(context.hosts(state.pods(), List.of())),
                        delete.actions(),
                        state,
                        delete.wakeAfter())
                : delete;
    }

    private static List<Action> creations(ScaleDecisionContext context, List<String> pods) {
        return pods.stream()
                .map(name -> Integer.parseInt(name.substring(name.lastIndexOf('-') + 1)))
                .map(index -> (Action) new Action.CreateReplica(context.job.replica(RoleType.WORKER, index, index)))
                .toList();
    }
}
