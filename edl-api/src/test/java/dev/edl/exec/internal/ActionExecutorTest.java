package dev.edl.exec.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.plan.SeedJob;
import dev.edl.reconcile.Action;
import dev.edl.reconcile.Decision;
import dev.edl.reconcile.JobObservation;
import dev.edl.reconcile.JobState;
import dev.edl.reconcile.Reconciler;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ActionExecutorTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private static Decision first() {
        return Reconciler.standard()
                .reconcile(SeedJob.plan(), JobState.initial(SeedJob.plan()), JobObservation.nothing(), NOW);
    }

    private static Action.DeleteReplica deletion(String replica) {
        return new Action.DeleteReplica("elasticdl-test-mnist-" + replica, "test", true);
    }

    private static List<List<String>> texts(List<List<Action>> groups) {
        return groups.stream()
                .map(group -> group.stream()
                        .map(Action::toString)
                        .map(text -> text.replace("elasticdl-test-mnist-", ""))
                        .toList())
                .toList();
    }

    @Test
    void creations_in_a_row_go_together() {
        assertThat(texts(ActionExecutor.groups(first())))
                .containsExactly(List.of(
                        "create master",
                        "create ps-0",
                        "create ps-1",
                        "create worker-0",
                        "create worker-1",
                        "create worker-2",
                        "create worker-3"));
    }

    @Test
    void deletions_are_grouped_by_role_in_order() {
        Decision decision = new Decision(
                List.of(
                        deletion("worker-0"),
                        deletion("worker-1"),
                        deletion("ps-0"),
                        deletion("master"),
                        deletion("stranger"),
                        deletion("other"),
                        new Action.CollectJob("test-mnist")),
                first().next(),
                List.of(),
                Optional.empty());
        assertThat(texts(ActionExecutor.groups(decision)))
                .containsExactly(
                        List.of("delete worker-0: test", "delete worker-1: test"),
                        List.of("delete ps-0: test"),
                        List.of("delete master: test"),
                        List.of("delete stranger: test"),
                        List.of("delete other: test"),
                        List.of("collect test-mnist"));
    }

    @Test
    void actions_of_a_group_run_in_parallel_with_separate_results() {
        ExecutorService two = Executors.newFixedThreadPool(2);
        try {
            CountDownLatch both = new CountDownLatch(2);
            Set<String> threads = ConcurrentHashMap.newKeySet();
            var ends = new ActionExecutor(two).apply(List.of(deletion("worker-0"), deletion("worker-1")), action -> {
                threads.add(Thread.currentThread().getName());
                both.countDown();
                try {
                    // Ends only once the other action has started.
                    assertThat(both.await(30, TimeUnit.SECONDS)).isTrue();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                if (action.subject().endsWith("1")) {
                    throw new IllegalArgumentException("refused");
                }
            });
            assertThat(threads).hasSize(2);
            assertThat(ends.get(0)).isEmpty();
            assertThat(ends.get(1)).get().hasToString("java.lang.IllegalArgumentException: refused");
        } finally {
            two.shutdownNow();
        }
    }

    @Test
    void an_action_that_no_thread_takes_has_failed() {
        var ends = new ActionExecutor(task -> {
                    throw new RejectedExecutionException("closed");
                })
                .apply(List.of(deletion("worker-0"), deletion("worker-1")), action -> {});
        assertThat(ends).allSatisfy(end -> assertThat(end).get().isInstanceOf(RejectedExecutionException.class));
    }

    @Test
    void an_error_is_not_an_end_of_an_action() {
        List<Action> pair = List.of(deletion("worker-0"), deletion("worker-1"));
        for (ActionExecutor actions : List.of(new ActionExecutor(null), new ActionExecutor(Runnable::run))) {
            List<String> applied = new ArrayList<>();
            assertThatThrownBy(() -> actions.apply(pair, action -> {
                        applied.add(action.subject());
                        throw new OutOfMemoryError("test");
                    }))
                    .isInstanceOf(OutOfMemoryError.class);
            assertThat(applied).isNotEmpty();
        }
    }
}
