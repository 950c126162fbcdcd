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
 * Writes the decisions of one master to every shard before they take effect. What several threads propose at once is one record.
 *
 * <p>Safe for several threads. No lock of the caller's may be held that an effect takes.
 */
public final class DecisionLog {
    /** What a decision does, once every shard has it. */
    @FunctionalInterface
    public interface Effect {
        /** Nothing: the decision is for the next master alone. */
        Effect NONE = () -> {};

        /** Does it; must not write decisions, and may propose some. */
        void run() throws InterruptedException;
    }

    private final ShardsControl shards;
    /** Held while a record is written and its effects run, so that these keep the order of the decisions. */
    private final ReentrantLock writing = new ReentrantLock();

    private final Deque<Effect> effects = new ArrayDeque<>();
    private Decisions proposed;
    private DecisionRecord written;
    private long number;
    private boolean due = true;

    /**
     * A log that has written nothing yet.
     *
     * @param before the decisions of earlier masters
     */
    public DecisionLog(ShardsControl shards, Decisions before) {
        this.shards = shards;
        this.proposed = before;
        this.written = new DecisionRecord(shards.term().number(), 0, DecisionsCodec.encode(before));
    }

    /** Returns all decisions, those that are not written yet too. */
    public synchronized Decisions now() {
        return proposed;
    }

    /** Returns the newest record that every shard has; that of earlier masters before the first. */
    public synchronized DecisionRecord written() {
        return written;
    }

    /**
     * Decides, unless the change changes nothing.
     *
     * @param effect run by the next {@link #write} that succeeds
     * @return whether it decided
     * @throws DecisionsTooLargeException when the record would be too large; nothing is decided
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

    /** Every shard is to get the record again: one has begun anew. */
    public synchronized void again() {
        due = true;
    }

    /** Returns whether every shard has every decision, and all have taken effect. */
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
     * Writes what was decided, and lets it take effect. When it throws, nothing has taken effect and the next call does it.
     *
     * @throws dev.edl.runtime.ps.ShardTimeoutException when a shard is absent
     * @throws dev.edl.runtime.ps.ports.StaleTermException when another master leads
     */
    public void write() throws InterruptedException {
        if (writing.isHeldByCurrentThread()) {
            throw new IllegalStateException("an effect of a decision must not write decisions");
        }
        writing.lockInterruptibly();
        try {
            while (once()) {
                // An effect has decided something.
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

    /** Returns the text for people, for example {@code decision 7 of term 2, 1204 bytes}. */
    @Override
    public synchronized String toString() {
        return written.toString();
    }
}
