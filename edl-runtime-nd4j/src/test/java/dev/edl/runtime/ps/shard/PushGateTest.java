package dev.edl.runtime.ps.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

class PushGateTest {
    private final ReentrantLock lock = new ReentrantLock();
    private final PushGate gate = new PushGate(lock.newCondition());

    private void take(String worker, long sequence) {
        lock.lock();
        try {
            gate.admit(worker, sequence);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        } finally {
            lock.unlock();
        }
    }

    private Map<String, Long> begin(long cut) {
        lock.lock();
        try {
            return gate.begin(cut);
        } finally {
            lock.unlock();
        }
    }

    private boolean flush(long cut, Map<String, Long> sequences, long millis) throws InterruptedException {
        lock.lock();
        try {
            return gate.flushTo(cut, sequences, TimeUnit.MILLISECONDS.toNanos(millis));
        } finally {
            lock.unlock();
        }
    }

    private void end(long cut) {
        lock.lock();
        try {
            gate.end(cut);
        } finally {
            lock.unlock();
        }
    }

    /** Starts a thread that sends; the latch counts down once the gate admitted it. */
    private CountDownLatch sends(String worker, long sequence) throws InterruptedException {
        CountDownLatch in = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        Thread thread = new Thread(() -> {
            lock.lock();
            try {
                begun.countDown();
                gate.admit(worker, sequence);
                in.countDown();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            } finally {
                lock.unlock();
            }
        });
        thread.setDaemon(true);
        thread.start();
        assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
        return in;
    }

    @Test
    void returns_the_last_number_of_each_worker() {
        take("a", 1);
        take("b", 7);
        take("a", 2);

        assertThat(begin(1)).containsExactly(Map.entry("a", 2L), Map.entry("b", 7L));
    }

    @Test
    void pushes_in_flight_are_admitted_and_newer_ones_wait() throws InterruptedException {
        take("a", 1);
        begin(1);
        CountDownLatch second = sends("a", 2);
        CountDownLatch third = sends("b", 9);

        assertThat(flush(1, Map.of("a", 2L), 60_000)).isTrue();
        assertThat(second.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(third.getCount()).isEqualTo(1);

        end(1);
        assertThat(third.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(begin(2)).containsExactly(Map.entry("a", 2L), Map.entry("b", 9L));
    }

    @Test
    void flush_reports_a_missing_push() throws InterruptedException {
        take("a", 1);
        begin(1);

        assertThat(flush(1, Map.of("a", 2L), 1)).isFalse();
        assertThat(flush(2, Map.of("a", 1L), 1)).as("another cut").isFalse();
        assertThat(flush(1, Map.of("a", 1L), 1)).isTrue();
    }

    @Test
    void later_cut_replaces_one_that_never_ended() throws InterruptedException {
        begin(1);
        CountDownLatch waits = sends("a", 1);
        begin(2);
        end(1);
        assertThat(waits.getCount()).isEqualTo(1);

        end(2);
        assertThat(waits.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void a_thousand_workers_that_came_and_left_are_forgotten() {
        for (int i = 0; i < 1000; i++) {
            take("worker-" + i, i);
        }
        for (int i = 1; i < 1000; i++) {
            gate.forget("worker-" + i);
        }

        assertThat(begin(1)).containsExactly(Map.entry("worker-0", 0L));
    }

    @Test
    void number_that_never_arrives_counts_as_admitted() throws InterruptedException {
        take("a", 3);
        gate.follow(Map.of("a", 2L, "b", 7L));
        begin(1);

        assertThat(flush(1, Map.of("a", 3L, "b", 7L), 0)).isTrue();
    }

    @Test
    void unnumbered_calls_wait_for_the_end_and_are_not_recorded() throws InterruptedException {
        take("a", PushGate.UNNUMBERED);
        assertThat(begin(1)).isEmpty();
        CountDownLatch waits = sends("a", PushGate.UNNUMBERED);
        assertThat(flush(1, Map.of(), 1)).isTrue();
        assertThat(waits.getCount()).isEqualTo(1);
        end(1);
        assertThat(waits.await(60, TimeUnit.SECONDS)).isTrue();
    }
}
