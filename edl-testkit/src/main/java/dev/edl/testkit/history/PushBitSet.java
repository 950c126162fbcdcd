package dev.edl.testkit.history;

import dev.edl.runtime.history.PushSet;
import java.util.BitSet;
import java.util.TreeMap;
import java.util.stream.LongStream;

/** Mutable set of push ids, one bit each. Not thread-safe. */
final class PushBitSet {
    private static final int PAGE = 1 << 16;

    private final TreeMap<Long, BitSet> pages = new TreeMap<>();

    static PushBitSet of(PushSet pushes) {
        PushBitSet bits = new PushBitSet();
        pushes.ids().forEach(bits::add);
        return bits;
    }

    void add(long pushId) {
        pages.computeIfAbsent(Math.floorDiv(pushId, PAGE), page -> new BitSet()).set(Math.floorMod(pushId, PAGE));
    }

    /** Removes a push id; returns whether the set contained it. */
    boolean remove(long pushId) {
        BitSet page = pages.get(Math.floorDiv(pushId, PAGE));
        int bit = Math.floorMod(pushId, PAGE);
        boolean was = page != null && page.get(bit);
        if (page != null) {
            page.clear(bit);
        }
        return was;
    }

    boolean contains(long pushId) {
        BitSet page = pages.get(Math.floorDiv(pushId, PAGE));
        return page != null && page.get(Math.floorMod(pushId, PAGE));
    }

    PushSet toSet() {
        LongStream all = pages.entrySet().stream()
                .flatMapToLong(page -> page.getValue().stream().mapToLong(bit -> page.getKey() * PAGE + bit));
        return PushSet.of(all);
    }

    @Override
    public String toString() {
        return toSet().toString();
    }
}
