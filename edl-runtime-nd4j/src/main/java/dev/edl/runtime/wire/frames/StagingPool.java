package dev.edl.runtime.wire.frames;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Semaphore;

/**
 * A server's vectors for gradients until they are complete, and for weights until they are sent. If all vectors are in
 * use, connections wait in order, and their sockets are not read meanwhile.
 */
final class StagingPool {
    private static final int LEAST = 4;
    private static final int MOST = 64;

    private final int length;
    private final Semaphore free;
    private final Deque<float[]> unused = new ArrayDeque<>();

    StagingPool(int length, int buffers) {
        this.length = length;
        this.free = new Semaphore(buffers, true);
    }

    /** Returns how many vectors of this length fit into the given bytes, but at least four and at most 64. */
    static int buffers(int length, long bytes) {
        return (int) Math.max(LEAST, Math.min(MOST, bytes / Math.max(1L, (long) length * Float.BYTES)));
    }

    /** Waits for a free vector. A stalled connection returns its vector within the allowed silence. */
    float[] take() throws InterruptedException {
        free.acquire();
        synchronized (unused) {
            float[] vector = unused.poll();
            return vector == null ? new float[length] : vector;
        }
    }

    void give(float[] vector) {
        synchronized (unused) {
            unused.push(vector);
        }
        free.release();
    }

    /** Returns the text for people, for example {@code 3 free vectors of 650 floats}. */
    @Override
    public String toString() {
        return free.availablePermits() + " free vectors of " + length + " floats";
    }
}
