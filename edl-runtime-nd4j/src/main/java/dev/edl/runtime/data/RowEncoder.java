package dev.edl.runtime.data;

import dev.edl.runtime.model.Batch;
import java.io.IOException;

/**
 * Encoder of an application object into one row of a batch.
 *
 * <pre>{@code
 * RowEncoder<House> houses = (house, into) -> {
 *   int row = into.row();
 *   into.features()[2 * row] = house.rooms();
 *   into.features()[2 * row + 1] = house.area();
 *   into.labels()[row] = house.price();
 * };
 * }</pre>
 *
 * @param <T> the type of the objects
 */
@FunctionalInterface
public interface RowEncoder<T> {
    /**
     * Encodes an object and adds exactly one row to the batch. A {@link ListDataset} calls it from several threads at
     * once, each with its own batch.
     *
     * @param item the object to encode
     * @param into a batch with capacity for one more record
     */
    void encode(T item, Batch into);

    /**
     * Encodes an object and checks that it became one row.
     *
     * @param index number of the object from 0, for the message
     * @throws IOException when {@link #encode} throws or adds another number of rows than 1; the message names the item
     */
    default void encodeRow(T item, long index, Batch into) throws IOException {
        int before = into.size();
        try {
            encode(item, into);
        } catch (RuntimeException e) {
            throw new IOException("item " + index + " cannot be encoded: " + e, e);
        }
        if (into.size() != before + 1) {
            throw new IOException(
                    "item " + index + ": the encoder must add 1 row to the batch, added " + (into.size() - before));
        }
    }
}
