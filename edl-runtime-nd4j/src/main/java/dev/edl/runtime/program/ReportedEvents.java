package dev.edl.runtime.program;

import dev.edl.runtime.Progress;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.engine.EventHub;
import dev.edl.runtime.wire.watch.EventJson;
import java.time.DateTimeException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Events that the masters of one run have reported, line by line. Thread-safe, for one writer. */
final class ReportedEvents {
    private static final int EVALUATIONS = 1000;

    private final EventHub hub;
    private final Deque<TrainingEvent.Evaluation> evaluations = new ArrayDeque<>();
    private volatile @Nullable Progress progress;
    private volatile @Nullable TrainingSummary summary;

    ReportedEvents(EventHub hub) {
        this.hub = hub;
    }

    /** Processes a line of JSON; ignores a line that a killed master left incomplete. */
    void line(String json) {
        Optional<TrainingEvent> event;
        try {
            event = EventJson.read(json);
            SummaryJson.read(json).ifPresent(read -> summary = read);
        } catch (IllegalArgumentException | DateTimeException cut) {
            return;
        }
        event.ifPresent(told -> {
            if (told instanceof TrainingEvent.Progressed progressed) {
                progress = progressed.progress();
            } else if (told instanceof TrainingEvent.Evaluation evaluation) {
                keep(evaluation);
            } else if (told instanceof TrainingEvent.BegunAnew) {
                forget();
            }
            hub.emit(told);
        });
    }

    /** Discards evaluations whose parameters are lost. */
    private synchronized void forget() {
        evaluations.clear();
        progress = null;
    }

    /**
     * Stores an evaluation unless it is already stored: a master repeats the report if its predecessor may not have
     * made it.
     */
    private synchronized void keep(TrainingEvent.Evaluation evaluation) {
        evaluations.removeIf(before -> before.step() == evaluation.step());
        evaluations.addLast(evaluation);
        if (evaluations.size() > EVALUATIONS) {
            evaluations.removeFirst();
        }
    }

    /** Returns the progress of the training. */
    Optional<Progress> progress() {
        return Optional.ofNullable(progress);
    }

    /** Returns the newest 1,000 evaluations, in order. */
    synchronized List<TrainingEvent.Evaluation> evaluations() {
        return List.copyOf(evaluations);
    }

    /** Returns the result of the training. */
    Optional<TrainingSummary> summary() {
        return Optional.ofNullable(summary);
    }
}
