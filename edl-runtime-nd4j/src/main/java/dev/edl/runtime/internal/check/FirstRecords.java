package dev.edl.runtime.internal.check;

import dev.edl.runtime.Training;
import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.model.Batch;
import java.io.IOException;

/** Reads the records for the checks of a model before a job starts. */
final class FirstRecords {
    private FirstRecords() {}

    /**
     * Returns the first records of the first shard that is not empty, at most as many as a minibatch has.
     *
     * @param most the maximum number of records
     */
    static Batch of(Training training, Dataset data, int most) throws IOException {
        DataShard first =
                data.shards().stream().filter(s -> s.records() > 0).findFirst().orElseThrow();
        int count = (int) Math.min(Math.min(most, training.minibatch()), first.records());
        Batch sample = Batch.of(training.model(), count);
        sample.clear(first.name() + "[0.." + count + ")");
        data.read(first.name(), 0, count, sample);
        sample.gather().tables().forEach(rows -> rows.initialize(training.seed()));
        return sample;
    }
}
