package dev.edl.examples;

import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.data.RecordNames;
import dev.edl.runtime.model.Batch;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * File by which a walk-through pauses workers in other processes: they stop reading while the file exists. The submitter writes the file when
 * the training reaches a point, and deletes it once the walk-through has shown that point. A pause lasts at most half a
 * minute.
 */
public final class WorkerPauseFile implements WalkThroughGate {
    private static final int BOUND_MILLIS = 30_000;
    private static final int LOOK_MILLIS = 10;
    private static final String HOLD = "hold";
    private static final String JOINED = "joined-";

    private final Path folder;
    /** Points of the training, as shares from 0 to 1, each with whether the workers may read past it. */
    private final TreeMap<Double, Boolean> points = new TreeMap<>();

    private double share;

    /**
     * Creates the submitter's side and deletes all files in the folder.
     *
     * @param folder folder for the files, created if absent
     * @param shares points of the training, from 0 to 1; reading stops at each until {@link #goOn} lets it continue
     */
    public WorkerPauseFile(Path folder, double... shares) throws IOException {
        this.folder = folder;
        Files.createDirectories(folder);
        clear();
        for (double point : shares) {
            points.put(point, false);
        }
    }

    /**
     * Updates the share of finished tasks from an event of the training, and writes or deletes the file accordingly.
     */
    public synchronized void heard(TrainingEvent event) {
        if (event instanceof TrainingEvent.Progressed progressed) {
            share = (double) progressed.progress().tasksDone()
                    / Math.max(1, progressed.progress().tasks());
            hold();
        }
    }

    /** Writes the file if the training is at or past a point that reading may not pass yet; otherwise deletes it. */
    private void hold() {
        try {
            if (points.headMap(share, true).containsValue(false)) {
                Files.writeString(folder.resolve(HOLD), "");
            } else {
                Files.deleteIfExists(folder.resolve(HOLD));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the workers cannot be held", e);
        }
    }

    @Override
    public synchronized void goOn(double until) {
        points.headMap(until, true).replaceAll((point, free) -> true);
        hold();
    }

    @Override
    public synchronized boolean reached(double point) {
        return share >= point;
    }

    @Override
    public boolean joined(int workers) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().startsWith(JOINED))
                            .count()
                    >= workers;
        } catch (IOException e) {
            throw new UncheckedIOException("the workers cannot be counted", e);
        }
    }

    /** Deletes all files in the folder. */
    public void clear() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
    }

    /**
     * Returns a worker's dataset whose reads wait while the submitter's file exists.
     *
     * @param folder folder that was passed to the submitter's side
     * @param worker id of the worker, unique within the run
     */
    public static Dataset held(Dataset data, Path folder, String worker) {
        return new HeldDataset(data, folder.resolve(HOLD), folder.resolve(JOINED + worker));
    }

    private record HeldDataset(Dataset data, Path hold, Path joined) implements Dataset {
        @Override
        public List<DataShard> shards() {
            return data.shards();
        }

        @Override
        public RecordNames names() {
            return data.names();
        }

        @Override
        public int features() {
            return data.features();
        }

        @Override
        public int labels() {
            return data.labels();
        }

        @Override
        public int ids() {
            return data.ids();
        }

        @Override
        public void read(String shard, long start, long end, Batch into) throws IOException {
            if (!Files.exists(joined)) {
                Files.writeString(joined, "");
            }
            try {
                for (int waited = 0; waited < BOUND_MILLIS && Files.exists(hold); waited += LOOK_MILLIS) {
                    Thread.sleep(LOOK_MILLIS);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while the data are held back");
            }
            data.read(shard, start, end, into);
        }
    }
}
