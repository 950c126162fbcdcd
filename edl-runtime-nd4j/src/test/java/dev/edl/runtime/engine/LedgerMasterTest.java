package dev.edl.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.engine.ports.TaskFailure;
import dev.edl.runtime.inprocess.Waits;
import dev.edl.runtime.task.Assignment;
import dev.edl.runtime.task.LedgerEvent;
import dev.edl.runtime.task.LedgerSpec;
import dev.edl.runtime.task.Task;
import dev.edl.runtime.task.TaskLedger;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class LedgerMasterTest {
    private final List<LedgerEvent> told = new ArrayList<>();

    /** Master that fails when it emits its first event. */
    private final class Failing extends LedgerMaster {
        private boolean failed;

        private Failing(TaskLedger ledger, List<LedgerEvent> seen, EventHub events) {
            super(ledger, seen, events, () -> 0, "nothing");
        }

        @Override
        void failed(Task task, TaskFailure failure) {}

        @Override
        void happened(LedgerEvent event) {
            if (!failed) {
                failed = true;
                throw new OutOfMemoryError("unable to create native thread");
            }
            told.add(event);
        }
    }

    @Test
    void the_lock_is_released_when_an_event_cannot_be_told() throws Exception {
        LedgerSpec spec = LedgerSpec.builder()
                .training(List.of(new DataShard("records", 8)))
                .minibatchSize(1)
                .minibatchesPerTask(4)
                .build();
        List<LedgerEvent> seen = new ArrayList<>();
        try (EventHub events = new EventHub("unit", List.of())) {
            LedgerMaster master = new Failing(TaskLedger.start(spec, seen::add), seen, events);
            assertThatThrownBy(() -> master.next("worker-0")).isInstanceOf(OutOfMemoryError.class);
            List<Assignment> given = new ArrayList<>();
            CountDownLatch answered = new CountDownLatch(1);
            Thread other = new Thread(() -> {
                given.add(master.next("worker-1"));
                answered.countDown();
            });
            other.setDaemon(true);
            other.start();
            Waits.on(answered);

            assertThat(given).hasExactlyElementsOfTypes(Assignment.Lease.class);
            // The first event, the epoch's start, failed; the later ones were emitted.
            assertThat(told).hasExactlyElementsOfTypes(LedgerEvent.Leased.class, LedgerEvent.Leased.class);
        }
    }
}
