package dev.edl.runtime.data.tfrecord;

import dev.edl.runtime.data.RecordFormat;
import dev.edl.runtime.data.RecordNames;
import dev.edl.runtime.model.Batch;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Immutable decoder of {@code tf.train.Example} records of RecordIO or TFRecord files, by the names of their features.
 *
 * <pre>{@code
 * ExampleDecoder mnist = ExampleDecoder.create().floats("image", 784, 1f / 255).label("label");
 * RecordIoDataset.open(Path.of("mnist/train"), mnist);
 *
 * ExampleDecoder clicks = ExampleDecoder.create()
 *     .floats("age").orElse(0)
 *     .ids("feature_ids", 10)
 *     .label("clicked");
 * TfRecordDataset.open(Path.of("clicks"), clicks);
 * }</pre>
 *
 * <p>Columns follow the order of the calls, separately for features, labels and ids. A record that lacks a feature, or
 * has another list type or number of values, is rejected; the message names the feature. Features without a column are
 * ignored. Each method returns a new decoder. Safe for several threads.
 */
public final class ExampleDecoder implements RecordFormat {
    private static final ExampleDecoder EMPTY = new ExampleDecoder(List.of());

    /** Buffers of one thread, so that a record allocates nothing. */
    private static final class Scratch {
        private final ExampleValues values = new ExampleValues();
        private boolean[] found = {};
    }

    private static final ThreadLocal<Scratch> SCRATCH = ThreadLocal.withInitial(Scratch::new);

    private final List<ExampleColumn> columns;
    private final int features;
    private final int labels;
    private final int ids;

    private ExampleDecoder(List<ExampleColumn> columns) {
        this.columns = columns;
        this.features = width(columns, ExampleColumn.Type.FLOATS) + width(columns, ExampleColumn.Type.BYTES);
        this.labels = width(columns, ExampleColumn.Type.LABELS);
        this.ids = width(columns, ExampleColumn.Type.IDS);
    }

    /** Returns a decoder without columns. */
    public static ExampleDecoder create() {
        return EMPTY;
    }

    /** Adds a column for the only number of a float or int64 list, which becomes a feature. */
    public ExampleDecoder floats(String name) {
        return floats(name, 1);
    }

    /** Adds a column for {@code width} numbers of a float or int64 list, which become features. */
    public ExampleDecoder floats(String name, int width) {
        return floats(name, width, 1);
    }

    /**
     * Adds numbers of a float or int64 list as features.
     *
     * @param width how many numbers the list must have, at least 1
     * @param scale factor by which each number is multiplied, for example {@code 1f / 255}
     */
    public ExampleDecoder floats(String name, int width, float scale) {
        return with(new ExampleColumn(ExampleColumn.Type.FLOATS, name, width, features, scale, false));
    }

    /**
     * Adds the bytes of the only value of a bytes list, such as a raw image, as features from 0 to 255.
     *
     * @param width how many bytes the value must have, at least 1
     * @param scale factor by which each byte is multiplied, for example {@code 1f / 255}
     */
    public ExampleDecoder bytes(String name, int width, float scale) {
        return with(new ExampleColumn(ExampleColumn.Type.BYTES, name, width, features, scale, false));
    }

    /** Adds one number of an int64 or float list as a label. */
    public ExampleDecoder label(String name) {
        return labels(name, 1);
    }

    /**
     * Adds numbers of an int64 or float list as labels.
     *
     * @param width how many numbers the list must have, at least 1
     */
    public ExampleDecoder labels(String name, int width) {
        return with(new ExampleColumn(ExampleColumn.Type.LABELS, name, width, labels, 1, false));
    }

    /**
     * Adds numbers of an int64 list as ids.
     *
     * @param width how many numbers the list must have, at least 1
     */
    public ExampleDecoder ids(String name, int width) {
        return with(new ExampleColumn(ExampleColumn.Type.IDS, name, width, ids, 1, false));
    }

