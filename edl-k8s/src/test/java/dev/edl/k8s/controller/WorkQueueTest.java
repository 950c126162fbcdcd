package dev.edl.k8s.controller;

import static org.assertj.core.api.Assertions.assertThat;

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

    @Test
    void a_key_has_one_turn_at_a_time_and_one_more_for_all_that_asked_meanwhile() throws InterruptedException {
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch asked = new CountDownLatch(1);
        Semaphore turns = new Semaphore(0);
        AtomicInteger atOnce = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        try (WorkQueue<String> queue = new WorkQueue<>("test-queue", 4, key -> {
            most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
            first.countDown();
            await(asked);
            atOnce.decrementAndGet();
            turns.release();
            return Optional.empty();
        })) {
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
        try (WorkQueue<String> queue = new WorkQueue<>("test-queue", 1, key -> {
            twice.countDown();
            if (twice.getCount() == 1) {
                throw new IllegalStateException("the cluster is away");
            }
            return Optional.empty();
        })) {
            queue.add("job");
            await(twice);
        }
    }

    @Test
    void a_turn_that_throws_and_wakes_its_own_key_is_not_taken_again_at_once() {
        List<Long> turns = new CopyOnWriteArrayList<>();
        CountDownLatch third = new CountDownLatch(3);
        AtomicReference<Runnable> wake = new AtomicReference<>(() -> {});
        try (WorkQueue<String> queue = new WorkQueue<>("test-queue", 1, key -> {
            turns.add(System.nanoTime());
            third.countDown();
            if (third.getCount() == 0) {
                return Optional.empty();
            }
            Objects.requireNonNull(wake.get()).run();
            throw new IllegalStateException("refused, which was written");
        })) {
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
        try (WorkQueue<String> queue = new WorkQueue<>("test-queue", 2, key -> {
            if (key.equals("slow")) {
                await(other);
                again.countDown();
                return Optional.of(Duration.ofMillis(1));
            }
            other.countDown();
            return Optional.empty();
        })) {
            queue.add("slow");
            queue.add("other");
            await(again);
        }
    }
}
