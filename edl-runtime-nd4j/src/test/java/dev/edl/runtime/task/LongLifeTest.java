package dev.edl.runtime.task;

import static dev.edl.runtime.task.Ledgers.T0;
import static dev.edl.runtime.task.Ledgers.drain;
import static dev.edl.runtime.task.Ledgers.lease;
import static dev.edl.runtime.task.Ledgers.spec;
import static dev.edl.runtime.task.Ledgers.start;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** State of a ledger in a training of months. */
class LongLifeTest {
    /** Returns the value of a field of the ledger's state. */
    private static String field(TaskLedger ledger, String name) {
        String image = StateImage.of(ledger);
        int begin = image.indexOf("\n" + name + "=");
        return image.substring(begin, image.indexOf('\n', begin + 1));
    }

    @Test
    void tries_of_tasks_that_are_complete_are_forgotten() {
        TaskLedger ledger = start(spec());
        for (int i = 0; i < 4; i++) {
            Task task = lease(ledger, "w0");
            ledger.giveBack(task);
            Task again = lease(ledger, "w0");
            assertThat(again.attempt()).isEqualTo(1);
            ledger.complete(again, T0);
        }

        assertThat(ledger.trainingComplete()).isTrue();
        assertThat(field(ledger, "attempts")).isEqualTo("\nattempts=");
    }

    @Test
    void a_reopened_task_is_compared_with_the_shards_even_without_attempt_counts() {
        TaskLedger ledger = start(spec());
        Task first = lease(ledger, "w0");
        ledger.complete(first, T0);
        ledger.reopen(0, ordinal -> false);

        Task again = lease(ledger, "w0");
        assertThat(again.range()).isEqualTo(first.range());
        assertThat(again.attempt()).isEqualTo(1);
    }

    @Test
    void old_requested_versions_are_stored_as_one_bound() {
        TaskLedger ledger = start(spec());
        for (long version = 0; version < 2000; version += 2) {
            assertThat(ledger.evaluate(version)).isTrue();
            drain(ledger, "w0");
        }
        String image = StateImage.of(ledger);
        String asked = image.substring(image.indexOf("newest=") + 7, image.indexOf('\n', image.indexOf("newest=")));

        assertThat(asked.split(",")).hasSize(256);
        assertThat(ledger.evaluate(0)).isFalse();
        assertThat(ledger.evaluate(1998)).isFalse();
        assertThat(ledger.evaluate(1999)).isTrue();
    }
}
