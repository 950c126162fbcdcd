package dev.edl.runtime.engine.decisions;

import dev.edl.runtime.ps.ports.DecisionRecord;
import dev.edl.runtime.ps.ports.ShardsControl;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

/**
 * Log that writes the decisions of one master to every shard before they take effect. Decisions proposed before the
 * same write are written as one record.
 *
 * <p>Thread-safe. The caller must not hold a lock that an effect takes.
 */
public final class DecisionLog {
    /** Action that a decision causes, run once every shard has the decision. */
    @FunctionalInterface
    public interface Effect {
        /** Does nothing, for a decision that only the next master uses. */
        Effect NONE = () -> {};

        /** Runs the effect. It must not call {@link DecisionLog#write}, but may propose further decisions. */
        void run() throws InterruptedException;
    }

    private final ShardsControl shards;
    /** Held while a record is written and its effects run, so that effects run in the order of the decisions. */
    private final ReentrantLock writing = new ReentrantLock();

    private final Deque<Effect> effects = new ArrayDeque<>();
    private Decisions proposed;
    private DecisionRecord written;
    private long number;
    private boolean due = true;

    /**
     * Creates a log that has written nothing.
     *
     * @param before the decisions of earlier masters
     */
    public DecisionLog(ShardsControl shards, Decisions before) {
        this.shards = shards;
        this.proposed = before;
        this.written = new DecisionRecord(shards.term().number(), 0, DecisionsCodec.encode(before));
    }

    /** Returns all decisions, including those not yet written. */
    public synchronized Decisions now() {
        return proposed;
    }

    /**
     * Returns the newest record of decisions that every shard has; before the first write, a record with the decisions
     * of earlier masters.
     */
    public synchronized DecisionRecord written() {
        return written;
    }

    /**
     * Proposes a decision, which the next {@link #write} writes. Does nothing if the change yields equal decisions.
     *
     * @param effect run by the next {@link #write} that succeeds
     * @return false if the change yields equal decisions
     * @throws DecisionsTooLargeException if the record would be too large; nothing is decided
     */
    public synchronized boolean propose(UnaryOperator<Decisions> change, Effect effect) {
        Decisions next = change.apply(proposed);
        if (next.equals(proposed)) {
            return false;
        }
        DecisionsCodec.encode(next);
        proposed = next;
        due = true;
        effects.add(effect);
        return true;
    }

    /** Forces the next {@link #write} to write the record again, because a shard has begun a new life without it. */
    public synchronized void again() {
        due = true;
    }

    /** Returns whether every shard has every decision, and all effects have run. */
    public boolean settled() {
        writing.lock();
        try {
            synchronized (this) {
                return !due && effects.isEmpty();
            }
        } finally {
            writing.unlock();
        }
    }

    /**
     * Writes pending decisions and runs their effects. If it throws, nothing has taken effect and the next call
     * retries.
     *
     * @throws dev.edl.runtime.ps.ShardTimeoutException if a shard is absent
     * @throws dev.edl.runtime.ps.ports.StaleTermException if another master leads
     */
    public void write() throws InterruptedException {
        if (writing.isHeldByCurrentThread()) {
            throw new IllegalStateException("an effect of a decision must not write decisions");
        }
        writing.lockInterruptibly();
        try {
            while (once()) {
                // An effect has proposed a decision.
            }
        } finally {
            writing.unlock();
        }
    }

    private boolean once() throws InterruptedException {
        DecisionRecord record;
        List<Effect> decided;
        synchronized (this) {
            if (!due) {
                return false;
            }
            record = new DecisionRecord(shards.term().number(), ++number, DecisionsCodec.encode(proposed));
            decided = new ArrayList<>(effects);
            due = false;
        }
        boolean done = false;
        try {
            shards.decide(record);
            done = true;
        } finally {
            synchronized (this) {
                due |= !done;
            }
        }
        synchronized (this) {
            written = record;
            decided.forEach(effect -> effects.removeFirst());
        }
        for (Effect effect : decided) {
            effect.run();
        }
        return true;
    }

    /** Returns text for people, for example {@code decision 7 of term 2, 1204 bytes}. */
    @Override
    public synchronized String toString() {
        return written.toString();
    }
}
