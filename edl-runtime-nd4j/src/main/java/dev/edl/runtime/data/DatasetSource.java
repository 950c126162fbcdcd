package dev.edl.runtime.data;

import java.io.IOException;

/**
 * Factory that opens a dataset in the process that reads it.
 *
 * <pre>{@code
 * Training.builder().data(() -> RecordIoDataset.open(Path.of("/data/train"), decoder))
 * }</pre>
 */
@FunctionalInterface
public interface DatasetSource {
    /**
     * Opens the dataset; called once in each process that reads it.
     *
     * @return dataset that has the same shards in every process
     * @throws IOException when it cannot be opened
     */
    Dataset open() throws IOException;
}
