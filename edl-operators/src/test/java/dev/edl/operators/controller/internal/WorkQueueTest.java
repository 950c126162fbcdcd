package dev.edl.operators.controller.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.k8s.Polled;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class WorkQueueTest {
    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void none(Error error) {
        throw error;
    }

    @Test
    void a_key_has_one_pass_at_a_time_and_merged_requests() throws InterruptedException {
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch asked = new CountDownLatch(1);
        Semaphore turns = new Semaphore(0);
        AtomicInteger atOnce = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        try (WorkQueue<String> queue = new WorkQueue<>(
                "test-queue",
                4,
                key -> {
                    most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
                    first.countDown();
                    await(asked);
                    atOnce.decrementAndGet();
                    turns.release();
                    return Optional.empty();
                },
                WorkQueueTest::none)) {
            queue.add("job");
            await(first);
            queue.add("job");
            queue.add("job");
            queue.add("job");
            asked.countDown();
            assertThat(turns.tryAcquire(2, 60, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(most).hasValue(1);
        assertThat(turns.availablePermits()).isZero();
    }

    @Test
    void a_turn_that_throws_is_taken_again() {
        CountDownLatch twice = new CountDownLatch(2);
        try (WorkQueue<String> queue = new WorkQueue<>(
                "test-queue",
                1,
                key -> {
                    twice.countDown();
                    if (twice.getCount() == 1) {
                        throw new IllegalStateException("the cluster is away");
                    }
                    return Optional.empty();
                },
                WorkQueueTest::none)) {
            queue.add("job");
            await(twice);
        }
    }

    @Test
    void a_failed_pass_that_wakes_its_own_key_still_pauses() {
        List<Long> turns = new CopyOnWriteArrayList<>();
        CountDownLatch third = new CountDownLatch(3);
        AtomicReference<Runnable> wake = new AtomicReference<>(() -> {});
        try (WorkQueue<String> queue = new WorkQueue<>(
                "test-queue",
                1,
                key -> {
                    turns.add(System.nanoTime());
                    third.countDown();
                    if (third.getCount() == 0) {
                        return Optional.empty();
                    }
                    Objects.requireNonNull(wake.get()).run();
                    throw new IllegalStateException("refused, which was written");
                },
                WorkQueueTest::none)) {
            wake.set(() -> queue.add("job"));
            queue.add("job");
            await(third);
        }
        assertThat(Duration.ofNanos(turns.get(1) - turns.get(0))).isGreaterThanOrEqualTo(Duration.ofMillis(200));
        assertThat(Duration.ofNanos(turns.get(2) - turns.get(1))).isGreaterThanOrEqualTo(Duration.ofMillis(400));
    }

    @Test
    void a_key_that_waits_does_not_hold_up_another() {
        CountDownLatch other = new CountDownLatch(1);
        CountDownLatch again = new CountDownLatch(2);
        try (WorkQueue<String> queue = new WorkQueue<>(
                "test-queue",
                2,
                key -> {
                    if (key.equals("slow")) {
                        await(other);
                        again.countDown();
                        return Optional.of(Duration.ofMillis(1));
                    }
                    other.countDown();
                    return Optional.empty();
                },
                WorkQueueTest::none)) {
            queue.add("slow");
            queue.add("other");
            await(again);
        }
    }

    @Test
    void more_stuck_keys_than_turns_at_once_stop_no_other_key() {
        CountDownLatch other = new CountDownLatch(1);
        CountDownLatch stuck = new CountDownLatch(6);
        try (WorkQueue<String> queue = new WorkQueue<>(
                "test-queue",
                4,
                key -> {
                    if (key.startsWith("stuck")) {
                        await(other);
                        stuck.countDown();
                    } else {
                        other.countDown();
                    }
                    return Optional.empty();
                },
                WorkQueueTest::none)) {
            for (int i = 0; i < 6; i++) {
                queue.add("stuck-" + i);
            }
            queue.add("other");
            await(other);
            // They continue once it was served.
            await(stuck);
        }
    }

    @Test
    void a_key_that_was_stuck_waits_behind_the_others() {
        List<String> turns = new CopyOnWriteArrayList<>();
        CountDownLatch all = new CountDownLatch(4);
        CountDownLatch added = new CountDownLatch(1);
        AtomicInteger stuck = new AtomicInteger();
        Semaphore hangs = new Semaphore(0);
        try (WorkQueue<String> queue = new WorkQueue<>(
                "test-queue",
                1,
                key -> {
                    turns.add(key);
                    all.countDown();
                    if (key.equals("stuck") && stuck.getAndIncrement() == 0) {
                        hangs.acquireUninterruptibly();
                    } else if (key.equals("first")) {
                        await(added);
                    }
                    return Optional.empty();
                },
                WorkQueueTest::none)) {
            queue.add("stuck");
            queue.add("first");
            // It gets its pass once the other one, which holds the only place, is stuck.
            Polled.until("the other key has its turn", () -> turns.contains("first"));
            queue.add("stuck");
            hangs.release();
            Polled.until("the stuck key waits", () -> queue.status().depth() == 1);
            queue.add("second");
            added.countDown();
            await(all);
        }
        assertThat(turns).containsExactly("stuck", "first", "second", "stuck");
    }

    @Test
    void an_error_is_reported_and_ends_the_keys_passes() {
        CountDownLatch told = new CountDownLatch(1);
        AtomicInteger turns = new AtomicInteger();
        AtomicReference<Error> error = new AtomicReference<>();
        try (WorkQueue<String> queue = new WorkQueue<>(
                "test-queue",
                1,
                key -> {
                    turns.incrementAndGet();
                    throw new OutOfMemoryError("of the test");
                },
                broken -> {
                    error.set(broken);
                    told.countDown();
                })) {
            queue.add("job");
            await(told);
        }
        assertThat(error.get()).hasMessage("of the test");
        assertThat(turns).hasValue(1);
    }

    @Test
    void the_status_counts_waiting_and_stuck_keys() {
        CountDownLatch go = new CountDownLatch(1);
        try (WorkQueue<String> queue = new WorkQueue<>(
                "test-queue",
                1,
                key -> {
                    await(go);
                    return Optional.empty();
                },
                WorkQueueTest::none)) {
            queue.add("a");
            queue.add("b");
            queue.add("c");
            Polled.until("all are stuck", () -> queue.status().stuck() == 3);
            assertThat(queue.status().depth()).isZero();
            assertThat(queue.status().running()).isEqualTo(3);
            assertThat(queue.status().oldestWait()).isZero();
            go.countDown();
            Polled.until("all have ended", () -> queue.status().running() == 0);
        }
    }
}
