package dev.edl.runtime.data;

import dev.edl.runtime.data.csv.CsvTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * Where the outputs of a prediction go: a file, or code of the user's.
 *
 * <pre>{@code
 * PredictionWriter.npy(Path.of("out.npy"))          // one float32 array [records, outputs]
 * PredictionWriter.csv(Path.of("out.csv"))          // shard, record, output_0, output_1, ...
 * PredictionWriter.to((shard, start, end, outputs, width) -> index.put(shard, start, outputs))
 * }</pre>
 *
 * <p>A writer is immutable and can be used for several runs, one after the other; each run opens a {@link Sink}.
 */
@FunctionalInterface
public interface PredictionWriter {
    /**
     * Begins a run.
     *
     * @param shards what will be predicted, in the order of the data
     * @param outputs floats of one record
     * @throws IOException when it cannot be written there; the run then does not begin
     */
    Sink open(List<DataShard> shards, int outputs) throws IOException;

    /** Takes the outputs of one run. Called by one thread at a time, not always the same one. */
    interface Sink extends AutoCloseable {
        /**
         * Takes the outputs of some consecutive records. Ranges come in any order; each record comes exactly once, whatever
         * is killed.
         *
         * @param start the first record, counted from 0 within the shard
         * @param end the record behind the last one
         * @param outputs row-major, all of it in use; the receiver's to keep
         * @throws IOException when it cannot be written; the run then fails with its message
         */
        void write(String shard, long start, long end, float[] outputs) throws IOException;

        /** All records have come: what was written may be shown. Called at most once. */
        void commit() throws IOException;

        /** Ends the run; without a {@link #commit} before, the run failed or was cancelled, and nothing must stay. */
        @Override
        void close() throws IOException;
    }

    /** Takes the outputs of some consecutive records, see {@link Sink#write}. */
    @FunctionalInterface
    interface Receiver {
        /** Takes the outputs; {@code width} floats a record. */
        void accept(String shard, long start, long end, float[] outputs, int width) throws IOException;
    }

    /**
     * One {@code .npy} file of float32 and shape {@code (records, outputs)}, all shards behind each other. Rows are written
     * where they belong as they come, so it needs no memory; the file appears under its name when it is complete.
     */
    static PredictionWriter npy(Path file) {
        return new NpyPredictions(Objects.requireNonNull(file, "file"));
    }

    /**
     * A CSV file (RFC 4180, UTF-8) in the order of the data: a header, then shard, number of the record within it, and
     * the outputs as the shortest decimals that are these floats. Needs as many bytes on disk beside it as an
     * {@code .npy} file would, and no memory; the file appears under its name when it is complete.
     */
    static PredictionWriter csv(Path file) {
        return csv(file, List.of());
    }

    /**
     * A CSV file as {@link #csv(Path)} writes it, whose columns of outputs have names.
     *
     * @param outputs a name for each output, for example {@link CsvTable#classNames()}; without any, {@code output_0} and so on
     */
    static PredictionWriter csv(Path file, List<String> outputs) {
        return new CsvPredictions(Objects.requireNonNull(file, "file"), outputs);
    }

    /** Hands the outputs to code of the user's as they come. What it was given of a run that fails, it keeps. */
    static PredictionWriter to(Receiver receiver) {
        Objects.requireNonNull(receiver, "receiver");
        return new PredictionWriter() {
            @Override
            public Sink open(List<DataShard> shards, int outputs) {
                return new ReceiverSink(receiver, outputs);
            }

            @Override
            public String toString() {
                return "a receiver";
            }
        };
    }
}
