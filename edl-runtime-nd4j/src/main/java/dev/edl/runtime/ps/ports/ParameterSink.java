package dev.edl.runtime.ps;

/** Where parameters go that are pulled: parts of the flat vector, in any order, together all of it. */
@FunctionalInterface
public interface ParameterSink {
    /**
     * Copies {@code values[from .. from + count)}, which are the parameters at {@code [offset .. offset + count)} of the
     * flat vector. Called under the lock of a shard, so it is to be short and to call nobody; the array is read, never
     * written and never kept.
     */
    void load(float[] values, int from, int offset, int count);
}
