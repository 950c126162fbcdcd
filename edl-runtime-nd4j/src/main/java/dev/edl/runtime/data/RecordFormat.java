package dev.edl.runtime.data;

import dev.edl.runtime.data.idx.LabelledPixels;
import dev.edl.runtime.data.tfrecord.ExampleDecoder;
import dev.edl.runtime.model.Batch;
import java.nio.ByteBuffer;

/**
 * Decoder that states how many features, labels and ids a record has.
 *
 * <pre>{@code
 * RecordFormat oneFloat = RecordFormat.of(1, 0, 0, (record, into) -> {
 *   int row = into.row();
 *   into.features()[row] = ByteBuffer.wrap(record).getFloat();
 * });
 * RecordIoDataset.open(Path.of("train"), oneFloat);
 * }</pre>
 *
 * @see LabelledPixels
 * @see ExampleDecoder
 */
public interface RecordFormat extends RecordDecoder {
    /** Returns the number of feature floats in one record; at least 1 unless there are ids. */
    int features();

    /** Returns the number of label floats in one record; 0 for records without labels. */
    int labels();

    /** Returns the number of ids in one record; 0 for records without ids. */
    default int ids() {
        return 0;
    }

    /**
     * Returns the names of the records' features, classes, labels and ids; see {@link Dataset#names}. Default:
     * {@link RecordNames#UNKNOWN}.
     */
    default RecordNames names() {
        return RecordNames.UNKNOWN;
    }

    /**
     * Returns a record format that consists of a decoder and its row widths.
     *
     * @param features floats of features that the decoder writes for one record, at least 0
     * @param labels floats of labels that the decoder writes for one record, at least 0
     * @param ids ids that the decoder writes for one record, at least 0; features and ids must not both be 0
     */
    static RecordFormat of(int features, int labels, int ids, RecordDecoder decoder) {
        return new SizedDecoder(features, labels, ids, decoder);
    }

    /** Record format that consists of a decoder and its row widths, see {@link #of}. */
    record SizedDecoder(int features, int labels, int ids, RecordDecoder decoder) implements RecordFormat {
        /** Checks the widths. */
        public SizedDecoder {
            if (features < 0 || labels < 0 || ids < 0 || features + ids < 1) {
                throw new IllegalArgumentException(
                        "a record needs features >= 0, labels >= 0, ids >= 0, and features or" + " ids; was " + features
                                + ", " + labels + ", " + ids);
            }
        }

        @Override
        public RecordNames names() {
            return decoder instanceof RecordFormat format ? format.names() : RecordNames.UNKNOWN;
        }

        @Override
        public void decode(byte[] record, Batch into) {
            decoder.decode(record, into);
        }

        @Override
        public void decode(ByteBuffer record, Batch into) {
            decoder.decode(record, into);
        }
    }
}
