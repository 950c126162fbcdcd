package dev.edl.runtime.ps.ports;

/**
 * One master's right to send requests to parameter shards, as a fencing token. A term belongs to one master. If two
 * masters use the same number, their ids differ, and each shard follows the first of them.
 *
 * @param number larger than that of every earlier master of the run, at least 1
 * @param master the id of the master, different for each start of one; not empty
 */
public record Term(long number, String master) {
    /**
     * Checks number and id.
     *
     * @throws IllegalArgumentException when the number is less than 1 or the id is empty
     */
    public Term {
        if (number < 1 || master.isEmpty()) {
            throw new IllegalArgumentException("a term needs a number of at least 1 and the id of its master, was "
                    + number + " of \"" + master + "\"");
        }
    }

    /** Returns the text for people, for example {@code term 2 of mnist-master-0.1}. */
    @Override
    public String toString() {
        return "term " + number + " of " + master;
    }
}
