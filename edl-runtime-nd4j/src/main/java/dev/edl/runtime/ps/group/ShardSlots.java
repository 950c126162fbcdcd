package dev.edl.runtime.ps.group;

import dev.edl.internal.text.DurationText;
import dev.edl.runtime.ps.ShardGoneException;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ShardTimeoutException;
import dev.edl.runtime.ps.ShardsClosedException;
import dev.edl.runtime.ps.ports.Fence;
import dev.edl.runtime.ps.ports.Term;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The slots of all shards of a model, with the term and the last life of each slot's shard. A slot may be empty for a
 * while. Safe for several threads.
 *
 * @param <S> a shard, or a connection to one
 */
final class ShardSlots<S> {
    /** An action on all shards. */
    @FunctionalInterface
    interface Action<S, T> {
        T on(S[] shards) throws InterruptedException;
    }

    private final AtomicReferenceArray<@Nullable S> seats;
    private final AtomicReferenceArray<ShardLife> lives;
    private final List<String> names;
    private final List<Fence> fences;
    private final IntFunction<S[]> arrays;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition taken = lock.newCondition();
    private boolean closed;
    /** All shards when {@link #all} last found none absent; valid while each still occupies its slot. */
    private volatile S @Nullable [] last;

    /**
     * Creates empty slots.
     *
     * @param names names of the shards in messages, at least one
     * @param arrays makes an array of a given length
     */
    ShardSlots(List<String> names, IntFunction<S[]> arrays) {
        if (names.isEmpty()) {
            throw new IllegalArgumentException("a group must have at least 1 parameter shard, had none");
        }
        this.names = List.copyOf(names);
        this.arrays = arrays;
        this.seats = new AtomicReferenceArray<>(names.size());
        this.lives = new AtomicReferenceArray<>(names.size());
        this.fences = names.stream().map(Fence::new).toList();
        for (int i = 0; i < names.size(); i++) {
            lives.set(i, ShardLife.UNORDERED);
        }
    }

    int count() {
        return names.size();
    }

    /** Returns the fence of one slot, empty or not. */
    Fence fence(int index) {
        return fences.get(index);
    }

    /** Checks a master's term at every slot, including empty ones. */
    void require(Term term) {
        for (int i = 0; i < fences.size(); i++) {
            fences.get(i).require(term);
        }
    }

    /** Returns the fingerprint of the lives of all shards. For an absent shard, its last life counts. */
    long lives() {
        return ShardLife.fingerprint(
                IntStream.range(0, count()).mapToObj(this::life).toList());
    }

    /** Returns the last life that began in a slot, even if its shard is absent. */
    ShardLife life(int index) {
        return lives.get(index);
    }

    /** Records the life that the shard of a slot begins. */
    void begin(int index, ShardLife life) {
        lives.set(index, life);
    }

    /** Returns the shard of a slot; empty while it is absent. */
    Optional<S> at(int index) {
        return Optional.ofNullable(seats.get(index));
    }

    List<S> attached() {
        return IntStream.range(0, count())
                .mapToObj(this::at)
                .flatMap(Optional::stream)
                .toList();
    }

    /** Empties a slot. Returns the shard that occupied it. */
    Optional<S> take(int index) {
        Optional<S> was = Optional.ofNullable(seats.getAndSet(index, null));
        last = null;
        return was;
    }

    /** Empties the slot of a shard, unless another shard occupies it. */
    void vacate(int index, S shard) {
        seats.compareAndSet(index, shard, null);
        last = null;
    }

    /** Attaches a shard to its slot. */
    void put(int index, S shard) {
        seats.set(index, shard);
        lock.lock();
        try {
            taken.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until no shard is absent and runs an action on all of them. Repeats it if a shard is detached meanwhile.
     *
     * @param inside lock to hold during the action, but not during the wait; null for none
     * @param patience the longest wait for absent shards
     */
    <T> T run(@Nullable Lock inside, Duration patience, Action<S, T> action) throws InterruptedException {
        long left = patience.toNanos();
        while (true) {
            S @Nullable [] all = all();
            if (all != null) {
                try {
                    return inside(inside, all, action);
                } catch (ShardGoneException gone) {
                    // Its slot is empty now, or its successor occupies it.
                    if (seated(all)) {
                        throw gone;
                    }
                }
            }
            left = awaitAll(left, patience);
        }
    }

    private <T> T inside(@Nullable Lock inside, S[] all, Action<S, T> action) throws InterruptedException {
        if (inside == null) {
            return action.on(all);
        }
        inside.lock();
        try {
            requireSeated(all);
            return action.on(all);
        } finally {
            inside.unlock();
        }
    }

    /**
     * Checks that each of these shards still occupies its slot.
     *
     * @throws ShardGoneException for the first that does not
     */
    void requireSeated(S[] all) {
        for (int i = 0; i < all.length; i++) {
            if (seats.get(i) != all[i]) {
                throw new ShardGoneException(names.get(i));
            }
        }
    }

    private boolean seated(S[] all) {
        for (int i = 0; i < all.length; i++) {
            if (seats.get(i) != all[i]) {
                return false;
            }
        }
        return true;
    }

    /** Returns all shards, in the same array until one is replaced; null while one is absent. Read only. */
    S @Nullable [] all() {
        S @Nullable [] present = last;
        if (present != null && seated(present)) {
            return present;
        }
        S[] all = arrays.apply(count());
        for (int i = 0; i < all.length; i++) {
            S shard = seats.get(i);
            if (shard == null) {
                return null;
            }
            all[i] = shard;
        }
        last = all;
        if (!seated(all)) {
            // Keeps no shard that has left meanwhile.
            last = null;
        }
        return all;
    }

    private long awaitAll(long nanos, Duration patience) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = nanos;
            for (int missing = missing(); missing >= 0; missing = missing()) {
                if (closed) {
                    throw new ShardsClosedException();
                }
                if (left <= 0) {
                    throw new ShardTimeoutException("parameter shard " + names.get(missing)
                            + " did not come back within " + DurationText.of(patience));
                }
                left = taken.awaitNanos(left);
            }
            return left;
        } finally {
            lock.unlock();
        }
    }

    /** Ends every present and later wait for an absent shard with an exception. */
    void close() {
        lock.lock();
        try {
            closed = true;
            taken.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the indexes of all empty slots, in order. */
    Set<Integer> empty() {
        return IntStream.range(0, count())
                .filter(i -> seats.get(i) == null)
                .boxed()
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns the index of an empty slot; -1 if all are occupied. */
    int missing() {
        for (int i = 0; i < count(); i++) {
            if (seats.get(i) == null) {
                return i;
            }
        }
        return -1;
    }

    /** Returns the text for people, for example {@code slots of [ps-0, ps-1]}. */
    @Override
    public String toString() {
        return "slots of " + names;
    }
}