    /**
     * Adds numbers of an int64 list as ids; missing ones become -1, which means none.
     *
     * @param width maximum number of numbers in the list, at least 1
     */
    public ExampleDecoder idsUpTo(String name, int width) {
        return with(new ExampleColumn(ExampleColumn.Type.IDS, name, width, ids, 1, true));
    }

    /**
     * Sets the default of the column that was added last, for examples that lack its feature or have it without a
     * value.
     *
     * @param value number that becomes each value of the column, without the column's scale; finite, and a whole number
     *     for ids, where a negative one means none
     */
    public ExampleDecoder orElse(double value) {
        if (columns.isEmpty()) {
            throw new IllegalArgumentException("orElse(" + value
                    + ") must follow the column that it is for, for example floats(\"age\").orElse(0)");
        }
        List<ExampleColumn> changed = new ArrayList<>(columns);
        changed.set(changed.size() - 1, changed.get(changed.size() - 1).orElse(value));
        return new ExampleDecoder(List.copyOf(changed));
    }

    @Override
    public int features() {
        return features;
    }

    @Override
    public int labels() {
        return labels;
    }

    @Override
    public int ids() {
        return ids;
    }

    /** {@inheritDoc} Labels are the numbers of the record. */
    @Override
    public RecordNames names() {
        return labels > 0 ? RecordNames.numbered() : RecordNames.UNKNOWN;
    }

    @Override
    public void decode(byte[] record, Batch into) {
        decode(ByteBuffer.wrap(record), into);
    }

    @Override
    public void decode(ByteBuffer record, Batch into) {
        Scratch scratch = SCRATCH.get();
        if (scratch.found.length < columns.size()) {
            scratch.found = new boolean[columns.size()];
        }
        boolean[] found = scratch.found;
        Arrays.fill(found, false);
        int row = into.row();
        ProtoReader in = new ProtoReader(record);
        ExampleFeatureIterator.of(in, record.position(), record.limit(), (nameFrom, nameTo, valueFrom, valueTo) -> {
            for (int i = 0; i < columns.size(); i++) {
                ExampleColumn column = columns.get(i);
                if (column.isNamed(in.bytes(), nameFrom, nameTo)) {
                    scratch.values.read(in, valueFrom, valueTo);
                    found[i] = scratch.values.count() > 0;
                    if (found[i]) {
                        column.write(scratch.values, in.bytes(), into, row);
                    } else {
                        found[i] = column.fillEmpty(into, row);
                    }
                }
            }
        });
        for (int i = 0; i < columns.size(); i++) {
            if (!found[i] && !columns.get(i).fillMissing(into, row)) {
                throw missing(columns.get(i), record);
            }
        }
    }

    private static IllegalArgumentException missing(ExampleColumn column, ByteBuffer record) {
        TreeSet<String> names = new TreeSet<>();
        ProtoReader in = new ProtoReader(record);
        ExampleFeatureIterator.of(
                in,
                record.position(),
                record.limit(),
                (nameFrom, nameTo, valueFrom, valueTo) -> names.add(TfExample.name(in, nameFrom, nameTo)));
        String problem = names.contains(column.name())
                ? "feature \"" + column.name() + "\" has no value"
                : "there is no feature \"" + column.name() + "\"; " + TfExample.listed(names);
        return new IllegalArgumentException(problem + "; if it is optional, set a default with orElse");
    }

    private ExampleDecoder with(ExampleColumn column) {
        List<ExampleColumn> more = new ArrayList<>(columns);
        more.add(column);
        return new ExampleDecoder(List.copyOf(more));
    }

    private static int width(List<ExampleColumn> columns, ExampleColumn.Type type) {
        return columns.stream()
                .filter(column -> column.type() == type)
                .mapToInt(ExampleColumn::width)
                .sum();
    }

    /** Returns, for example, {@code ExampleDecoder[floats "image" 784, labels "label" 1]}. */
    @Override
    public String toString() {
        return columns.stream()
                .map(c -> c.type().name().toLowerCase(Locale.ROOT) + " \"" + c.name() + "\" " + c.width())
                .collect(Collectors.joining(", ", "ExampleDecoder[", "]"));
    }
}
