package dev.edl.runtime.history;

import dev.edl.runtime.HistoryDetail;
import dev.edl.runtime.model.EmbeddingRows;
import dev.edl.runtime.ps.PushResult;
import dev.edl.runtime.ps.ShardRange;
import dev.edl.runtime.ps.group.GroupObserver;
import dev.edl.runtime.ps.shard.ShardObserver;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/**
 * Records the events of the {@link dev.edl.runtime.ps.group.LocalShards} that it observes, and the events that the
 * master reports.
 *
 * <p>Each push costs reading the gradient once at the worker and once at the shards. Each update and each pull costs
 * reading the weights once. Thread-safe.
 *
 * <pre>{@code
 * try (RunRecorder recorder = RunRecorder.to(Path.of("run.history"), began)) {
 *   group.observe(recorder);
 *   ...
 * }
 * }</pre>
 */
public final class RunRecorder implements GroupObserver, Closeable {
    private final HistoryEvent.Began began;
    private final Consumer<HistoryEvent> sink;
    private final Closeable end;
    private final int[] lives;

    private RunRecorder(HistoryEvent.Began began, Consumer<HistoryEvent> sink, Closeable end) {
        this.began = began;
        this.sink = sink;
        this.end = end;
        this.lives = new int[began.ranges().size()];
        record(began);
    }

    /**
     * Returns a recorder that writes to a file. Creates its directory and replaces an existing file. Until
     * {@link #close()}, up to 64 KiB of events are only in memory.
     *
     * @throws IOException if the file cannot be written
     */
    public static RunRecorder to(Path file, HistoryEvent.Began began) throws IOException {
        HistoryWriter writer = new HistoryWriter(file);
        return new RunRecorder(began, writer, writer);
    }

    /**
     * Returns a recorder that passes every event to a consumer, one at a time and in order; for tests.
     *
     * @param sink consumer of events; called on the threads of workers, partly with locks held
     */
    public static RunRecorder to(Consumer<HistoryEvent> sink, HistoryEvent.Began began) {
        return new RunRecorder(began, sink, () -> {});
    }

    /** Records that a task is complete; its pushes are {@code count} consecutive ids from {@code first} on. */
    public void taskCompleted(long first, int count) {
        record(new HistoryEvent.TaskCompleted(first, count));
    }

    /**
     * Records the end of the training.
     *
     * @param expected the pushes of the whole training
     * @param versions versions of the snapshots that form the result, one per shard
     */
    public void ended(PushSet expected, List<Long> versions) {
        record(new HistoryEvent.Ended(expected, versions));
    }

    private synchronized void record(HistoryEvent event) {
        sink.accept(event);
    }

    private synchronized int nextLife(int shard) {
        return lives[shard]++;
    }

    @Override
    public ShardObserver shard(ShardRange range) {
        return new ShardRecorder(range, began, this::record, this::nextLife);
    }

    @Override
    public void pulled(String worker, long[] versions, float[] weights) {
        List<Long> prints = began.ranges().stream()
                .map(range -> TransferFingerprints.weights(weights, range.offset(), range.end()))
                .toList();
        record(new HistoryEvent.Pulled(worker, boxed(versions), prints));
    }

    @Override
    public void pushing(
            String worker, long pushId, long[] basedOnVersions, float[] gradient, List<EmbeddingRows> rows) {
        int shards = began.ranges().size();
        List<Long> prints = began.ranges().stream()
                .map(range -> TransferFingerprints.gradient(range, shards, gradient, rows))
                .toList();
        record(new HistoryEvent.Sent(
                worker,
                pushId,
                boxed(basedOnVersions),
                prints,
                began.detail() == HistoryDetail.GRADIENTS ? RecordedVector.copyOf(gradient) : null));
    }

    @Override
    public void pushed(String worker, long pushId, List<PushResult> results, PushResult told) {
        record(new HistoryEvent.Answered(
                worker,
                pushId,
                results.stream().map(PushResult::outcome).toList(),
                results.stream().map(PushResult::version).toList(),
                told.outcome()));
    }

    @Override
    public void awaited(String worker, long pushId, boolean applied) {
        record(new HistoryEvent.Awaited(worker, pushId, applied));
    }

    @Override
    public void confirmed(long firstPushId, long resumeAt) {
        record(new HistoryEvent.Confirmed(firstPushId, resumeAt));
    }

    private static List<Long> boxed(long[] numbers) {
        return LongStream.of(numbers).boxed().toList();
    }

    /**
     * Ends the recording; later events are ignored.
     *
     * @throws IOException if not every event could be written
     */
    @Override
    public void close() throws IOException {
        end.close();
    }

    /** Returns text for people, for example {@code history of [ps-0[0..3), ps-1[3..6)]}. */
    @Override
    public String toString() {
        return "history of " + Arrays.toString(began.ranges().toArray());
    }
}
