package dev.edl.runtime.data.tfrecord;

import dev.edl.runtime.model.Batch;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Immutable mapping of one feature of an example to its position in a row. */
final class ExampleColumn {
    /** Part of a row to which a column is written. */
    enum Type {
        FLOATS,
        BYTES,
        LABELS,
        IDS
    }

    // Above this, a float skips whole numbers, and a class or a count would become another one.
    private static final long EXACT = 1L << 24;

    private final Type type;
    private final String name;
    private final byte[] utf8;
    private final int width;
    private final int first;
    private final float scale;
    private final boolean padded;
    private final @Nullable Double missing;

    /**
     * Creates a column that every record must have.
     *
     * @param width number of the feature's values in a record
     * @param first index of the column's first value among the row's features, labels or ids
     * @param scale factor by which feature values are multiplied
     * @param padded whether a record may have fewer than {@code width} values; the others become -1
     */
    ExampleColumn(Type type, String name, int width, int first, float scale, boolean padded) {
        this(type, name, width, first, scale, padded, null);
        if (width < 1) {
            throw new IllegalArgumentException("feature \"" + name + "\" must have at least 1 value, was " + width);
        }
        if (!Float.isFinite(scale)) {
            throw new IllegalArgumentException(
                    "feature \"" + name + "\": the scale must be finite, for example 0.0039, was " + scale);
        }
    }

    private ExampleColumn(
            Type type, String name, int width, int first, float scale, boolean padded, @Nullable Double missing) {
        this.type = type;
        this.name = name;
        this.utf8 = name.getBytes(StandardCharsets.UTF_8);
        this.width = width;
        this.first = first;
        this.scale = scale;
        this.padded = padded;
        this.missing = missing;
    }

    Type type() {
        return type;
    }

    String name() {
        return name;
    }

    int width() {
        return width;
    }

    /** Returns the same column with a default for examples without the feature. */
    ExampleColumn orElse(double value) {
        boolean valid = type == Type.IDS ? value == Math.rint(value) : Float.isFinite((float) value);
        if (!valid) {
            throw new IllegalArgumentException("feature \"" + name + "\": the value for examples without it must be "
                    + (type == Type.IDS ? "a whole number" : "finite") + ", was " + value);
        }
        return new ExampleColumn(type, name, width, first, scale, padded, value);
    }

    boolean isNamed(ByteBuffer bytes, int from, int to) {
        if (to - from != utf8.length) {
            return false;
        }
        for (int i = 0; i < utf8.length; i++) {
            if (bytes.get(from + i) != utf8[i]) {
                return false;
            }
        }
        return true;
    }

    /**
     * Fills the column's part of a row with the default, for a record that lacks the feature; returns false if the
     * column has no default.
     */
    boolean fillMissing(Batch into, int row) {
        if (missing == null) {
            return false;
        }
        switch (type) {
            case FLOATS, BYTES -> fill(into.features(), row * into.featureWidth() + first, missing.floatValue());
            case LABELS -> fill(into.labels(), row * into.labelWidth() + first, missing.floatValue());
            case IDS -> {
                int at = row * into.idWidth() + first;
                Arrays.fill(into.ids(), at, at + width, missing.longValue());
            }
        }
        return true;
    }

    /** Fills the column's part of a row for a feature without values; returns false if the column requires a value. */
    boolean fillEmpty(Batch into, int row) {
        if (missing == null && padded) {
            int at = row * into.idWidth() + first;
            Arrays.fill(into.ids(), at, at + width, -1);
            return true;
        }
        return fillMissing(into, row);
    }

    private void fill(float[] values, int at, float value) {
        Arrays.fill(values, at, at + width, value);
    }

    /** Copies the values of the feature to the column's part of a row. */
    void write(ExampleValues values, ByteBuffer bytes, Batch into, int row) {
        switch (type) {
            case FLOATS -> floats(values, into.features(), row * into.featureWidth() + first);
            case BYTES -> bytes(values, bytes, into.features(), row * into.featureWidth() + first);
            case LABELS -> labels(values, into.labels(), row * into.labelWidth() + first);
            case IDS -> ids(values, into.ids(), row * into.idWidth() + first);
        }
    }

    private void floats(ExampleValues values, float[] to, int at) {
        checkNumbers(values);
        if (values.kind() == TfExample.Kind.FLOATS) {
            float[] from = values.floats();
            for (int i = 0; i < width; i++) {
                to[at + i] = from[i] * scale;
            }
        } else {
            for (int i = 0; i < width; i++) {
                to[at + i] = values.int64s()[i] * scale;
            }
        }
        requireFinite(to, at);
    }

    private void requireFinite(float[] values, int at) {
        for (int i = 0; i < width; i++) {
            if (!Float.isFinite(values[at + i])) {
                throw new IllegalArgumentException(
                        "feature \"" + name + "\": value " + i + " must be finite, was " + values[at + i]);
            }
        }
    }

    private void bytes(ExampleValues values, ByteBuffer bytes, float[] to, int at) {
        checkKind(values, values.kind() == TfExample.Kind.BYTES, TfExample.Kind.BYTES.text());
        if (values.count() != 1 || values.to(0) - values.from(0) != width) {
            throw new IllegalArgumentException("feature \"" + name + "\": expected 1 value of " + width
                    + " bytes, found " + values.count()
                    + (values.count() == 1 ? " of " + (values.to(0) - values.from(0)) : ""));
        }
        int from = values.from(0);
        for (int i = 0; i < width; i++) {
            to[at + i] = (bytes.get(from + i) & 0xff) * scale;
        }
    }

    private void labels(ExampleValues values, float[] to, int at) {
        checkNumbers(values);
        for (int i = 0; i < width; i++) {
            if (values.kind() == TfExample.Kind.FLOATS) {
                to[at + i] = values.floats()[i];
                continue;
            }
            long label = values.int64s()[i];
            if (label < -EXACT || label > EXACT) {
                throw new IllegalArgumentException("feature \"" + name + "\": a label must be from -" + EXACT + " to "
                        + EXACT + ", which a float holds exactly, was " + label);
            }
            to[at + i] = label;
        }
        requireFinite(to, at);
    }

    private void ids(ExampleValues values, long[] to, int at) {
        checkKind(values, values.kind() == TfExample.Kind.INT64S, TfExample.Kind.INT64S.text());
        if (padded ? values.count() > width : values.count() != width) {
            throw count(values);
        }
        System.arraycopy(values.int64s(), 0, to, at, values.count());
        Arrays.fill(to, at + values.count(), at + width, -1);
    }

    private void checkNumbers(ExampleValues values) {
        TfExample.Kind kind = values.kind();
        checkKind(
                values,
                kind == TfExample.Kind.FLOATS || kind == TfExample.Kind.INT64S,
                "a float list or an int64 list");
        if (values.count() != width) {
            throw count(values);
        }
    }

    private void checkKind(ExampleValues values, boolean right, String expected) {
        if (!right) {
            throw new IllegalArgumentException("feature \"" + name + "\": expected " + expected + ", found "
                    + values.kind().text());
        }
    }

    private IllegalArgumentException count(ExampleValues values) {
        return new IllegalArgumentException("feature \"" + name + "\": expected " + (padded ? "at most " : "") + width
                + " values, found " + values.count());
    }
}
