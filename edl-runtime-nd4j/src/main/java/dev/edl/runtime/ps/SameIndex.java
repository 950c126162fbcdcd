package dev.edl.runtime.ps;

/**
 * A shard's part of a gradient at the indices of the shard's own arrays.
 *
 * <p>HotSpot 17 turns a loop over several arrays into vector instructions only when all have the same index, and a
 * shard's part of the gradient begins where the shard does. To copy it first takes a third of what that costs.
 */
final class SameIndex {
    /** 1 MiB of floats: what is copied must stay in the cache, for else the copy costs what the vectors save. */
    private static final int LONGEST = 256 * 1024;

    private static final ThreadLocal<float[]> ROOM = ThreadLocal.withInitial(() -> new float[0]);

    private SameIndex() {}

    /** Whether {@link #of} gives indices below {@code to}; else the gradient is best read where it stands. */
    static boolean serves(int offset, int to) {
        return offset == 0 || to <= LONGEST;
    }

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
