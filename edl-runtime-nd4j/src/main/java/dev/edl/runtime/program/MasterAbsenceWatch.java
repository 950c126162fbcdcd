package dev.edl.runtime.program;

import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.engine.internal.AbsenceWatch;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Absence of a run's master, as its submitter sees it. A master changes the modification time of its event file every
 * {@link #SIGN}. Before the first change of a run, no master is absent, because it may read its data.
 */
final class MasterAbsenceWatch {
    /** Time between two signs of life of a master, and between two looks for them. */
    static final Duration SIGN = Duration.ofSeconds(1);

    /** Name of the replica in events. */
    static final String MASTER = "master";

    /** Default of the training's {@code absenceTimeout}, because a submitter does not know the configured one. */
    private static final Duration ABSENCE_TIMEOUT = Duration.ofMinutes(10);

    private final AbsenceWatch watch = new AbsenceWatch(ABSENCE_TIMEOUT);
    private Optional<FileTime> last = Optional.empty();
    private OptionalLong process = OptionalLong.empty();

    /**
     * Compares the master with that of the last look, and returns the events that are due.
     *
     * @param pid the master's process; empty if it does not run
     * @param modified modification time of the event file; empty if there is no file yet
     * @param now a time, in nanoseconds of one clock
     */
    List<TrainingEvent> poll(OptionalLong pid, Optional<FileTime> modified, long now) {
        if (!pid.equals(process)) {
            // A successor reads the data and the checkpoint before its first sign of life.
            watch.starts(MASTER);
        }
        boolean present = modified.isEmpty() || (pid.isPresent() && !modified.equals(last));
        process = pid;
        last = modified;
        return watch.poll(present ? Set.of() : Set.of(MASTER), Set.of(), "servers and workers wait for it", now);
    }
}
