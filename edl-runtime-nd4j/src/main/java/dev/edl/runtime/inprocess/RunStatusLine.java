package dev.edl.runtime.inprocess;

import dev.edl.exec.JobStatus;
import dev.edl.runtime.Progress;
import java.util.Locale;
import java.util.Optional;

/** Formats the state of a run as one line for people. */
final class RunStatusLine {
    private RunStatusLine() {}

    static String of(JobStatus status, Progress progress, Optional<String> result) {
        String start = "job " + status.job() + " " + status.phase();
        if (!status.phase().ended()) {
            return start + ": " + progress;
        }
        if (result.isEmpty()) {
            return start + (status.message().isEmpty() ? "" : ": " + status.message());
        }
        return String.format(
                Locale.ROOT,
                "%s: %,d records in %.1f s, %s",
                start,
                progress.recordsDone(),
                progress.elapsed().toMillis() / 1000.0,
                result.get());
    }
}
