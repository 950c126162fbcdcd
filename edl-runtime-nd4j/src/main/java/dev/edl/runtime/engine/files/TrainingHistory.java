package dev.edl.runtime.engine.files;

import dev.edl.runtime.CurvePoint;
import dev.edl.runtime.Progress;
import dev.edl.runtime.Resumption;
import dev.edl.runtime.TrainingResult;
import dev.edl.runtime.task.LedgerProgress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** How far a run has come, and what it has come to. Safe for several threads. */
public final class TrainingHistory {
    private final Instant began;
    private final AtomicLong step = new AtomicLong();
    private final CurveLog curve = new CurveLog();
    private volatile @Nullable Resumption resumed;
    private @Nullable TrainingResult result;

    /** Returns the history of a run that begins now. */
    public TrainingHistory(Instant began, Optional<Resumption> resumed) {
        this.began = began;
        this.resumed = resumed.orElse(null);
        resumed.ifPresent(before -> step.set(before.version()));
    }

    /** How many records the checkpoint had that the run goes on from. */
    public void resumedWith(long records) {
        Resumption before = resumed;
        if (before != null) {
            resumed = new Resumption(before.checkpoint(), before.version(), records, before.took());
        }
    }

    public Optional<Resumption> resumed() {
        return Optional.ofNullable(resumed);
    }

    /** Of all runs of the training up to now. */
    public Duration elapsedInAll(Instant now) {
        return elapsed(now).plus(resumed().map(Resumption::took).orElse(Duration.ZERO));
    }

    /** A push has reported a model version. */
    public void reached(long version) {
        step.accumulateAndGet(version, Math::max);
    }

    /** The model version is this one, which may be lower than it was. */
    public void at(long version) {
        step.set(version);
    }

    /** Returns the model version that was last heard of, which may have been lost since. */
    public long step() {
        return step.get();
    }

    /**
     * A task was completed.
     *
     * @param workers that held a task just then
     */
    public synchronized void moved(Progress to, int workers) {
        curve.moved(to, workers);
    }

    /** A version was evaluated. */
    public synchronized void evaluated(long version, Map<String, Double> metrics) {
        curve.evaluated(version, metrics);
    }

    /** Returns the points of what was told so far. */
    public synchronized List<CurvePoint> curve() {
        return curve.points();
    }

    public synchronized void finished(TrainingResult newResult) {
        result = newResult;
    }

    public synchronized Optional<TrainingResult> result() {
        return Optional.ofNullable(result);
    }

    public Duration elapsed(Instant now) {
        return result().map(TrainingResult::took).orElseGet(() -> Duration.between(began, now));
    }

    public Progress progress(LedgerProgress p, long step, double loss, Instant now) {
        Duration elapsed = elapsed(now);
        long before = resumed().map(Resumption::records).orElse(0L);
        double seconds = elapsed.toNanos() / 1e9;
        return new Progress(
                Math.max(0, Math.min(p.epoch(), p.epochs() - 1)),
                p.epochs(),
                Math.toIntExact(p.tasksDone()),
                Math.toIntExact(p.tasksTotal()),
                p.recordsDone(),
                p.recordsTotal(),
                step,
                loss,
                seconds > 0 ? Math.max(0, p.recordsDone() - before) / seconds : 0,
                elapsed);
    }
}
