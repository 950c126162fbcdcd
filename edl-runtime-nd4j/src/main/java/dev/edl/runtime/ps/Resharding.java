package dev.edl.runtime.ps;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** Cuts the state of some shards into another number of shards. */
final class Resharding {
    private Resharding() {}

    static List<ShardSnapshot> of(String name, ShardCut cut, int shards) throws CheckpointException {
        List<ShardSnapshot> old = cut.shards();
        ShardSnapshot first = old.get(0);
        for (ShardSnapshot shard : old) {
            if (!shard.agreesWith(first) || shard.step() != first.step() || shard.version() != first.version()) {
                throw new CheckpointException(name + " has " + old.size() + " shards and cannot be loaded into "
                        + shards
                        + ", because they were not made of the same pushes: "
                        + first.range().name() + " is at version "
                        + first.version() + " with " + first.appliedCount() + " pushes, "
                        + shard.range().name() + " at version " + shard.version() + " with " + shard.appliedCount()
                        + "; load it into " + old.size() + " shards");
            }
        }
        float[] weights = cut.weights();
        float[] sum = first.pending().isEmpty() ? new float[0] : join(cut, ShardSnapshot::pendingSum);
        float[][] slots = new float[first.slotCount()][];
        for (int i = 0; i < slots.length; i++) {
            int slot = i;
            slots[i] = join(cut, shard -> shard.slot(slot));
        }
        return Sharding.split(cut.size(), shards).stream()
                .map(range -> new ShardSnapshot(
                        range,
                        first.optimizer(),
                        first.version(),
                        part(range, weights, slots, sum, first.step()),
                        first.applied().copy(),
                        first.pending()))
                .toList();
    }

    private static float[] join(ShardCut cut, Function<ShardSnapshot, float[]> vector) {
        float[] full = new float[cut.size()];
        for (ShardSnapshot shard : cut.shards()) {
            System.arraycopy(
                    vector.apply(shard),
                    0,
                    full,
                    shard.range().offset(),
                    shard.range().length());
        }
        return full;
    }

    private static ShardSnapshot.State part(
            ShardRange range, float[] weights, float[][] slots, float[] sum, long step) {
        float[][] slotParts = new float[slots.length][];
        for (int i = 0; i < slots.length; i++) {
            slotParts[i] = part(range, slots[i]);
        }
        return new ShardSnapshot.State(part(range, weights), slotParts, sum.length == 0 ? sum : part(range, sum), step);
    }

    private static float[] part(ShardRange range, float[] full) {
        return Arrays.copyOfRange(full, range.offset(), range.end());
    }
}
