package dev.edl.reconcile.internal;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Immutable map in insertion order, in which each key has a numbered slot.
 *
 * <p>A changed copy shares its values with the original map, each in the same slot. If all slots are used, the copy is
 * compacted first, which moves the values. Changing a copy copies arrays of references, which takes microseconds for
 * ten thousand values. Comparing two maps compares values only where a slot holds different objects.
 *
 * @param <V> the values, never null
 */
public final class SlotMap<V> extends AbstractMap<String, V> {
    private static final int LEAST = 16;

    /** The name that each slot has; in a free slot, the name that it had. */
    private final String[] names;

    /** The value of each slot; null in a free slot. */
    private final @Nullable Object[] values;

    /** Hash index of the names, with linear probing: slot plus one, or 0 if empty. At most half full. */
    private final int[] index;

    private final int used;
    private final int size;

    private SlotMap(String[] names, @Nullable Object[] values, int[] index, int used, int size) {
        this.names = names;
        this.values = values;
        this.index = index;
        this.used = used;
        this.size = size;
    }

    /** Returns an empty map. */
    public static <V> SlotMap<V> empty() {
        return new SlotMap<>(new String[LEAST], new @Nullable Object[LEAST], new int[LEAST * 2], 0, 0);
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public @Nullable V get(@Nullable Object name) {
        return name instanceof String text ? at(slot(text)) : null;
    }

    @Override
    public boolean containsKey(@Nullable Object name) {
        return get(name) != null;
    }

    /** Returns the number of slots that have or had a value. */
    public int slotCount() {
        return used;
    }

    /** Returns the slot that a name has or had; -1 for an unknown name. */
    public int slot(String name) {
        return slot(names, index, name);
    }

    /** Returns the value in a slot; null if the slot is free or -1. */
    @SuppressWarnings("unchecked")
    @Nullable
    V at(int place) {
        return place < 0 ? null : (V) values[place];
    }

    /** Returns the names that may have different values in this map and another one. */
    public Set<String> differing(SlotMap<V> other) {
        if (values == other.values) {
            return Set.of();
        }
        Set<String> differing = new LinkedHashSet<>();
        for (int i = 0; i < Math.max(used, other.used); i++) {
            Object mine = i < used ? values[i] : null;
            Object its = i < other.used ? other.values[i] : null;
            boolean same = mine == its && (mine == null || names[i].equals(other.names[i]));
            if (!same && mine != null) {
                differing.add(names[i]);
            }
            if (!same && its != null) {
                differing.add(other.names[i]);
            }
        }
        return differing;
    }

    /** Returns an editor that makes a changed copy of this map. */
    public Editor<V> edit() {
        return new Editor<>(this);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SlotMap<?> table ? equal(table) : super.equals(other);
    }

    private <W> boolean equal(SlotMap<W> other) {
        if (size != other.size) {
            return false;
        }
        for (int i = 0; i < used; i++) {
            Object mine = values[i];
            if (mine == null || (i < other.used && mine == other.values[i] && names[i].equals(other.names[i]))) {
                continue;
            }
            if (!mine.equals(other.get(names[i]))) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        return super.hashCode();
    }

    @Override
    public Set<Map.Entry<String, V>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public Iterator<Map.Entry<String, V>> iterator() {
                return new Entries();
            }

            @Override
            public int size() {
                return size;
            }
        };
    }

    private final class Entries implements Iterator<Map.Entry<String, V>> {
        private int next;

        @Override
        public boolean hasNext() {
            while (next < used && values[next] == null) {
                next++;
            }
            return next < used;
        }

        @Override
        public Map.Entry<String, V> next() {
            V value = hasNext() ? at(next) : null;
            if (value == null) {
                throw new NoSuchElementException();
            }
            return Map.entry(names[next++], value);
        }
    }

    private static int slot(String[] names, int[] index, String name) {
        return index[bucket(names, index, name)] - 1;
    }

    /** Returns the bucket of a name in the hash index; for an unknown name, the free bucket in which it belongs. */
    private static int bucket(String[] names, int[] index, String name) {
        // Names with consecutive numbers have consecutive hashes: Fibonacci hashing spreads them.
        int hash = name.hashCode() * 0x9e3779b9;
        int at = (hash ^ hash >>> 16) & (index.length - 1);
        while (index[at] != 0 && !names[index[at] - 1].equals(name)) {
            at = at + 1 & (index.length - 1);
        }
        return at;
    }

    /** Editor of a copy of a map. It copies an array of the original map before it first changes that array. */
    public static final class Editor<V> {
        private SlotMap<V> from;
        private String[] names;
        private @Nullable Object[] values;
        private int[] index;
        private int used;
        private int size;

        Editor(SlotMap<V> from) {
            this.from = from;
            this.names = from.names;
            this.values = from.values;
            this.index = from.index;
            this.used = from.used;
            this.size = from.size;
        }

        @Nullable
        public V get(String name) {
            return at(slot(name));
        }

        public int slot(String name) {
            return SlotMap.slot(names, index, name);
        }

        @SuppressWarnings("unchecked")
        @Nullable
        public V at(int place) {
            return place < 0 ? null : (V) values[place];
        }

        public int slotCount() {
            return used;
        }

        /** Puts a value in place of the one with its name, or into a new last slot if the map lacks the name. */
        public void put(String name, V value) {
            int place = slot(name);
            if (place >= 0 && values[place] != null) {
                if (values[place] != value) {
                    ownValues();
                    values[place] = value;
                }
                return;
            }
            if (used == names.length) {
                makeRoom();
            }
            ownValues();
            if (names == from.names) {
                names = names.clone();
            }
            if (index == from.index) {
                index = index.clone();
            }
            int bucket = bucket(names, index, name);
            names[used] = name;
            values[used] = value;
            index[bucket] = ++used;
            size++;
        }

        /** Removes a name, if it exists. */
        public void remove(String name) {
            int place = slot(name);
            if (place >= 0 && values[place] != null) {
                ownValues();
                values[place] = null;
                size--;
            }
        }

        private void ownValues() {
            if (values == from.values) {
                values = values.clone();
            }
        }

        /**
         * Moves all values to the first slots of new arrays, which have room for two to four times as many values, at
         * least 16.
         */
        private void makeRoom() {
            int capacity = Math.max(LEAST, Integer.highestOneBit(Math.max(1, size)) * 4);
            String[] newNames = new String[capacity];
            @Nullable Object[] newValues = new @Nullable Object[capacity];
            int[] newIndex = new int[capacity * 2];
            int next = 0;
            for (int i = 0; i < used; i++) {
                if (values[i] != null) {
                    newNames[next] = names[i];
                    newValues[next] = values[i];
                    newIndex[bucket(newNames, newIndex, names[i])] = ++next;
                }
            }
            names = newNames;
            values = newValues;
            index = newIndex;
            used = next;
        }

        /**
         * Returns the edited map; the original map if nothing has changed. Later edits do not change the returned map.
         */
        public SlotMap<V> table() {
            if (values != from.values) {
                from = new SlotMap<>(names, values, index, used, size);
            }
            return from;
        }
    }
}
