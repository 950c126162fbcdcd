package dev.edl.runtime.ps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ParallelWritesTest {
    private static void meet(CountDownLatch latch) {
        latch.countDown();
        boolean interrupted = Thread.interrupted();
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).as("all are there").isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Test
    void four_writes_run_at_a_time_on_named_daemon_threads_that_end() throws IOException {
        CountDownLatch four = new CountDownLatch(4);
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        List<ParallelWrites.Write<Integer>> writes = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            int number = i;
            writes.add(() -> {
                threads.add(Thread.currentThread());
                if (number < 4) {
                    meet(four);
                }
                return number;
            });
        }
        assertThat(ParallelWrites.all(writes))
                .containsExactlyElementsOf(IntStream.range(0, 9).boxed().toList());
        threads.remove(Thread.currentThread());
        assertThat(threads)
                .extracting(Thread::getName)
                .containsExactlyInAnyOrder("checkpoint-write-1", "checkpoint-write-2", "checkpoint-write-3");
        assertThat(threads).allMatch(Thread::isDaemon).noneMatch(Thread::isAlive);
    }

    @Test
    void one_write_runs_on_the_calling_thread() throws IOException {
        assertThat(ParallelWrites.all(List.of(Thread::currentThread))).containsExactly(Thread.currentThread());
    }

    @Test
    void a_failure_is_thrown_when_the_other_writes_have_ended() {
        CountDownLatch both = new CountDownLatch(2);
        AtomicInteger ended = new AtomicInteger();
        List<ParallelWrites.Write<String>> writes = List.of(
                () -> {
                    meet(both);
                    throw new IOException("No space left on device");
                },
                () -> {
                    meet(both);
                    ended.incrementAndGet();
                    return "written";
                });
        assertThatThrownBy(() -> ParallelWrites.all(writes))
                .isInstanceOf(IOException.class)
                .hasMessage("No space left on device");
        assertThat(ended).hasValue(1);
    }

    @Test
    void an_interrupted_thread_waits_for_all_writes_and_stays_interrupted() throws IOException {
        CountDownLatch both = new CountDownLatch(2);
        AtomicInteger ended = new AtomicInteger();
        ParallelWrites.Write<Integer> write = () -> {
            meet(both);
            return ended.incrementAndGet();
        };
        try {
            Thread.currentThread().interrupt();
            ParallelWrites.all(List.of(write, write));
            assertThat(ended).hasValue(2);
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            Thread.interrupted();
        }
    }
}
