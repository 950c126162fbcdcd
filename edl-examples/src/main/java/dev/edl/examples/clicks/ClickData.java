package dev.edl.examples.clicks;

import dev.edl.runtime.data.RecordFormat;
import dev.edl.runtime.data.recordio.RecordIoWriter;
import dev.edl.runtime.model.Batch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Synthetic clicks in the shape of Criteo's: 13 numbers, 26 ids, and whether the advertisement was clicked.
 *
 * <p>A record is a pure function of the seed and the record's number, the same on every machine. The true probability
 * of a click is known: weights of ids, products of hidden vectors of pairs of ids, and non-linear terms of the numbers
 * ({@link TrueClickProbability}). No id occurs in two fields. A few ids of a field are frequent and most are rare; three in a
 * hundred are missing.
 *
 * <pre>{@code
 * ClickData clicks = new ClickData(1);
 * clicks.write(Path.of("clicks/train"), 0, 4, 10_000);           // records 0..40000 in 4 RecordIO files
 * clicks.write(Path.of("clicks/test"), 1_000_000, 1, 10_000);    // others than those
 * RecordIoDataset train = RecordIoDataset.open(Path.of("clicks/train"), clicks);
 * }</pre>
 *
 * <p>The format is little-endian: 13 floats, 26 integers of 4 bytes (-1 for none), the label in one byte. This class
 * writes and decodes it. Immutable and safe for several threads.
 */
public final class ClickData implements RecordFormat {
    /** Number of ids of a record. */
    public static final int FIELDS = 26;

    /** Number of float features of a record. */
    public static final int NUMERIC = 13;

    /** Size of a record in bytes. */
    public static final int RECORD_BYTES = 4 * NUMERIC + 4 * FIELDS + 1;

    private static final double MISSING = 0.03;

    private final long seed;
    private final TrueClickProbability truth;

    /** Creates clicks; another seed gives other clicks with other true probabilities. */
    public ClickData(long seed) {
        this.seed = seed;
        this.truth = new TrueClickProbability(seed);
    }

    /** Returns the number n of different ids, which are 0 to n - 1. */
    public static int vocabulary() {
        return firstId(FIELDS);
    }

    /**
     * Returns the bytes of a record.
     *
     * @param number number of the record, at least 0
     */
    public byte[] record(long number) {
        SeededDraws draws = new SeededDraws(seed, number);
        float[] numbers = new float[NUMERIC];
        int[] ids = new int[FIELDS];
        for (int i = 0; i < NUMERIC; i++) {
            numbers[i] = (float) (2 * draws.next() - 1);
        }
        for (int f = 0; f < FIELDS; f++) {
            double u = draws.next();
            // The cube makes the first ids of a field frequent.
            ids[f] = draws.next() < MISSING ? -1 : firstId(f) + (int) (u * u * u * size(f));
        }
        ByteBuffer record = ByteBuffer.allocate(RECORD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (float x : numbers) {
            record.putFloat(x);
        }
        for (int id : ids) {
            record.putInt(id);
        }
        return record.put((byte) (draws.next() < truth.probability(ids, numbers) ? 1 : 0))
                .array();
    }

    /**
     * Writes RecordIO files {@code clicks-00000}, {@code clicks-00001} and so on.
     *
     * @param folder created if it does not exist
     * @param firstRecord number of the first record
     * @param files number of files
     * @param recordsPerFile number of records in each file
     */
    public void write(Path folder, long firstRecord, int files, int recordsPerFile) throws IOException {
        Files.createDirectories(folder);
        for (int file = 0; file < files; file++) {
            Path path = folder.resolve(String.format(Locale.ROOT, "clicks-%05d", file));
            try (RecordIoWriter out = RecordIoWriter.create(path)) {
                for (int i = 0; i < recordsPerFile; i++) {
                    out.write(record(firstRecord + (long) file * recordsPerFile + i));
                }
            }
        }
    }

    /** Returns {@link #NUMERIC}. */
    @Override
    public int features() {
        return NUMERIC;
    }

    /** Returns 1: the only label is whether the advertisement was clicked. */
    @Override
    public int labels() {
        return 1;
    }

    /** Returns {@link #FIELDS}. */
    @Override
    public int ids() {
        return FIELDS;
    }

    @Override
    public void decode(byte[] record, Batch into) {
        if (record.length != RECORD_BYTES) {
            throw new IllegalArgumentException("a click has " + RECORD_BYTES + " bytes, was " + record.length);
        }
        int row = into.row();
        ByteBuffer bytes = ByteBuffer.wrap(record).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < NUMERIC; i++) {
            into.features()[row * NUMERIC + i] = bytes.getFloat();
        }
        for (int f = 0; f < FIELDS; f++) {
            into.ids()[row * FIELDS + f] = bytes.getInt();
        }
        into.labels()[row] = bytes.get();
    }

    /** Returns the number of ids of a field. */
    private static int size(int field) {
        return 4 << field % 7;
    }

    private static int firstId(int field) {
        int first = 0;
        for (int f = 0; f < field; f++) {
            first += size(f);
        }
        return first;
    }

    /** Returns, for example, {@code ClickData[seed 1]}. */
    @Override
    public String toString() {
        return "ClickData[seed " + seed + "]";
    }
}
