package dev.edl.notebook;

import dev.edl.exec.JobStatus;
import dev.edl.exec.RoleStatus;
import dev.edl.runtime.CurvePoint;
import dev.edl.runtime.Progress;
import dev.edl.runtime.TrainingEvent;
import dev.edl.spec.RoleType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Progress, curve and events of a training that a cell watches; a {@link Scenario} waits here for progress.
 * Thread-safe.
 */
public final class LiveTraining {
    /** Maximum number of points of a curve; above it, points are thinned out. */
    static final int MOST_POINTS = 400;

    private static final int MOST_NEWS = 4;

    private final List<CurvePoint> curve = new ArrayList<>();
    private final Deque<String> news = new ArrayDeque<>();
    private @Nullable Progress progress;
    private int workers = CurvePicture.UNKNOWN;
    private boolean ended;

    LiveTraining() {}

    /**
     * Waits until a share of the records of all epochs has been trained.
     *
     * @param share from 0 to 1
     * @throws IllegalArgumentException for another share
     * @throws IllegalStateException when the job ends before that
     */
    public synchronized void awaitShare(double share) throws InterruptedException {
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException(
                    "share must be a number from 0 to 1, was " + share + "; for example awaitShare(0.3)");
        }
        while (share() < share) {
            if (ended) {
                throw new IllegalStateException("the job has ended after "
                        + (progress == null
                                ? "no record"
                                : progress.recordsDone() + " of " + progress.records() + " records")
                        + ", before the share of " + share + " that the scenario waits for");
            }
            wait();
        }
    }

    /** Returns the progress of the training; empty before its first report. */
    public synchronized Optional<Progress> progress() {
        return Optional.ofNullable(progress);
    }

    private double share() {
        Progress now = progress;
        return now == null || now.records() == 0 ? 0 : (double) now.recordsDone() / now.records();
    }

    /** Updates progress, curve and news from an event of the training. */
    synchronized void heard(TrainingEvent event) {
        if (event instanceof TrainingEvent.Progressed progressed) {
            progress = progressed.progress();
            point();
            notifyAll();
        } else if (event instanceof TrainingEvent.Evaluation evaluation) {
            evaluated(evaluation);
        } else if (!(event instanceof TrainingEvent.Loss || event instanceof TrainingEvent.EpochStarted)) {
            // Losses and epochs are part of the progress.
            news.addLast(event.toString());
            if (news.size() > MOST_NEWS) {
                news.removeFirst();
            }
        }
    }

    /** Inserts an evaluation into the curve, after the points up to its version; later points may already exist. */
    private void evaluated(TrainingEvent.Evaluation evaluation) {
        if (curve.isEmpty()) {
            return;
        }
        int at = curve.size();
        while (at > 0 && curve.get(at - 1).step() > evaluation.step()) {
            at--;
        }
        CurvePoint near = curve.get(Math.max(0, at - 1));
        CurvePoint point = new CurvePoint(
                evaluation.step(), near.records(), near.elapsed(), near.loss(), evaluation.metrics(), near.workers());
        add(at, point);
    }

    private void point() {
        Progress now = progress;
        if (now != null) {
            add(
                    curve.size(),
                    new CurvePoint(now.step(), now.recordsDone(), now.elapsed(), now.loss(), Map.of(), workers));
        }
    }

    private void add(int at, CurvePoint point) {
        curve.add(at, point);
        if (curve.size() > MOST_POINTS) {
            thin(false);
        }
        if (curve.size() > MOST_POINTS) {
            thin(true);
        }
    }

    /**
     * Removes every second point of the curve.
     *
     * @param evaluated whether to remove points with an evaluation as well
     */
    private void thin(boolean evaluated) {
        for (int i = curve.size() - 2; i > 0; i -= 2) {
            if (evaluated || curve.get(i).metrics().isEmpty()) {
                curve.remove(i);
            }
        }
    }

    /**
     * Records the status of the job: adds a point to the curve if the number of running workers has changed, and ends
     * all waits if the job has ended.
     */
    synchronized void seen(JobStatus status) {
        int running = status.roles().stream()
                .filter(role -> role.role().equals(RoleType.WORKER))
                .mapToInt(RoleStatus::running)
                .sum();
        if (status.phase().ended()) {
            ended = true;
            notifyAll();
        } else if (running != workers) {
            workers = running;
            point();
        }
    }

    /** Returns the current curve. */
    synchronized List<CurvePoint> curve() {
        return List.copyOf(curve);
    }

    /**
     * Returns the last four events of the training that are neither progress, losses, epochs nor evaluations; the
     * newest last.
     */
    synchronized List<String> news() {
        return List.copyOf(news);
    }
}
