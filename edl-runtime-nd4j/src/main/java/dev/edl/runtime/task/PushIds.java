package dev.edl.runtime.task;

/**
 * Numbering of a training's minibatches. Each minibatch of each epoch has one push id, independent of the worker and of
 * the number of attempts.
 *
 * <p>Within an epoch, minibatches are numbered 0 to {@code minibatchesPerEpoch - 1} in dataset order, not in hand-out
 * order. {@code pushId = epoch * minibatchesPerEpoch + ordinal}. A parameter shard that remembers applied push ids can
 * therefore apply each minibatch at most once.
 *
 * @param minibatchesPerEpoch minibatches of all tasks of one epoch, at least 1
 */
public record PushIds(int minibatchesPerEpoch) {
    /** Checks that an epoch has a minibatch. */
    public PushIds {
        if (minibatchesPerEpoch < 1) {
            throw new IllegalArgumentException("minibatchesPerEpoch must be at least 1, was " + minibatchesPerEpoch);
        }
    }

    /**
     * Returns the push id of a minibatch.
     *
     * @param epoch counted from 0
     * @param ordinal index of the minibatch within its epoch in dataset order, from 0
     */
    public long pushId(int epoch, int ordinal) {
        if (epoch < 0 || ordinal < 0 || ordinal >= minibatchesPerEpoch) {
            throw new IllegalArgumentException("a push needs epoch >= 0 and an ordinal from 0 to "
                    + (minibatchesPerEpoch - 1) + ", was epoch " + epoch + ", ordinal " + ordinal);
        }
        return (long) epoch * minibatchesPerEpoch + ordinal;
    }

    /** Returns the epoch of a push, counted from 0. */
    public int epochOf(long pushId) {
        return Math.toIntExact(notNegative(pushId) / minibatchesPerEpoch);
    }

    /** Returns the index of a push's minibatch within its epoch, from 0. */
    public int ordinalOf(long pushId) {
        return (int) (notNegative(pushId) % minibatchesPerEpoch);
    }

    private static long notNegative(long pushId) {
        if (pushId < 0) {
            throw new IllegalArgumentException("a push id must be at least 0, was " + pushId);
        }
        return pushId;
    }
}
