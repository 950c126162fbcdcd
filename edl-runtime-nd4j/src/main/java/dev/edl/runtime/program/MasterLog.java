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
 * Training events of a {@link ProgramJobs#image} job, read from the log of its master.
 *
 * <p>The log is all that a submitter outside of the cluster needs: no port, and only the permission to read logs. For
 * a job that another program submitted, only the log on the nodes is available: the newest 10 MiB by a kubelet's
 * default, of pods that still exist.
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
 * <p>Thread-safe. An instance reads the log of one job only.
 */
public final class MasterLog implements Consumer<LogLine>, AutoCloseable {
    /** Prefix of a log line that contains an event as JSON. */
    static final String MARK = "edl-event ";

    private final EventHub hub;
    private final ReportedEvents reported;

    private MasterLog(String job) {
        this.hub = new EventHub(job, List.of());
        this.reported = new ReportedEvents(hub);
    }

    /**
     * Returns a log without lines.
     *
     * @param job the job's name, used only to name the listeners' thread
     */
    public static MasterLog of(String job) {
        return new MasterLog(job);
    }

    /** Returns the event of an overdue replica with the command that replaces its pod, which no program does. */
    static TrainingEvent.ReplicaAbsent advised(TrainingEvent.ReplicaAbsent overdue, String job) {
        String prefix = "elasticdl-" + job + "-";
        String replica = overdue.replica();
        String pod = replica.startsWith(prefix) ? replica : prefix + replica;
        return new TrainingEvent.ReplicaAbsent(
                replica,
                overdue.since(),
                overdue.waiting() + "; if its pod runs, replace it: kubectl delete pod " + pod,
                overdue.overdue());
    }

    /** Processes the next line of the log; ignores lines without an event. */
    @Override
    public void accept(LogLine line) {
        // Output of the program without a line end may precede the mark.
        int mark = line.text().indexOf(MARK);
        if (!line.note() && mark >= 0) {
            reported.line(line.text().substring(mark + MARK.length()));
        }
    }

    /**
     * Subscribes a listener to the training events: first to recent events that it missed, then to each new one, in
     * order. Events come one at a time on a thread of this log. Progress events come at most once a second.
     *
     * @return ends the notifications when closed
     */
    public Subscription onTraining(Consumer<TrainingEvent> listener) {
        return hub.add(listener);
    }

    /** Returns the progress of the training, including its loss; empty before the master has reported any. */
    public Optional<Progress> progress() {
        return reported.progress();
    }

    /** Returns the newest 1,000 evaluations, in order. */
    public List<TrainingEvent.Evaluation> evaluations() {
        return reported.evaluations();
    }

    /** Returns the result of the training; empty until its master has ended. */
    public Optional<TrainingSummary> result() {
        return reported.summary();
    }

    /** Waits until each listener has received the events of all lines so far, or the limit is over. */
    public void drain(Duration limit) throws InterruptedException {
        hub.drain(limit);
    }

    /** Stops the thread of the listeners. */
    @Override
    public void close() {
        hub.close();
    }

    /** Returns the progress of the training. */
    @Override
    public String toString() {
        return progress().map(Progress::toString).orElse("no progress yet");
    }
}
