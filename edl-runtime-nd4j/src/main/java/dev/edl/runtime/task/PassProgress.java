package dev.edl.runtime.task;

import java.util.BitSet;

/** Progress of one pass over all ranges, an epoch or an evaluation: which ranges are done or left out. */
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

    /** Returns whether every range of the pass is left out. */
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

    /** Marks a range that is not done as left out of this pass. */
    void drop(int range) {
        if (isDone(range) || dropped.get(range)) {
            throw new IllegalStateException("range " + range + " is done or left out of this pass already");
        }
        dropped.set(range);
        size--;
        forgetIfComplete();
    }

    boolean isDropped(int range) {
        return dropped.get(range);
    }

    /** Marks a range that was left out as one to do again. */
    void undrop(int range) {
        if (!dropped.get(range)) {
            throw new IllegalStateException("range " + range + " is not left out of this pass");
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
            // A complete pass is kept while it can be reopened, but needs no bits.
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
