package dev.edl.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingBuilder;
import dev.edl.runtime.TrainingResult;
import dev.edl.runtime.engine.ports.ReplicaStoppedException;
import dev.edl.runtime.inprocess.Fixture;
import dev.edl.runtime.inprocess.SteppedModel;
import dev.edl.runtime.inprocess.Waits;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/**
 * Prefetching of the next task and its records while workers compute. A task has four minibatches; the last one of a
 * shard has one.
 */
class ReadingAheadTest {
    private static final int TASKS = 16;

    private final SteppedModel model = new SteppedModel(Fixture.FEATURES);
    private final WatchedData data = new WatchedData(Fixture.records());

    private TrainingBuilder training() {
        return Training.builder()
                .model(model)
                .data(data)
                .minibatch(4)
                .minibatchesPerTask(4)
                .shuffle(false)
                .seed(7);
    }

    /**
     * Polls, for thirty seconds at most, until a thread is in an expected state, because parking sends no
     * notification.
     */
    private static void spin(String what, BooleanSupplier there) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!there.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("in 30 s not: " + what);
            }
            Thread.onSpinWait();
        }
    }

    private static void finishes(Replicas replicas, Replicas.Replica master) {
        assertThat(master.end()).isNull();
        TrainingResult result = replicas.services.history().result().orElseThrow();
        assertThat(result.exactlyOnce()).as(result.proof()).isTrue();
    }

    @Test
    void a_worker_does_not_wait_between_two_tasks() throws Exception {
        // The first minibatch of each task waits until the reader is idle.
        model.before(step -> spin(
                "the reader is at rest",
                () -> data.done() >= Math.min(TASKS, task(step) + 2)
                        && data.readers().get(0).getState() == Thread.State.WAITING));
        List<String> calls = new CopyOnWriteArrayList<>();
        List<String> logged = new CopyOnWriteArrayList<>();
        try (Replicas replicas = new Replicas(training().epochs(1).build());
                Logged log = new Logged(logged)) {
            Replicas.Replica master = replicas.start("master", 0);
            replicas.start("ps", 0);
            replicas.start("ps", 1);

            assertThat(replicas.start("worker", 0, port -> new RecordingMaster(port, calls))
                            .end())
                    .isNull();
            finishes(replicas, master);
        }

        List<String> worker =
                calls.stream().filter(call -> call.startsWith("worker: ")).toList();
        // After the last task the worker requests another one until the master has written the result.
        assertThat(worker).startsWith("worker: next", "worker: trained 16");
        assertThat(worker.subList(2, worker.size())).allMatch("worker: next"::equals);
        assertThat(calls.stream().filter(call -> call.startsWith("reader: ")))
                .containsExactlyElementsOf(Stream.concat(
                                Stream.of("reader: ahead of 1"),
                                IntStream.rangeClosed(2, TASKS)
                                        .boxed()
                                        .flatMap(id ->
                                                Stream.of("reader: trained " + (id - 1), "reader: ahead of " + id)))
                        .toList());
        assertThat(data.readers())
                .hasSize(TASKS)
                .allMatch(thread -> thread.getName().equals("elasticdl-unit-worker-0-reader") && thread.isDaemon());
        // The first task's records may be ready at once, and the end after the last task may be known in time.
        assertThat(logged)
                .singleElement(InstanceOfAssertFactories.STRING)
                .matches("elasticdl-unit-worker-0: 16 tasks, 52 minibatches: waited (" + worker.size() + "|"
                        + (worker.size() + 1)
                        + ") times for the master, (0 times|1 time) for records, 104 times for servers");
    }

    /**
     * Returns the task of a step, counted from 0: three of four minibatches and one of one in each shard of 50
     * records.
     */
    private static int task(long step) {
        long inShard = (step - 1) % 13;
        return (int) ((step - 1) / 13 * 4 + inShard / 4);
    }

    @Test
    void a_failed_prefetch_is_reported_when_the_task_is_due() throws Exception {
        CountDownLatch tried = new CountDownLatch(1);
        data.before(read -> {
            if (read == 2) {
                tried.countDown();
                throw new IOException("train-00000: the disk is gone");
            }
        });
        model.before(step -> Waits.on(tried));
        List<String> calls = new CopyOnWriteArrayList<>();
        try (Replicas replicas = new Replicas(training().epochs(1).build())) {
            Replicas.Replica master = replicas.start("master", 0);
            replicas.start("ps", 0);
            replicas.start("ps", 1);
            assertThat(replicas.start("worker", 0, port -> new RecordingMaster(port, calls))
                            .end())
                    .isNull();
            finishes(replicas, master);

            assertThat(calls)
                    .startsWith(
                            "worker: next",
                            "reader: ahead of 1",
                            "worker: trained 1",
                            "worker: failed 2, UNREADABLE: train-00000: the disk is gone",
                            "worker: next",
                            "reader: ahead of 3");
            assertThat(replicas.services
                            .history()
                            .result()
                            .orElseThrow()
                            .ledgerProof()
                            .failed())
                    .isEqualTo(1);
        }
    }

    @Test
    void a_worker_that_is_stopped_ends_its_read_and_loses_nothing() throws Exception {
        CountDownLatch reads = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        data.before(read -> {
            if (read == 2) {
                reads.countDown();
                try {
                    never.await();
                } catch (InterruptedException stop) {
                    interrupted.countDown();
                }
            }
        });
        model.before(step -> {});
        try (Replicas replicas = new Replicas(training().epochs(1).build())) {
            Replicas.Replica master = replicas.start("master", 0);
            replicas.start("ps", 0);
            replicas.start("ps", 1);
            Replicas.Replica stopped = replicas.start("worker", 0);
            Waits.on(reads);

            stopped.stop();

            assertThat(stopped.end()).isInstanceOf(ReplicaStoppedException.class);
            Waits.on(interrupted);
            Thread reader = data.readers().get(0);
            reader.join(30_000);
            assertThat(reader.isAlive()).isFalse();
            // The clock of this training stands still, so no lease expires.
            replicas.start("worker", 1);
            finishes(replicas, master);
        }
    }

    @Test
    void a_worker_that_fails_gives_back_what_it_has_read_ahead() throws Exception {
        CountDownLatch second = new CountDownLatch(1);
        data.before(read -> {
            if (read == 2) {
                second.countDown();
            }
        });
        model.before(step -> {
            if (step == 2) {
                Waits.on(second);
                throw new IllegalStateException("no memory");
            }
        });
        try (Replicas replicas = new Replicas(training().epochs(1).build())) {
            Replicas.Replica master = replicas.start("master", 0);
            replicas.start("ps", 0);
            replicas.start("ps", 1);

            assertThat(replicas.start("worker", 0).end()).hasMessage("no memory");
            replicas.start("worker", 1);
            finishes(replicas, master);
        }
    }

    @Test
    void a_hanging_worker_loses_its_prefetched_task() throws Exception {
        int minibatches = 52;
        // All minibatches except those of the hanging task.
        CountDownLatch others = new CountDownLatch(minibatches - 4);
        List<Thread> hanging = new CopyOnWriteArrayList<>();
        model.before(step -> {
            if (step == 1) {
                hanging.add(Thread.currentThread());
                Waits.on(others);
            } else if (!hanging.contains(Thread.currentThread())) {
                others.countDown();
            }
        });
        try (Replicas replicas = new Replicas(training().epochs(1).build())) {
            Replicas.Replica master = replicas.start("master", 0);
            replicas.start("ps", 0);
            replicas.start("ps", 1);
            replicas.start("worker", 0);
            spin("the second task is read", () -> data.done() >= 2);
            replicas.start("worker", 1);

            Waits.on(others);
            finishes(replicas, master);
            assertThat(replicas.services
                            .history()
                            .result()
                            .orElseThrow()
                            .ledgerProof()
                            .recovered())
                    .isZero();
        }
    }

    @Test
    void a_read_that_hangs_is_bounded_by_the_tasks_timeout() throws Exception {
        CountDownLatch hangs = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        data.before(read -> {
            if (read == 2) {
                hangs.countDown();
                Waits.on(never);
            }
        });
        model.before(step -> {});
        try (Replicas replicas = new Replicas(training().epochs(1).build())) {
            Replicas.Replica master = replicas.start("master", 0);
            replicas.start("ps", 0);
            replicas.start("ps", 1);
            Replicas.Replica hanging = replicas.start("worker", 0);
            Waits.on(hangs);
            replicas.tick(Duration.ofSeconds(1));
            replicas.start("worker", 1);

            finishes(replicas, master);
            hanging.stop();
            assertThat(hanging.end()).isInstanceOf(ReplicaStoppedException.class);
        }
    }

    /** Collects the log of the workers' waits. */
    private static final class Logged extends Handler implements AutoCloseable {
        private final Logger logger = Logger.getLogger(WorkerRunner.class.getName());
        private final List<String> lines;

        private Logged(List<String> lines) {
            this.lines = lines;
            logger.setLevel(Level.FINE);
            logger.addHandler(this);
        }

        @Override
        public void publish(LogRecord line) {
            if (line.getLevel().equals(Level.FINE)) {
                lines.add(line.getMessage());
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {
            logger.removeHandler(this);
            logger.setLevel(null);
        }
    }
}
