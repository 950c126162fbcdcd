package dev.edl.runtime.optimizers;

/**
 * A part of a gradient at the indices of the weights that it is for, where it does not have those already: the gradients
 * of an embedding's rows.
 *
 * <p>HotSpot 17 turns a loop over several arrays into vector instructions only when all have the same index. To copy a
 * row first takes a third of what that costs.
 */
final class SameIndex {
    private static final ThreadLocal<float[]> ROOM = ThreadLocal.withInitial(() -> new float[0]);

    private SameIndex() {}

    /** A vector with {@code gradient[offset + i]} at each {@code i} of [from..to); the thread's own, until its next call. */
    static float[] of(float[] gradient, int offset, int from, int to) {
        if (offset == 0) {
            return gradient;
        }
        float[] room = ROOM.get();
        if (room.length < to) {
            room = new float[to];
            ROOM.set(room);
        }
        System.arraycopy(gradient, offset + from, room, from, to - from);
        return room;
    }
}
