package dev.edl.runtime.data;

import dev.edl.runtime.data.csv.CsvTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * Destination of a prediction's outputs: a file, or user code.
 *
 * <pre>{@code
 * PredictionWriter.npy(Path.of("out.npy"));         // one float32 array [records, outputs]
 * PredictionWriter.csv(Path.of("out.csv"));         // shard, record, output_0, output_1, ...
 * PredictionWriter.to((shard, start, end, outputs, width) -> index.put(shard, start, outputs));
 * }</pre>
 *
 * <p>A writer is immutable and can be used for several runs, one after the other; each run opens a {@link Sink}.
 */
@FunctionalInterface
public interface PredictionWriter {
    /**
     * Opens the sink of one run.
     *
     * @param shards the shards to predict, in the order of the data
     * @param outputs number of output floats for each record
     * @throws IOException when the destination cannot be written; the run then does not start
     */
    Sink open(List<DataShard> shards, int outputs) throws IOException;

    /** Receiver of the outputs of one run. Called by one thread at a time, not always the same one. */
    interface Sink extends AutoCloseable {
        /**
         * Writes the outputs of consecutive records. Ranges arrive in any order; each record arrives exactly once, even
         * if replicas die.
         *
         * @param start index of the first record within the shard, from 0
         * @param end index after that of the last record
         * @param outputs row-major, all of it in use; the sink may keep the array
         * @throws IOException when it cannot be written; the run then fails with its message
         */
        void write(String shard, long start, long end, float[] outputs) throws IOException;

        /** Publishes the outputs after all records have arrived. Called at most once. */
        void commit() throws IOException;

        /**
         * Ends the run. Without an earlier {@link #commit}, the run failed or was cancelled, and no output must remain.
         */
        @Override
        void close() throws IOException;
    }

    /** User code that receives the outputs of consecutive records, see {@link Sink#write}. */
    @FunctionalInterface
    interface Receiver {
        /**
         * Receives the outputs of the records {@code start} (inclusive) to {@code end} (exclusive) of a shard,
         * {@code width} floats per record.
         */
        void accept(String shard, long start, long end, float[] outputs, int width) throws IOException;
    }

    /**
     * Returns a writer of one {@code .npy} file of float32 and shape {@code (records, outputs)}, with the shards one
     * after the other.
     *
     * <p>Rows are written in place as they arrive, so none are held in memory. The file gets its name when it is
     * complete.
     */
    static PredictionWriter npy(Path file) {
        return new NpyPredictions(Objects.requireNonNull(file, "file"));
    }

    /**
     * Returns a writer of a CSV file (RFC 4180, UTF-8) in the order of the data.
     *
     * <p>Its columns are the shard, the record's number within it, and the outputs as the shortest decimals that are
     * these floats. It needs as many additional bytes on disk as an {@code .npy} file would, and no memory. The file
     * gets its name when it is complete.
     */
    static PredictionWriter csv(Path file) {
        return csv(file, List.of());
    }

    /**
     * Returns a writer of a CSV file as in {@link #csv(Path)}, with names for the output columns.
     *
     * @param outputs a name for each output, for example {@link CsvTable#classNames()}; if empty, {@code output_0} and
     *     so on
     */
    static PredictionWriter csv(Path file, List<String> outputs) {
        return new CsvPredictions(Objects.requireNonNull(file, "file"), outputs);
    }

    /**
     * Returns a writer that passes the outputs to user code as they arrive. If the run fails, outputs that were already
     * passed are not withdrawn.
     */
    static PredictionWriter to(Receiver receiver) {
        Objects.requireNonNull(receiver, "receiver");
        return new PredictionWriter() {
            @Override
            public Sink open(List<DataShard> shards, int outputs) {
                return new PredictionReceiverSink(receiver, outputs);
            }

            @Override
            public String toString() {
                return "a receiver";
            }
        };
    }
}
