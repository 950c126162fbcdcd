package dev.edl.operators.crd.et;

import java.util.List;
import java.util.Optional;

/**
 * Selection of the workers that a ScaleIn removes: the named workers or, for a number, the workers with the highest
 * indexes.
 */
final class ScaleInWorkerSelection {
    private ScaleInWorkerSelection() {}

    /** Returns the names of the workers to remove; empty when the job has no more workers than the request's number. */
    static List<String> of(ScaleDecisionContext context) {
        ScaleRequest request = context.scaler.request();
        if (!request.pods().isEmpty()) {
            return request.pods().stream().distinct().toList();
        }
        List<String> names = names(context);
        int first = names.size() + request.change();
        return first < 1 ? List.of() : names.subList(first, names.size());
    }

    private static List<String> names(ScaleDecisionContext context) {
        return context.workers().stream().map(ObservedWorker::name).toList();
    }

    /**
     * Returns the reason why the selected workers cannot be removed; empty when they can. The first message is
     * et-operator's. In the other cases et-operator deletes pods by mistake.
     */
    static Optional<String> mistake(ScaleDecisionContext context, List<String> pods) {
        List<String> names = names(context);
        boolean named = !context.scaler.request().pods().isEmpty();
        if (!named && pods.isEmpty()) {
            return Optional.of(".spec.toDelete.count should be less than current replicas " + names.size());
        }
        List<String> unknown =
                pods.stream().filter(name -> !names.contains(name)).toList();
        if (!unknown.isEmpty()) {
            return Optional.of(".spec.toDelete.podNames must name workers of the job, " + String.join(", ", unknown)
                    + (unknown.size() > 1 ? " are none" : " is none") + "; they are " + String.join(", ", names));
        }
        if (context.hosts(pods, List.of()).hosts().isEmpty()) {
            return Optional.of(
                    ".spec.toDelete must leave a worker that runs, of " + String.join(", ", names) + " it leaves none");
        }
        long left = context.workers().stream()
                .filter(worker ->
                        !pods.contains(worker.name()) && !worker.phase().ended())
                .count();
        return context.refusal(left).map(why -> ".spec.toDelete " + why);
    }
}
