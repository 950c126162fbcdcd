package dev.edl.runtime.ps.ports;

/** Receives pulled parameters as parts of the flat vector, in any order, which together cover it. */
@FunctionalInterface
public interface ParameterSink {
    /**
     * Copies {@code values[from .. from + count)}, which are the parameters at {@code [offset .. offset + count)} of
     * the flat vector. The shard calls it under its lock, so it must be short and must not call another role. It may
     * read the array during the call, and must neither write nor keep it.
     */
    void load(float[] values, int from, int offset, int count);

    /**
     * Returns a sink that copies into a vector.
     *
     * @param full vector as long as the whole model's parameters
     */
    static ParameterSink into(float[] full) {
        return (values, from, offset, count) -> System.arraycopy(values, from, full, offset, count);
    }
}
