package dev.edl.runtime.ps;

import dev.edl.runtime.ps.files.CheckpointException;
import dev.edl.runtime.ps.rows.RowGradientSums;
import dev.edl.runtime.ps.rows.RowTable;
import dev.edl.runtime.ps.rows.RowsSnapshot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Converts the state of some shards to another number of shards, and redistributes the rows of embedding tables.
 *
 * <p>A new shard has one set of applied pushes for all its parameters, so the old sets must be equal. Versions may
 * differ permanently after a shard was restored from an older checkpoint, because later rounds were composed
 * differently. The new shards take the highest version. With an optimizer that counts its updates, the counts must also
 * be equal.
 */
final class Resharding {
    private Resharding() {}

    static List<ShardSnapshot> of(String name, ShardCut cut, ShardContents contents, int shards)
            throws CheckpointException {
        List<ShardSnapshot> old = cut.shards();
        ShardSnapshot first = old.get(0);
        boolean samePushes = old.stream().allMatch(first::agreesWith);
        boolean sameSteps = !first.optimizer().countsSteps() || old.stream().allMatch(s -> s.step() == first.step());
        if (!samePushes || !sameSteps) {
            throw new CheckpointException(name + " has " + old.size() + " shards and cannot be loaded into " + shards
                    + ", because they do not have the same " + (samePushes ? "number of updates: " : "pushes: ")
                    + old.stream()
                            .flatMap(shard -> difference(shard, first).stream())
                            .collect(Collectors.joining(", "))
                    + "; load it into " + old.size() + " shards"
                    + (samePushes
                            ? ""
                            : ", or load a checkpoint that was taken after the missing minibatches were redone"));
        }
        long step = old.stream().mapToLong(ShardSnapshot::step).max().orElseThrow();
        float[] weights = cut.weights();
        float[] sum = first.pending().isEmpty() ? new float[0] : join(cut, ShardSnapshot::pendingSum);
        float[][] slots = new float[first.slotCount()][];
        for (int i = 0; i < slots.length; i++) {
            int slot = i;
            slots[i] = join(cut, shard -> shard.slot(slot));
        }
        return contents.split(shards).stream()
                .map(range -> new ShardSnapshot(
                                range,
                                first.optimizer(),
                                cut.version(),
                                part(
                                        range,
                                        weights,
                                        slots,
                                        sum,
                                        step,
                                        rows(old, range, shards, ShardSnapshot::rows),
                                        sums(old, range, shards)),
                                first.applied().copy(),
                                first.pending(),
                                old.stream()
                                        .mapToLong(ShardSnapshot::pendingStaleness)
                                        .max()
                                        .orElse(0))
                        .with(kept(cut, range, shards)))
                .toList();
    }

    /** Returns a new shard's part of each kept version that all old shards have; others are incomplete and omitted. */
    private static List<ShardBestVersion> kept(ShardCut cut, ShardRange range, int shards) {
        return cut.shards().get(0).kept().stream()
                .map(ShardBestVersion::version)
                .filter(version -> cut.shards().stream()
                        .allMatch(shard -> shard.kept().stream().anyMatch(kept -> kept.version() == version)))
                .map(version -> new ShardBestVersion(
                        version,
                        part(range, join(cut, shard -> keptOf(shard, version).weights())),
                        rows(
                                cut.shards(),
                                range,
                                shards,
                                shard -> keptOf(shard, version).rows())))
                .toList();
    }

    private static ShardBestVersion keptOf(ShardSnapshot shard, long version) {
        return shard.kept().stream()
                .filter(kept -> kept.version() == version)
                .findFirst()
                .orElseThrow();
    }

    private static Optional<String> difference(ShardSnapshot shard, ShardSnapshot first) {
        String mine = shard.range().name();
        String theirs = first.range().name();
        if (!shard.applied().equals(first.applied())) {
            return Optional.of(mine + " has applied " + shard.applied().missingIn(first.applied()) + " that " + theirs
                    + " has not, and lacks " + first.applied().missingIn(shard.applied()) + " that " + theirs + " has");
        }
        if (!shard.pending().equals(first.pending())) {
            return Optional.of(mine + " has " + shard.pending().size() + " pending, " + theirs + " "
                    + first.pending().size());
        }
        return shard.step() == first.step()
                ? Optional.empty()
                : Optional.of(mine + " has made " + shard.step() + ", " + theirs + " " + first.step());
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
            ShardRange range,
            float[] weights,
            float[][] slots,
            float[] sum,
            long step,
            List<RowsSnapshot> rows,
            List<RowGradientSums> rowSums) {
        float[][] slotParts = new float[slots.length][];
        for (int i = 0; i < slots.length; i++) {
            slotParts[i] = part(range, slots[i]);
        }
        return new ShardSnapshot.State(
                part(range, weights), slotParts, sum.length == 0 ? sum : part(range, sum), step, rows, rowSums);
    }

    /** Collects from all old shards, for each table, the rows that a new shard owns. */
    private static List<RowsSnapshot> rows(
            List<ShardSnapshot> old, ShardRange range, int shards, Function<ShardSnapshot, List<RowsSnapshot>> of) {
        List<RowsSnapshot> dealt = new ArrayList<>();
        for (RowsSnapshot any : of.apply(old.get(0))) {
            int t = dealt.size();
            RowTable table = new RowTable(any.spec(), any.slots());
            for (ShardSnapshot shard : old) {
                of.apply(shard).get(t).forEach((id, values, slots, from) -> {
                    if (Math.floorMod(id, shards) == range.index()) {
                        table.put(id, values, slots, from);
                    }
                });
            }
            dealt.add(table.snapshot());
        }
        return dealt;
    }

    private static List<RowGradientSums> sums(List<ShardSnapshot> old, ShardRange range, int shards) {
        List<RowGradientSums> dealt = new ArrayList<>();
        for (RowsSnapshot any : old.get(0).rows()) {
            int t = dealt.size();
            RowGradientSums sums = new RowGradientSums(any.spec().dimension());
            old.forEach(shard -> sums.addAll(shard.rowSums().get(t), range.index(), shards));
            dealt.add(sums);
        }
        return dealt;
    }

    private static float[] part(ShardRange range, float[] full) {
        return Arrays.copyOfRange(full, range.offset(), range.end());
    }
}
