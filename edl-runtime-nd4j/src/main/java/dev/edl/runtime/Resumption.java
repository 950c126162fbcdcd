package dev.edl.runtime;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;

/**
 * What was done before the run that went on from a checkpoint, over all runs before it.
 *
 * @param checkpoint the directory it went on from
 * @param version the model version there
 * @param records records of all epochs whose task was complete there; a task of which the checkpoint has a part is not
 *     counted, its other part is trained by this run
 * @param took what these runs needed up to the checkpoint; zero when the checkpoint does not say
 */
public record Resumption(Path checkpoint, long version, long records, Duration took) {
    /** For example {@code went on from version 120 in checkpoints/version-120, 480 records and 12 s into the training}. */
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "went on from version %d in %s, %,d records and %,d s into the training",
                version,
                checkpoint,
                records,
                took.toSeconds());
    }
}
