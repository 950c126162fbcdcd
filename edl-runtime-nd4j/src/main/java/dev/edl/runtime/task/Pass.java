package dev.edl.runtime.task;

import java.util.BitSet;

/** One run over all ranges, an epoch or an evaluation: which of them are done. */
final class Pass {
    private final int size;
    private BitSet done = new BitSet();
    private int count;

    Pass(int size) {
        this.size = size;
    }

    boolean complete() {
        return count == size;
    }

    boolean isDone(int range) {
        return complete() || done.get(range);
    }

    void done(int range) {
        if (isDone(range)) {
            throw new IllegalStateException("range " + range + " is done already");
        }
        done.set(range);
        if (++count == size) {
            // A complete pass is kept for as long as it can be reopened, but needs no bits.
            done = new BitSet();
        }
    }

    void undone(int range) {
        if (!isDone(range)) {
            throw new IllegalStateException("range " + range + " is not done");
        }
        if (complete()) {
            done.set(0, size);
        }
        done.clear(range);
        count--;
    }
}
