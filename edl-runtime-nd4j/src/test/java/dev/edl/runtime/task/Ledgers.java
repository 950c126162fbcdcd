package dev.edl.runtime.task;

import dev.edl.runtime.data.DataShard;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** A small training for table tests: shard a has tasks [0..4) [4..8) [8..10), shard b has [0..3); minibatches of 2. */
final class Ledgers {
    static final Instant T0 = Instant.parse("2026-01-01T00:00:00Z");

    private Ledgers() {}

    static LedgerSpec.Builder spec() {
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

    static Instant at(long seconds) {
        return T0.plusSeconds(seconds);
    }

    /** The task that a worker gets at T0; fails when it gets none. */
    static Task lease(TaskLedger ledger, String worker) {
        Assignment assignment = ledger.next(worker, T0);
        if (assignment instanceof Assignment.Lease lease) {
            return lease.task();
        }
        throw new AssertionError("expected a lease, was " + assignment);
    }

    /** One worker does all there is to do; the answer that ended it. */
    static Assignment drain(TaskLedger ledger, String worker) {
        while (true) {
            Assignment assignment = ledger.next(worker, T0);
            if (!(assignment instanceof Assignment.Lease lease)) {
                return assignment;
            }
            ledger.complete(lease.task().id(), T0);
        }
    }
}
