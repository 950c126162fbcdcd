package dev.edl.runtime.data.recordio;

import dev.edl.runtime.data.RecordFormat;
import dev.edl.runtime.model.Batch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Record format that stores the rows of a batch: ids in 8 bytes each, then features and labels in 4 each,
 * little-endian.
 *
 * @param features floats of features in one record
 * @param labels floats of labels in one record
 * @param ids ids in one record
 */
record BatchRowFormat(int features, int labels, int ids) implements RecordFormat {
    int size() {
        return Math.addExact(
                Math.multiplyExact(Long.BYTES, ids), Math.multiplyExact(Float.BYTES, Math.addExact(features, labels)));
    }

    byte[] encode(Batch from, int row) {
        ByteBuffer record = ByteBuffer.allocate(size()).order(ByteOrder.LITTLE_ENDIAN);
        record.asLongBuffer().put(from.ids(), row * ids, ids);
        record.position(Long.BYTES * ids);
        record.asFloatBuffer().put(from.features(), row * features, features).put(from.labels(), row * labels, labels);
        return record.array();
    }

    @Override
    public void decode(byte[] record, Batch into) {
        decode(ByteBuffer.wrap(record), into);
    }

    @Override
    public void decode(ByteBuffer record, Batch into) {
        if (record.remaining() != size()) {
            throw new IllegalArgumentException("expected " + size() + " bytes (" + ids + " ids, " + features
                    + " features, " + labels + " labels), found " + record.remaining());
        }
        int row = into.row();
        record.order(ByteOrder.LITTLE_ENDIAN);
        record.asLongBuffer().get(into.ids(), row * ids, ids);
        record.position(record.position() + Long.BYTES * ids);
        record.asFloatBuffer().get(into.features(), row * features, features).get(into.labels(), row * labels, labels);
    }
}
