package dev.edl.exec.internal;

import dev.edl.reconcile.Action;
import dev.edl.reconcile.Decision;
import dev.edl.reconcile.ReplicaState;
import dev.edl.spec.RoleType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Applies actions, in parallel if they are independent. */
public final class ActionExecutor {
    /** Applies independent actions in parallel; null if the calling thread applies all actions. */
    private final @Nullable Executor executor;

    public ActionExecutor(@Nullable Executor executor) {
        this.executor = executor;
    }

    /**
     * Splits a decision's actions, in their order, into groups whose actions are independent. A group consists of
     * consecutive creations, of consecutive deletions of one role, or of one other action. Deletions of different roles
     * are not independent: workers are deleted before the servers that they call.
     */
    public static List<List<Action>> groups(Decision decision) {
        List<List<Action>> groups = new ArrayList<>();
        Map<String, ReplicaState> replicas = decision.next().replicas();
        for (Action action : decision.actions()) {
            if (groups.isEmpty() || !together(groups.get(groups.size() - 1).get(0), action, replicas)) {
                groups.add(new ArrayList<>());
            }
            groups.get(groups.size() - 1).add(action);
        }
        return groups;
    }

    private static boolean together(Action first, Action next, Map<String, ReplicaState> replicas) {
        if (first instanceof Action.DeleteReplica && next instanceof Action.DeleteReplica) {
            Optional<RoleType> role = role(first, replicas);
            return role.isPresent() && role.equals(role(next, replicas));
        }
        return first instanceof Action.CreateReplica && next instanceof Action.CreateReplica;
    }

    private static Optional<RoleType> role(Action deletion, Map<String, ReplicaState> replicas) {
        return Optional.ofNullable(replicas.get(deletion.subject())).map(ReplicaState::role);
    }

    /**
     * Applies a group of independent actions, in parallel if there is an executor, and waits until all have ended.
     *
     * @param substrate applies one action
     * @return for each action, in the group's order, the exception that it threw; empty if it succeeded
     */
    public List<Optional<RuntimeException>> apply(List<Action> group, Consumer<Action> substrate) {
        List<CompletableFuture<Optional<RuntimeException>>> begun = group.stream()
                .map(action -> executor == null || group.size() == 1
                        ? CompletableFuture.completedFuture(attempt(action, substrate))
                        : begin(executor, action, substrate))
                .toList();
        List<Optional<RuntimeException>> ends = new ArrayList<>();
        for (CompletableFuture<Optional<RuntimeException>> one : begun) {
            ends.add(end(one));
        }
        return ends;
    }

    private static CompletableFuture<Optional<RuntimeException>> begin(
            Executor executor, Action action, Consumer<Action> substrate) {
        try {
            return CompletableFuture.supplyAsync(() -> attempt(action, substrate), executor);
        } catch (RuntimeException refused) {
            return CompletableFuture.completedFuture(Optional.of(refused));
        }
    }

    private static Optional<RuntimeException> attempt(Action action, Consumer<Action> substrate) {
        try {
            substrate.accept(action);
            return Optional.empty();
        } catch (RuntimeException e) {
            return Optional.of(e);
        }
    }

    private static Optional<RuntimeException> end(CompletableFuture<Optional<RuntimeException>> one) {
        try {
            return one.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e;
        }
    }
}
