package dev.edl.runtime;

import dev.edl.runtime.task.LedgerProgress;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** How far a run has come, and what it has come to. Safe for several threads. */
final class TrainingHistory {
    private final Instant began;
    private final AtomicLong step = new AtomicLong();
    private @Nullable TrainingResult result;

    TrainingHistory(Instant began) {
        this.began = began;
    }

    /** The newest model version that a push has reported. */
    void reached(long version) {
        step.accumulateAndGet(version, Math::max);
    }

    long step() {
        return step.get();
    }

    synchronized void finished(TrainingResult newResult) {
        result = newResult;
    }

    synchronized Optional<TrainingResult> result() {
        return Optional.ofNullable(result);
    }

    Duration elapsed(Instant now) {
        return result().map(TrainingResult::took).orElseGet(() -> Duration.between(began, now));
    }

    Progress progress(LedgerProgress p, int epochs, long step, double loss, Instant now) {
        Duration elapsed = elapsed(now);
        double seconds = elapsed.toNanos() / 1e9;
        return new Progress(
                Math.min(p.epoch(), epochs - 1),
                epochs,
                Math.toIntExact(p.tasksDone()),
                Math.toIntExact(p.tasksTotal()),
                p.recordsDone(),
                p.recordsTotal(),
                step,
                loss,
                seconds > 0 ? p.recordsDone() / seconds : 0,
                elapsed);
    }
}
