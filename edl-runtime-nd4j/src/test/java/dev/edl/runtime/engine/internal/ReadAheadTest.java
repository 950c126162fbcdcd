package dev.edl.runtime.engine.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.data.ArrayDataset;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.inprocess.Waits;
import dev.edl.runtime.proof.TaskType;
import dev.edl.runtime.task.Task;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class ReadAheadTest {
    private static final Duration CLOSE = Duration.ofSeconds(30);
    private static final Runnable NOTHING = () -> {};

    private final Dataset data = ArrayDataset.of(new float[][] {{0}, {1}, {2}, {3}}, new int[] {0, 1, 0, 1});
    private final String shard = data.shards().get(0).name();

    private Task task(int id, long start, long end) {
        return new Task(id, TaskType.TRAINING, 0, -1, shard, start, end, 1, (int) start, 4, 0);
    }

    private ReadAhead reader(ReadAhead.Reading reading, Duration close) {
        return new ReadAhead("worker-0-reader", () -> new TaskRecords(data, 4), reading, close);
    }

    private ReadAhead reader() {
        return reader((task, into) -> into.read(data, task, task.end()), CLOSE);
    }

    @Test
    void records_of_a_task_stay_while_the_next_ones_are_read() throws Exception {
        try (ReadAhead reader = reader()) {
            Task first = task(1, 0, 2);
            reader.begin(() -> Optional.of(first));
            assertThat(reader.task(NOTHING)).contains(first);
            reader.take(NOTHING);
            TaskRecords records = reader.records();

            reader.begin(() -> Optional.of(task(2, 2, 4)));
            assertThat(reader.task(NOTHING)).contains(task(2, 2, 4));
            while (!reader.ready()) {
                Thread.onSpinWait();
            }
            assertThat(records.batch().features()).startsWith(0, 1);
            reader.take(NOTHING);

            assertThat(reader.records().batch().features()).startsWith(2, 3);
            // Two buffers, alternating.
            reader.begin(() -> Optional.of(first));
            reader.take(NOTHING);
            assertThat(reader.records()).isSameAs(records);
        }
    }

    @Test
    void without_a_task_there_is_nothing_to_take() throws Exception {
        try (ReadAhead reader = reader()) {
            assertThat(reader.task(NOTHING)).isEmpty();
            assertThat(reader.ready()).isFalse();
            reader.begin(Optional::empty);

            assertThat(reader.task(NOTHING)).isEmpty();
            assertThat(reader.ready()).isFalse();
            reader.drop(NOTHING);
            assertThatThrownBy(() -> reader.take(NOTHING))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("worker-0-reader has no task");
        }
    }

    @Test
    void one_task_is_read_at_a_time() {
        try (ReadAhead reader = reader()) {
            reader.begin(Optional::empty);

            assertThatThrownBy(() -> reader.begin(Optional::empty))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("worker-0-reader has a task that was not taken");
        }
    }

    @Test
    void what_the_dataset_throws_reaches_the_worker_with_its_task() throws Exception {
        ReadAhead.Reading unreadable = (task, into) -> {
            throw new IOException("the disk is gone");
        };
        try (ReadAhead reader = reader(unreadable, CLOSE)) {
            reader.begin(() -> Optional.of(task(1, 0, 2)));

            assertThat(reader.task(NOTHING)).contains(task(1, 0, 2));
            assertThatThrownBy(() -> reader.take(NOTHING))
                    .isInstanceOf(IOException.class)
                    .hasMessage("the disk is gone");
            assertThat(reader.ready()).isFalse();
            reader.begin(Optional::empty);
            assertThat(reader.task(NOTHING)).isEmpty();
        }
    }

    @Test
    void what_the_question_for_a_task_throws_reaches_the_worker() throws Exception {
        try (ReadAhead reader = reader()) {
            reader.begin(() -> {
                throw new IllegalStateException("no master");
            });

            assertThatThrownBy(() -> reader.task(NOTHING)).hasMessage("no master");
            assertThat(reader.ready()).isFalse();
            reader.drop(NOTHING);
            reader.begin(() -> {
                throw new OutOfMemoryError("heap");
            });
            assertThatThrownBy(() -> reader.task(NOTHING))
                    .isInstanceOf(OutOfMemoryError.class)
                    .hasMessage("heap");
        }
    }

    @Test
    void a_worker_that_is_stopped_waits_no_longer() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        ReadAhead.Reading hanging = (task, into) -> await(never);
        try (ReadAhead reader = reader(hanging, CLOSE)) {
            reader.begin(() -> Optional.of(task(1, 0, 2)));

            assertThatThrownBy(() -> reader.take(() -> {
                        throw new IllegalStateException("stopped");
                    }))
                    .hasMessage("stopped");
        }
    }

    @Test
    void a_read_that_does_not_end_is_named() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        ReadAhead.Reading deaf = (task, into) -> {
            begun.countDown();
            boolean over = false;
            while (!over) {
                try {
                    end.await();
                    over = true;
                } catch (InterruptedException e) {
                    // Like code that never ends.
                    over = false;
                }
            }
            ended.countDown();
        };
        List<String> lines = new CopyOnWriteArrayList<>();
        Logger logger = Logger.getLogger(ReadAhead.class.getName());
        Handler handler = handler(lines);
        logger.addHandler(handler);
        try {
            ReadAhead reader = reader(deaf, Duration.ofMillis(1));
            reader.begin(() -> Optional.of(task(1, 0, 2)));
            Waits.on(begun);
            reader.close();
        } finally {
            logger.removeHandler(handler);
            end.countDown();
        }

        assertThat(lines)
                .containsExactly("worker-0-reader is still reading data and cannot be stopped; its reads have no"
                        + " effect, but its thread stays");
        Waits.on(ended);
    }

    @Test
    void a_worker_that_was_interrupted_waits_for_its_reader_and_stays_interrupted() throws Exception {
        List<Thread> threads = new CopyOnWriteArrayList<>();
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        ReadAhead.Reading hanging = (task, into) -> {
            threads.add(Thread.currentThread());
            begun.countDown();
            await(never);
        };
        ReadAhead reader = reader(hanging, CLOSE);
        reader.begin(() -> Optional.of(task(1, 0, 2)));
        Waits.on(begun);
        Thread.currentThread().interrupt();

        reader.close();

        assertThat(Thread.interrupted()).isTrue();
        threads.get(0).join(30_000);
        assertThat(threads.get(0).isAlive()).isFalse();
    }

    private static void await(CountDownLatch latch) throws IOException {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IOException("interrupted", e);
        }
    }

    private static Handler handler(List<String> lines) {
        return new Handler() {
            @Override
            public void publish(LogRecord line) {
                lines.add(line.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
    }
}
