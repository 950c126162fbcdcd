package dev.edl.runtime.data;

import dev.edl.runtime.Batch;

/**
 * Turns an object of a program into one row of a batch.
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
 * @param <T> what is encoded
 */
@FunctionalInterface
public interface RowEncoder<T> {
    /**
     * Adds exactly one row. Called from several threads at once by a {@link ListDataset}, each with its own batch.
     *
     * @param item what to encode
     * @param into a batch with room for one more record
     */
    void encode(T item, Batch into);
}
