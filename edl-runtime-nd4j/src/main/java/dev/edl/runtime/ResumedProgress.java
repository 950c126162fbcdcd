package dev.edl.runtime;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;

/**
 * Work that all earlier runs of a training completed up to the checkpoint from which this run resumed.
 *
 * @param checkpoint the checkpoint's directory
 * @param version the checkpoint's model version
 * @param records number of records, over all epochs, whose task is complete in the checkpoint; a task that is complete
 *     only in part is not counted, because this run trains the rest of it
 * @param took duration of the earlier runs up to the checkpoint; zero when the checkpoint does not contain it
 */
public record ResumedProgress(Path checkpoint, long version, long records, Duration took) {
    /**
     * Returns, for example,
     * {@code resumed from version 120 in checkpoints/version-120, 480 records and 12 s into the training}.
     */
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "resumed from version %d in %s, %,d records and %,d s into the training",
                version,
                checkpoint,
                records,
                took.toSeconds());
    }
}
