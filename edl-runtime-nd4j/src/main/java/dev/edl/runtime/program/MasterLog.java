package dev.edl.runtime.program;

import dev.edl.exec.LogLine;
import dev.edl.exec.Subscription;
import dev.edl.runtime.Progress;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.engine.EventHub;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The training of a job of {@link ProgramJobs#image}, read from the log of its master. The log is all that a submitter outside of the
 * cluster needs: no port, and no right but to read it. Of a job that another program submitted it tells what the nodes still have of the log: the newest 10 MiB
 * by a kubelet's default, of pods that still exist.
 *
 * <pre>{@code
 * try (KubernetesRun run = executor.submit(job);
 *         MasterLog training = MasterLog.of(job.name());
 *         LogFollower log = run.logs("master", training)) {
 *     training.onTraining(ConsoleReport.to(System.out));
 *     run.awaitSuccess(Duration.ofHours(2));
 *     log.awaitEnd(Duration.ofMinutes(1));
 *     System.out.println(training.result().orElseThrow().proof());
 * }
 * }</pre>
 *
 * <p>Thread-safe; one log is given to it.
 */
public final class MasterLog implements Consumer<LogLine>, AutoCloseable {
    /** What a line begins with that has an event as JSON. */
    static final String MARK = "edl-event ";

    private final EventHub hub;
    private final ReportedEvents reported;

    private MasterLog(String job) {
        this.hub = new EventHub(job, List.of());
        this.reported = new ReportedEvents(hub);
    }

    /**
     * Returns a log that has no line yet.
     *
     * @param job the job's name, which names the thread of the listeners
     */
    public static MasterLog of(String job) {
        return new MasterLog(job);
    }

    /** Takes the next line; those that tell no event are passed over. */
    @Override
    public void accept(LogLine line) {
        // What the program has printed without an end of line stands before the mark.
        int mark = line.text().indexOf(MARK);
        if (!line.note() && mark >= 0) {
            reported.line(line.text().substring(mark + MARK.length()));
        }
    }

    /**
     * Subscribes a listener to the training events: first to the recent ones that it missed, then to each new one, in order, one at a
     * time and on a thread of this log. Progress events come once a second at most.
     *
     * @return ends the notifications when closed
     */
    public Subscription onTraining(Consumer<TrainingEvent> listener) {
        return hub.add(listener);
    }

    /** Returns where the training stands, its loss among it; empty before the master has told. */
    public Optional<Progress> progress() {
        return reported.progress();
    }

    /** Returns the newest 1,000 evaluations, in order. */
    public List<TrainingEvent.Evaluation> evaluations() {
        return reported.evaluations();
    }

    /** Returns what the training has come to; empty until its master has ended. */
    public Optional<TrainingSummary> result() {
        return reported.summary();
    }

    /** Waits until each listener has heard of the lines so far, for a time; a listener that is slower is not waited for. */
    public void drain(Duration limit) throws InterruptedException {
        hub.drain(limit);
    }

    /** Leaves no thread behind. */
    @Override
    public void close() {
        hub.close();
    }

    /** Returns where the training stands. */
    @Override
    public String toString() {
        return progress().map(Progress::toString).orElse("nothing told yet");
    }
}
