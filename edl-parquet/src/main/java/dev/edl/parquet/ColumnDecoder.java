package dev.edl.parquet;

import dev.edl.parquet.ParquetColumns.Selected;
import dev.edl.parquet.ParquetColumns.Use;
import dev.edl.runtime.data.IdHash;
import dev.edl.runtime.model.Batch;
import java.util.List;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnReader;
import org.jspecify.annotations.Nullable;

/**
 * Decoder of a selected column of a file: puts the values of a row group into their place in the rows of a batch.
 *
 * @param place index of the column's first value among the values of its use
 * @param present definition level from which a record has a value, or its list an element
 * @param listed definition level from which a record has a list, even an empty one
 * @param missing value of a missing feature; null if it is an error
 */
record ColumnDecoder(
        Selected column,
        int place,
        ColumnDescriptor descriptor,
        ColumnValue value,
        int present,
        int listed,
        List<String> classes,
        @Nullable Float missing) {
    private static final int MOST_QUOTED = 100;

    /** Thrown for an intact value that its use does not allow. */
    static final class ValueException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final int row;

        ValueException(int row, String problem) {
            super(problem, null, false, false);
            this.row = row;
        }

        int row() {
            return row;
        }
    }

    /** Decodes the column's values of all rows of the batch. */
    void decode(ColumnReader in, long values, Batch into) {
        if (column.width() > 0) {
            lists(in, values, into);
            return;
        }
        int rows = into.size();
        requireValues(values, rows);
        for (int row = 0; row < rows; row++) {
            put(in, row, 0, into);
            in.consume();
        }
    }

    private void lists(ColumnReader in, long values, Batch into) {
        int row = -1;
        int element = 0;
        int found = 0;
        for (long left = values; left > 0; left--) {
            if (in.getCurrentRepetitionLevel() == 0) {
                requireWidth(row, found);
                row++;
                element = 0;
                found = 0;
                if (row == into.size()) {
                    throw new IllegalStateException("has more than " + into.size() + " lists");
                }
            }
            if (in.getCurrentDefinitionLevel() >= present) {
                if (element < column.width()) {
                    put(in, row, element++, into);
                }
                found++;
            } else if (in.getCurrentDefinitionLevel() < listed) {
                while (element < column.width()) {
                    put(in, row, element++, into);
                }
                found = column.width();
            }
            in.consume();
        }
        requireWidth(row, found);
        requireValues(row + 1L, into.size());
    }

    private void requireWidth(int row, int found) {
        if (row >= 0 && found != column.width()) {
            throw new ValueException(row, "must have " + column.width() + " values in its list, found " + found);
        }
    }

    private static void requireValues(long found, int rows) {
        if (found != rows) {
            throw new IllegalStateException("must have a value for each of " + rows + " rows, found " + found);
        }
    }

    private void put(ColumnReader in, int row, int element, Batch into) {
        boolean isNull = in.getCurrentDefinitionLevel() < descriptor.getMaxDefinitionLevel();
        try {
            switch (column.use()) {
                case FEATURE -> into.features()[row * into.featureWidth() + place + element] = feature(in, isNull);
                case LABEL -> into.labels()[row * into.labelWidth() + place] = label(in, isNull);
                case ID -> into.ids()[row * into.idWidth() + place] = id(in, isNull);
            }
        } catch (IllegalArgumentException e) {
            throw new ValueException(row, "" + e.getMessage());
        }
    }

    private float feature(ColumnReader in, boolean isNull) {
        double number = isNull ? Double.NaN : value.number(in);
        if (Double.isNaN(number)) {
            if (missing == null) {
                throw new IllegalArgumentException("is missing; missing(0) gives missing features a value");
            }
            return missing;
        }
        return finite(number);
    }

    private float label(ColumnReader in, boolean isNull) {
        if (!classes.isEmpty()) {
            String text = isNull ? "" : value.text(in).strip();
            int index = classes.indexOf(text);
            if (index < 0) {
                throw new IllegalArgumentException(
                        text.isEmpty() ? "is missing" : "is \"" + cut(text) + "\", not one of the classes " + classes);
            }
            return index;
        }
        double number = isNull ? Double.NaN : value.number(in);
        if (Double.isNaN(number)) {
            throw new IllegalArgumentException("is missing, but labels must be present");
        }
        if (value.isWhole() && Math.abs(number) >= 1 << 24) {
            throw new IllegalArgumentException("is " + value.text(in)
                    + ", but whole numbers from 16,777,216 on are no labels, because a float would change them");
        }
        return finite(number);
    }

    private static String cut(String text) {
        return text.length() <= MOST_QUOTED ? text : text.substring(0, MOST_QUOTED) + "…";
    }

    private static float finite(double number) {
        float as = (float) number;
        if (!Float.isFinite(as)) {
            throw new IllegalArgumentException("is " + number + ", which is not a finite 32-bit float");
        }
        return as;
    }

    private long id(ColumnReader in, boolean isNull) {
        if (isNull) {
            return -1;
        }
        if (column.buckets() > 0) {
            String text = value.text(in).strip();
            return text.isEmpty() ? -1 : IdHash.of(place, text, column.buckets());
        }
        if (value.isWhole()) {
            return value.whole(in);
        }
        double number = value.number(in);
        if (Double.isNaN(number)) {
            return -1;
        }
        if (number != Math.rint(number) || Math.abs(number) > 1L << 53) {
            throw new IllegalArgumentException("is " + number + ", which is not a whole number, for example 3");
        }
        return (long) number;
    }

    /** Returns the column's name for messages. */
    String name() {
        return "column \"" + column.name() + "\"";
    }

    /** Returns whether the column's values are read as texts. */
    static boolean isText(Selected column, List<String> classes) {
        return column.use() == Use.ID ? column.buckets() > 0 : column.use() == Use.LABEL && !classes.isEmpty();
    }
}
