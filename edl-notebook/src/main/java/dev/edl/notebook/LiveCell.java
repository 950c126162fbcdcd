package dev.edl.notebook;

import dev.edl.exec.AwaitTimeoutException;
import dev.edl.exec.JobHandle;
import dev.edl.exec.JobStatus;
import dev.edl.exec.Subscription;
import dev.edl.runtime.Progress;
import dev.edl.runtime.TrainingEvent;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Cell that waits for a run and shows it. It sends all output while it waits, because a kernel drops output after the
 * end of the cell. Used for one call of {@link #watch}.
 */
final class LiveCell {
    /** Interval between two updates. */
    static final Duration PERIOD = Duration.ofMillis(250);

    /** Longest wait for the end of a cancelled job, and for the end of a scenario after its job has ended. */
    private static final Duration ENDING = Duration.ofSeconds(5);

    private static final int MOST_EVENTS = 6;

    private final JobHandle run;
    private final Function<Consumer<TrainingEvent>, Subscription> training;
    private final LiveDisplay display;
    private final LongSupplier nanos;
    private final LiveTraining live = new LiveTraining();
    private String shown = "";

    /** Wait for the output that a training still sends after its job has succeeded. */
    @FunctionalInterface
    interface RemainingOutput {
        /** Waits until the output has arrived. */
        void await() throws InterruptedException;
    }

    /**
     * Creates a cell that shows nothing yet.
     *
     * @param training subscribes a listener to the events of the training
     * @param nanos monotonic clock in nanoseconds
     */
    LiveCell(
            JobHandle run,
            Function<Consumer<TrainingEvent>, Subscription> training,
            LiveDisplay display,
            LongSupplier nanos) {
        this.run = run;
        this.training = training;
        this.display = display;
        this.nanos = nanos;
    }

    /**
     * Shows the run and plays the scenario until the job has ended, and returns the job's final status. Throws as
     * {@link EdlNotebook}'s methods do.
     */
    JobStatus watch(Duration limit, Scenario scenario, RemainingOutput remaining) throws InterruptedException {
        FutureTask<Void> play = new FutureTask<>(() -> {
            scenario.play(live);
            return null;
        });
        Subscription subscription = training.apply(live::heard);
        try {
            Thread player = new Thread(play, "edl-" + run.plan().name() + "-scenario");
            player.setDaemon(true);
            player.start();
            JobStatus end = awaitEnd(limit, play);
            live.seen(end);
            if (end.phase() == JobPhase.SUCCEEDED) {
                remaining.await();
            }
            Optional<IllegalStateException> failure = failure(play, ENDING);
            show(failure.map(Throwable::getMessage).orElse(""));
            if (failure.isPresent() && end.phase() == JobPhase.SUCCEEDED) {
                throw failure.get();
            }
            return end;
        } catch (InterruptedException interrupt) {
            cancel(interrupt);
            throw interrupt;
        } finally {
            play.cancel(true);
            subscription.close();
        }
    }

    private JobStatus awaitEnd(Duration limit, FutureTask<Void> play) throws InterruptedException {
        long began = nanos.getAsLong();
        while (true) {
            live.seen(run.status());
            show(
                    play.isDone()
                            ? failure(play, Duration.ZERO)
                                    .map(Throwable::getMessage)
                                    .orElse("")
                            : "");
            Duration left = limit.minusNanos(nanos.getAsLong() - began);
            Duration look = left.compareTo(PERIOD) < 0 ? left : PERIOD;
            try {
                return run.await(look.isNegative() ? Duration.ZERO : look);
            } catch (AwaitTimeoutException notYet) {
                if (limit.compareTo(Duration.ofNanos(nanos.getAsLong() - began)) <= 0) {
                    throw new AwaitTimeoutException(run.plan(), notYet.status(), limit);
                }
            }
        }
    }

    /**
     * Waits for the end of a scenario. Returns its failure; empty if it has finished. A scenario that does not return
     * within the patience has failed.
     */
    private static Optional<IllegalStateException> failure(FutureTask<Void> play, Duration patience)
            throws InterruptedException {
        try {
            play.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            return Optional.empty();
        } catch (ExecutionException failed) {
            return Optional.of(
                    new IllegalStateException("The scenario failed: " + failed.getCause(), failed.getCause()));
        } catch (TimeoutException late) {
            return Optional.of(new IllegalStateException("The scenario failed: it has not returned "
                    + patience.toSeconds() + " s after the end of the job"));
        }
    }

    private void cancel(InterruptedException interrupt) {
        try {
            run.cancel();
            live.seen(run.await(ENDING));
            show("Interrupted: the job is cancelled.");
        } catch (InterruptedException again) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException failure) {
            interrupt.addSuppressed(failure);
        }
    }

    private void show(String last) throws InterruptedException {
        JobStatus status = run.status();
        @Nullable Progress progress = live.progress().orElse(null);
        String head = "Job " + status.job() + " " + status.phase();
        List<JobEvent> events = run.events();
        Html page = Html.of(
                Html.title(head),
                progress == null
                        ? Html.line("waits for its first task")
                        : Html.progress(progress.recordsDone(), progress.records(), progress.toString()),
                Html.line(status.message()),
                JobHtml.roles(status),
                JobHtml.events(events.subList(Math.max(0, events.size() - MOST_EVENTS), events.size())),
                Html.of(live.news().stream().map(Html::line).toArray(Html[]::new)),
                live.curve().isEmpty() ? Html.of() : Html.image(CurvePicture.of(live.curve())),
                Html.line(last));
        if (!page.toString().equals(shown)) {
            shown = page.toString();
            display.show(shown, head + (progress == null ? "" : ": " + progress) + (last.isEmpty() ? "" : "\n" + last));
        }
    }
}
