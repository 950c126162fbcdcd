package dev.edl.runtime.task;

import dev.edl.runtime.data.DataShard;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongPredicate;

/** A small training for table tests: shard a has tasks [0..4) [4..8) [8..10), shard b has [0..3); minibatches of 2. */
public final class Ledgers {
    public static final Duration T0 = Duration.ofHours(1);

    private Ledgers() {}

    public static LedgerSpec.Builder spec() {
        return LedgerSpec.builder()
                .training(List.of(new DataShard("a", 10), new DataShard("b", 3)))
                .evaluation(List.of(new DataShard("test", 6)))
                .minibatchSize(2)
                .minibatchesPerTask(2)
                .shuffle(false)
                .leaseTimeout(Duration.ofSeconds(60));
    }

    static TaskLedger start(LedgerSpec.Builder spec) {
        return TaskLedger.start(spec.build(), event -> {});
    }

    /** Returns the ledger that results from a history. */
    static TaskLedger replay(
            LedgerSpec spec, Iterable<? extends LedgerEvent> history, Consumer<? super LedgerEvent> observer) {
        TaskLedger ledger = TaskLedger.start(spec, observer);
        history.forEach(ledger::apply);
        return ledger;
    }

    /** Compares all epochs with the shards' pushes; returns how many tasks are open again. */
    static int reopen(TaskLedger ledger, LongPredicate applied) {
        PushIds ids = ledger.spec().pushIds();
        int count = 0;
        for (int epoch = 0; epoch < ledger.epochsBegun(); epoch++) {
            int e = epoch;
            count += ledger.reopen(epoch, ordinal -> applied.test(ids.pushId(e, ordinal)));
        }
        return count;
    }

    static Duration at(long seconds) {
        return T0.plusSeconds(seconds);
    }

    /** Leases a task to a worker at T0; fails if there is none. */
    public static Task lease(TaskLedger ledger, String worker) {
        Assignment assignment = ledger.next(worker, T0);
        if (assignment instanceof Assignment.Lease lease) {
            return lease.task();
        }
        throw new AssertionError("expected a lease, was " + assignment);
    }

    /** Does all work with one worker; returns the last assignment. */
    public static Assignment drain(TaskLedger ledger, String worker) {
        while (true) {
            Assignment assignment = ledger.next(worker, T0);
            if (!(assignment instanceof Assignment.Lease lease)) {
                return assignment;
            }
            ledger.complete(lease.task(), T0);
        }
    }

    /** Returns a copy of a task with another id. */
    static Task numbered(int id, Task like) {
        return new Task(
                id,
                like.type(),
                like.epoch(),
                like.modelVersion(),
                like.shard(),
                like.start(),
                like.end(),
                like.minibatchSize(),
                like.firstMinibatch(),
                like.minibatchesPerEpoch(),
                like.attempt());
    }
}
