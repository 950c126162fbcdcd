package dev.edl.runtime.engine.files;

import dev.edl.runtime.CurvePoint;
import dev.edl.runtime.Progress;
import dev.edl.runtime.ResumedProgress;
import dev.edl.runtime.TrainingResult;
import dev.edl.runtime.task.LedgerProgress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Progress and metrics of a run so far. Thread-safe. */
public final class RunProgress {
    private volatile Instant began;
    private final AtomicLong step = new AtomicLong();
    private final BoundedCurve curve = new BoundedCurve();
    private volatile @Nullable ResumedProgress resumed;
    private @Nullable TrainingResult result;
    private volatile boolean reported;

    /** Creates the history of a new run. */
    public RunProgress(Instant began, Optional<ResumedProgress> resumed) {
        this.began = began;
        this.resumed = resumed.orElse(null);
        resumed.ifPresent(before -> step.set(before.version()));
    }

    /** Returns the time at which the run's first master started, as far as this process knows. */
    public Instant began() {
        return began;
    }

    /** Sets the time at which the run's first master started; ignores a later time than the known one. */
    public synchronized void began(Instant earlier) {
        began = earlier.isBefore(began) ? earlier : began;
    }

    /** Returns the version of the checkpoint that the run resumed from; -1 if it began with the initial values. */
    public long resumedAt() {
        return resumed().map(ResumedProgress::version).orElse(-1L);
    }

    public Optional<ResumedProgress> resumed() {
        return Optional.ofNullable(resumed);
    }

    /** Returns the elapsed time of all runs of the training up to now. */
    public Duration elapsedInAll(Instant now) {
        return elapsed(now).plus(resumed().map(ResumedProgress::took).orElse(Duration.ZERO));
    }

    /** Raises the last known model version to that which a push reports; ignores a lower one. */
    public void reached(long version) {
        step.accumulateAndGet(version, Math::max);
    }

    /** Sets the last known model version, also to a lower one. */
    public void at(long version) {
        step.set(version);
    }

    /** Returns the last known model version; the shards may have lost it since. */
    public long step() {
        return step.get();
    }

    /**
     * Records progress after a completed task.
     *
     * @param workers number of workers that held a task at that time
     */
    public synchronized void moved(Progress to, int workers) {
        curve.moved(to, workers);
    }

    /** Records the evaluation of a version. */
    public synchronized void evaluated(long version, Map<String, Double> metrics) {
        curve.evaluated(version, metrics);
    }

    /** Returns the points recorded so far. */
    public synchronized List<CurvePoint> curve() {
        return curve.points();
    }

    public synchronized void finished(TrainingResult newResult) {
        result = newResult;
        reported = true;
    }

    /** Records that a master in another process has reported the result. */
    public void reported() {
        reported = true;
    }

    /** Returns whether a master of the run has reported the result. */
    public boolean isReported() {
        return reported;
    }

    public synchronized Optional<TrainingResult> result() {
        return Optional.ofNullable(result);
    }

    public Duration elapsed(Instant now) {
        return result().map(TrainingResult::took).orElseGet(() -> Duration.between(began, now));
    }

    public Progress progress(LedgerProgress p, double loss, Instant now) {
        Duration elapsed = elapsed(now);
        long before = resumed().map(ResumedProgress::records).orElse(0L);
        double seconds = elapsed.toNanos() / 1e9;
        return new Progress(
                Math.max(0, Math.min(p.epoch(), p.epochs() - 1)),
                p.epochs(),
                Math.toIntExact(p.tasksDone()),
                Math.toIntExact(p.tasksTotal()),
                p.recordsDone(),
                p.recordsTotal(),
                step(),
                loss,
                seconds > 0 ? Math.max(0, p.recordsDone() - before) / seconds : 0,
                elapsed);
    }
}
