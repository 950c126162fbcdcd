package dev.edl.runtime.task;

import java.util.BitSet;

/** One run over all ranges, an epoch or an evaluation: which of them are done, and which are left out. */
final class PassProgress {
    private final int ranges;
    private BitSet done = new BitSet();
    private final BitSet dropped = new BitSet();
    private int size;
    private int count;

    PassProgress(int ranges) {
        this.ranges = ranges;
        this.size = ranges;
    }

    boolean complete() {
        return count == size;
    }

    /** Whether all of it is left out. */
    boolean isEmpty() {
        return size == 0;
    }

    boolean isDone(int range) {
        return complete() ? !dropped.get(range) : done.get(range);
    }

    void done(int range) {
        if (isDone(range) || dropped.get(range)) {
            throw new IllegalStateException(
                    "range " + range + (dropped.get(range) ? " is left out" : " is done already"));
        }
        done.set(range);
        count++;
        forgetIfComplete();
    }

    /** A range that is not done will not be done in this pass. */
    void drop(int range) {
        if (isDone(range) || dropped.get(range)) {
            throw new IllegalStateException("range " + range + " cannot be left out");
        }
        dropped.set(range);
        size--;
        forgetIfComplete();
    }

    boolean isDropped(int range) {
        return dropped.get(range);
    }

    /** A range that was left out will be done all the same. */
    void undrop(int range) {
        if (!dropped.get(range)) {
            throw new IllegalStateException("range " + range + " was not left out");
        }
        if (complete()) {
            done.set(0, ranges);
            done.andNot(dropped);
        }
        dropped.clear(range);
        size++;
    }

    private void forgetIfComplete() {
        if (complete()) {
            // A complete pass is kept for as long as it can be reopened, but needs no bits.
            done = new BitSet();
        }
    }

    void undone(int range) {
        if (!isDone(range)) {
            throw new IllegalStateException("range " + range + " is not done");
        }
        if (complete()) {
            done.set(0, ranges);
            done.andNot(dropped);
        }
        done.clear(range);
        count--;
    }
}
