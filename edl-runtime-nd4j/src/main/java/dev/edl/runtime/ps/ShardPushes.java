package dev.edl.runtime.ps;

import dev.edl.runtime.ps.files.ChecksummedInput;
import dev.edl.runtime.ps.files.ChecksummedOutput;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Pushes that one parameter shard holds at one moment, in its updates or in its open round. Immutable. Needs one bit
 * for each minibatch of an open epoch, and one for each complete epoch.
 */
public final class ShardPushes {
    private final AppliedPushes applied;
    private final List<Long> pending;

    /** Takes the set over. */
    public ShardPushes(AppliedPushes applied, List<Long> pending) {
        this.applied = applied;
        this.pending = List.copyOf(pending);
    }

    /** Returns a new set of an epoch's minibatches, by index in the epoch, whose pushes are part of an update. */
    public BitSet applied(int epoch) {
        return applied.epoch(epoch);
    }

    /** Returns a new set of an epoch's minibatches whose pushes are part of an update or wait for their round. */
    public BitSet held(int epoch) {
        BitSet held = applied.epoch(epoch);
        pending.stream()
                .filter(push -> push / applied.perEpoch() == epoch)
                .forEach(push -> held.set((int) (push % applied.perEpoch())));
        return held;
    }

    /** Returns whether the shard holds no push. */
    public boolean isEmpty() {
        return applied.count() == 0 && pending.isEmpty();
    }

    /** Writes the pushes to a stream, which stays open. */
    public void write(OutputStream to) throws IOException {
        ChecksummedOutput out = ChecksummedOutput.to(to);
        out.putLongs(pending.stream().mapToLong(Long::longValue).toArray());
        ShardFile.writeApplied(applied, out);
        out.seal();
    }

    /**
     * Reads the output of {@link #write}, and nothing after it.
     *
     * @throws dev.edl.runtime.ps.files.CheckpointException when the bytes are damaged or of another training; the
     *     message names the problem
     */
    public static ShardPushes read(InputStream from, int minibatchesPerEpoch) throws IOException {
        ChecksummedInput in = ChecksummedInput.of("a shard's set of pushes", from);
        long[] pending = in.getLongs();
        if (Arrays.stream(pending).anyMatch(push -> push < 0)) {
            throw in.damaged("has the pending pushes " + Arrays.toString(pending) + ", where ids from 0 were expected");
        }
        AppliedPushes applied;
        try {
            applied = ShardFile.readApplied(in);
        } catch (IllegalArgumentException e) {
            throw in.damaged("is damaged: " + e.getMessage());
        }
        in.end();
        if (applied.perEpoch() != minibatchesPerEpoch) {
            throw in.damaged(
                    "counts " + applied.perEpoch() + " minibatches per epoch, this training " + minibatchesPerEpoch);
        }
        return new ShardPushes(applied, Arrays.stream(pending).boxed().toList());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ShardPushes that && applied.equals(that.applied) && pending.equals(that.pending);
    }

    @Override
    public int hashCode() {
        return 31 * applied.hashCode() + pending.hashCode();
    }

    /** Returns the text for people, for example {@code 3 complete epochs, 12 of 938 in epoch 3, pending [2826]}. */
    @Override
    public String toString() {
        return applied + (pending.isEmpty() ? "" : ", pending " + pending);
    }
}
