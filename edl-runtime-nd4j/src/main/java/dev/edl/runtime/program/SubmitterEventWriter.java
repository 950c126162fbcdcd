package dev.edl.runtime.program;

import dev.edl.runtime.Progress;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.wire.watch.EventJson;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Events that the masters of one run report to their submitter, as lines of a file or of their log. Progress is
 * thinned, so that the output stays small for a run of any length. A log has one loss of each worker between two
 * progress lines. For one thread at a time.
 */
final class SubmitterEventWriter implements Consumer<TrainingEvent>, AutoCloseable {
    /**
     * Environment variable with the directory of the event files, if submitter and master share a machine; or
     * {@value #LOG}.
     */
    static final String VARIABLE = "EDL_EVENTS";

    /**
     * Value of {@link #VARIABLE} by which the events go to the master's log, each line with the prefix
     * {@link MasterLog#MARK}.
     */
    static final String LOG = "log";

    private static final Duration OFTEN = Duration.ofMillis(20);
    /** Minimum time between two progress lines in a log, because a cluster stores logs of limited size only. */
    private static final Duration OFTEN_IN_LOG = Duration.ofSeconds(1);

    private static final int PARTS = 1000;

    private final OutputStream to;
    private final @Nullable Path file;
    private final Duration often;
    private final String mark;
    /** Workers whose loss was logged since the last progress line. */
    private final Set<String> losses = new HashSet<>();

    private Duration next = Duration.ZERO;

    private SubmitterEventWriter(OutputStream to, @Nullable Path file, Duration often, String mark) {
        this.to = to;
        this.file = file;
        this.often = often;
        this.mark = mark;
    }

    /** Opens the event file of a run. If the environment does not set {@link #VARIABLE}, events are discarded. */
    static SubmitterEventWriter of(Map<String, String> environment, String run) throws IOException {
        String folder = environment.get(VARIABLE);
        if (folder == null) {
            return new SubmitterEventWriter(OutputStream.nullOutputStream(), null, OFTEN, "");
        }
        if (folder.equals(LOG)) {
            return new SubmitterEventWriter(System.out, null, OFTEN_IN_LOG, MasterLog.MARK);
        }
        Path file = file(Path.of(folder), run);
        SubmitterEventWriter writer = new SubmitterEventWriter(
                Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND), file, OFTEN, "");
        // An earlier master may have ended inside a line.
        writer.line("");
        return writer;
    }

    static Path file(Path folder, String run) {
        return folder.resolve(run + ".events");
    }

    @Override
    public void accept(TrainingEvent event) {
        if (event instanceof TrainingEvent.Progressed progressed) {
            if (!due(progressed.progress())) {
                return;
            }
            losses.clear();
        } else if (event instanceof TrainingEvent.Loss loss && to == System.out && !losses.add(loss.worker())) {
            return;
        }
        EventJson.write(event).ifPresent(this::line);
    }

    /**
     * Returns whether a progress line is due. The interval is a thousandth of the elapsed time, so a run of days has
     * only some thousands of lines. A progress of all tasks is always due.
     */
    private boolean due(Progress progress) {
        if (progress.tasksDone() < progress.tasks() && progress.elapsed().compareTo(next) < 0) {
            return false;
        }
        Duration part = progress.elapsed().dividedBy(PARTS);
        next = progress.elapsed().plus(part.compareTo(often) < 0 ? often : part);
        return true;
    }

    /**
     * Gives a sign of life: sets the modification time of the event file. Any thread may call it. A log needs no sign,
     * because a cluster watches its pods.
     */
    void alive() {
        if (file != null) {
            try {
                Files.setLastModifiedTime(file, FileTime.from(Instant.now()));
            } catch (IOException e) {
                throw new UncheckedIOException("cannot set the modification time of " + file, e);
            }
        }
    }

    void result(TrainingSummary summary) {
        line(SummaryJson.write(summary));
    }

    private void line(String text) {
        try {
            to.write((mark + text + "\n").getBytes(StandardCharsets.UTF_8));
            to.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write an event to the submitter: " + text, e);
        }
    }

    @Override
    public void close() throws IOException {
        if (to != System.out) {
            to.close();
        }
    }
}
