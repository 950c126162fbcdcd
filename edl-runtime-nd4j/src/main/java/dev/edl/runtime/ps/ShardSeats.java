package dev.edl.runtime.ps;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The places of a group's shards, some of which may be empty for a while. Changed under the group's gate only. */
final class ShardSeats {
    private final AtomicReferenceArray<@Nullable ParameterShard> seats;
    private final List<ShardRange> ranges;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition taken = lock.newCondition();
    private boolean closed;

    ShardSeats(List<ParameterShard> shards) {
        if (shards.isEmpty()) {
            throw new IllegalArgumentException("a group must have at least 1 parameter shard, had none");
        }
        this.seats = new AtomicReferenceArray<>(shards.toArray(ParameterShard[]::new));
        this.ranges = shards.stream().map(ParameterShard::range).toList();
    }

    int count() {
        return ranges.size();
    }

    void requireVersions(long[] versions) {
        if (versions.length != count()) {
            throw new IllegalArgumentException(
                    "there must be one version for each of " + count() + " shards, were " + versions.length);
        }
    }

    Optional<ParameterShard> at(int index) {
        return Optional.ofNullable(seats.get(index));
    }

    List<ParameterShard> attached() {
        return IntStream.range(0, count())
                .mapToObj(this::at)
                .flatMap(Optional::stream)
                .toList();
    }

    ParameterShard take(int index) {
        ParameterShard shard = seats.getAndSet(index, null);
        if (shard == null) {
            throw new IllegalStateException("parameter shard ps-" + index + " is detached already");
        }
        return shard;
    }

    void put(int index, ParameterShard shard) {
        if (!shard.range().equals(ranges.get(index))) {
            throw new IllegalArgumentException("the place of " + ranges.get(index) + " is not for " + shard.range());
        }
        if (!seats.compareAndSet(index, null, shard)) {
            throw new IllegalStateException("parameter shard ps-" + index + " is attached; detach it first");
        }
        lock.lock();
        try {
            taken.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Runs an action on all shards inside the gate, once none is missing; the wait itself is outside of the gate. */
    <T> T run(Lock gate, Duration patience, Function<ParameterShard[], T> action) throws InterruptedException {
        long left = patience.toNanos();
        while (true) {
            gate.lock();
            try {
                ParameterShard @Nullable [] all = all();
                if (all != null) {
                    return action.apply(all);
                }
            } finally {
                gate.unlock();
            }
            left = awaitAll(left, patience);
        }
    }

    private ParameterShard @Nullable [] all() {
        ParameterShard[] all = new ParameterShard[count()];
        for (int i = 0; i < all.length; i++) {
            ParameterShard shard = seats.get(i);
            if (shard == null) {
                return null;
            }
            all[i] = shard;
        }
        return all;
    }

    private long awaitAll(long nanos, Duration patience) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = nanos;
            for (int missing = missing(); missing >= 0; missing = missing()) {
                if (closed) {
                    throw new IllegalStateException("the parameter shards are closed");
                }
                if (left <= 0) {
                    throw new ShardTimeoutException("parameter shard "
                            + ranges.get(missing).name() + " did not come back within " + Text.of(patience));
                }
                left = taken.awaitNanos(left);
            }
            return left;
        } finally {
            lock.unlock();
        }
    }

    /** Whoever waits for a missing shard, now or later, gets an exception instead. */
    void close() {
        lock.lock();
        try {
            closed = true;
            taken.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private int missing() {
        for (int i = 0; i < count(); i++) {
            if (seats.get(i) == null) {
                return i;
            }
        }
        return -1;
    }
}
