package dev.edl.runtime.data;

/**
 * Named range of records of a dataset, such as a file or a range of a table.
 *
 * @param name unique within its dataset, for example {@code train-00000}
 * @param records the number of records; they are numbered from 0
 */
public record DataShard(String name, long records) {
    /** Checks that the name is not blank and the count not negative. */
    public DataShard {
        if (name.isBlank()) {
            throw new IllegalArgumentException("a shard's name must not be blank, for example \"train-00000\"");
        }
        if (records < 0) {
            throw new IllegalArgumentException("shard \"" + name + "\": records must be at least 0, was " + records);
        }
    }
}
