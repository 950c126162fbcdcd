package dev.edl.runtime.ps.ports;

/** Where parameters go that are pulled: parts of the flat vector, in any order, together all of it. */
@FunctionalInterface
public interface ParameterSink {
    /**
     * Copies {@code values[from .. from + count)}, which are the parameters at {@code [offset .. offset + count)} of the
     * flat vector. Called under the lock of a shard, so it is to be short and to call no other role; the array is read, never
     * written and never kept.
     */
    void load(float[] values, int from, int offset, int count);

    /**
     * Returns a sink that copies into a vector.
     *
     * @param full as long as the whole model's parameters
     */
    static ParameterSink into(float[] full) {
        return (values, from, offset, count) -> System.arraycopy(values, from, full, offset, count);
    }
}
