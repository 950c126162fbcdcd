package dev.edl.runtime.data;

import dev.edl.runtime.model.Batch;

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
}
