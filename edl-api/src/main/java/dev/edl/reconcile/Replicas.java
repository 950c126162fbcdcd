package dev.edl.reconcile;

import dev.edl.RoleType;
import dev.edl.reconcile.internal.SlotMap;
import dev.edl.status.ReplicaStage;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The replicas that a state knows, by name, in the order of their creation; immutable.
 *
 * <p>Beside them it knows how many of each role are in each stage, and which of them the next decision has to look at whatever
 * has changed. To make a changed one of ten thousand replicas takes microseconds.
 */
public final class Replicas extends AbstractMap<String, ReplicaState> {
    private static final Replicas NONE = new Replicas(SlotMap.empty(), new Counts(), new BitSet(), null);

    private final SlotMap<ReplicaState> table;
    private final Counts counts;

    /** The places of those that a decision has to look at even where their objects have not changed. */
    private final BitSet open;

    /** What all were compared with, so that those which are not open and seen as they were then need no look; or null. */
    private final @Nullable Observed compared;

    private Replicas(SlotMap<ReplicaState> table, Counts counts, BitSet open, @Nullable Observed compared) {
        this.table = table;
        this.counts = counts;
        this.open = open;
        this.compared = compared;
    }

    /** No replicas. */
    public static Replicas none() {
        return NONE;
    }

    /**
     * Replicas in an order.
     *
     * @throws IllegalArgumentException for two of the same name
     */
    public static Replicas of(Iterable<ReplicaState> replicas) {
        Editor editor = NONE.edit();
        for (ReplicaState replica : replicas) {
            if (editor.get(replica.name()) != null) {
                throw new IllegalArgumentException("two replicas have the name \"" + replica.name() + "\"");
            }
            editor.put(replica);
        }
        return editor.replicas(null);
    }

    /** How many of a role are in a stage. */
    public int count(RoleType role, ReplicaStage stage) {
        return counts.of(role, stage);
    }

    @Override
    public int size() {
        return table.size();
    }

    @Override
    public @Nullable ReplicaState get(@Nullable Object name) {
        return table.get(name);
    }

    @Override
    public boolean containsKey(@Nullable Object name) {
        return table.containsKey(name);
    }

    @Override
    public Set<Map.Entry<String, ReplicaState>> entrySet() {
        return table.entrySet();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Replicas replicas ? table.equals(replicas.table) : table.equals(other);
    }

    @Override
    public int hashCode() {
        return table.hashCode();
    }

    /** The names of which these and others may differ. */
    Set<String> differing(Replicas other) {
        return table.differing(other.table);
    }

    /** What all were compared with; null when that is not known. */
    @Nullable
    Observed compared() {
        return compared;
    }

    Editor edit() {
        return new Editor(this);
    }

    /** How many of each role are in each stage. */
    private static final class Counts {
        private final Map<RoleType, Map<ReplicaStage, Integer>> counts = new EnumMap<>(RoleType.class);
        private long messageBytes;

        int of(RoleType role, ReplicaStage stage) {
            return counts.getOrDefault(role, Map.of()).getOrDefault(stage, 0);
        }

        void add(ReplicaState replica, int by) {
            counts.computeIfAbsent(replica.role(), role -> new EnumMap<>(ReplicaStage.class))
                    .merge(replica.stage(), by, Integer::sum);
            messageBytes += (long) by * MessageBudget.bytes(replica);
        }

        Counts copy() {
            Counts copy = new Counts();
            counts.forEach((role, stages) -> copy.counts.put(role, new EnumMap<>(stages)));
            copy.messageBytes = messageBytes;
            return copy;
        }
    }

    /** Replicas in the making. Whatever is put is open until it is {@link #settle settled}. */
    static final class Editor {
        private final Replicas from;
        private final SlotMap.Editor<ReplicaState> table;
        private final Counts counts;
        private BitSet open;
        private int places;

        private Editor(Replicas from) {
            this.from = from;
            this.table = from.table.edit();
            this.counts = from.counts.copy();
            this.open = (BitSet) from.open.clone();
            this.places = from.table.slotCount();
        }

        @Nullable
        ReplicaState get(String name) {
            return table.get(name);
        }

        int count(RoleType role, ReplicaStage stage) {
            return counts.of(role, stage);
        }

        /** What the messages take, all together. */
        long messageBytes() {
            return counts.messageBytes;
        }

        /** Puts a replica in the place that its name has, or behind all others. */
        void put(ReplicaState replica) {
            ReplicaState before = table.get(replica.name());
            if (before != null) {
                counts.add(before, -1);
            }
            counts.add(replica, 1);
            table.put(replica.name(), replica);
            if (before == null && table.slotCount() <= places) {
                // A new name takes a new place, unless there was no room, and all have moved.
                open = new BitSet();
                open.set(0, table.slotCount());
            }
            places = table.slotCount();
            open.set(table.slot(replica.name()));
        }

        void remove(String name) {
            ReplicaState before = table.get(name);
            if (before != null) {
                counts.add(before, -1);
                open.clear(table.slot(name));
                table.remove(name);
            }
        }

        /** A replica needs no look as long as it is seen as it was. */
        void settle(String name) {
            open.clear(table.slot(name));
        }

        /** Those that fulfil a condition, in their order; a copy. */
        List<ReplicaState> all(Predicate<ReplicaState> which) {
            List<ReplicaState> found = new ArrayList<>();
            for (int i = 0; i < table.slotCount(); i++) {
                add(i, which, found);
            }
            return found;
        }

        /** Those that are open and fulfil a condition, in their order; a copy. */
        List<ReplicaState> open(Predicate<ReplicaState> which) {
            List<ReplicaState> found = new ArrayList<>();
            open.stream().forEach(i -> add(i, which, found));
            return found;
        }

        /** Those that are open, and those of some names, in their order; a copy. */
        List<ReplicaState> openAnd(Iterable<String> names) {
            BitSet places = (BitSet) open.clone();
            for (String name : names) {
                int place = table.slot(name);
                if (place >= 0) {
                    places.set(place);
                }
            }
            List<ReplicaState> found = new ArrayList<>();
            places.stream().forEach(i -> add(i, r -> true, found));
            return found;
        }

        private void add(int place, Predicate<ReplicaState> which, List<ReplicaState> to) {
            ReplicaState replica = table.at(place);
            if (replica != null && which.test(replica)) {
                to.add(replica);
            }
        }

        /** The replicas, after a comparison with what is seen; null when there was none. */
        Replicas replicas(@Nullable Observed compared) {
            return new Replicas(table.table(), counts.copy(), (BitSet) open.clone(), compared);
        }

        /** The replicas, compared with what those were that they are made of. */
        Replicas replicas() {
            return replicas(from.compared);
        }
    }
}
