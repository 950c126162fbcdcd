package dev.edl.runtime.ps.ports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class DecisionRecordTest {
    private static DecisionRecord record(long term, long number) {
        return new DecisionRecord(term, number, new byte[3]);
    }

    @Test
    void the_term_comes_before_the_number() {
        assertThat(record(2, 0).isNewerThan(record(1, 9))).isTrue();
        assertThat(record(2, 3).isNewerThan(record(2, 2))).isTrue();
        assertThat(record(2, 3).isNewerThan(record(2, 3))).isFalse();
        assertThat(record(1, 9).isNewerThan(record(2, 0))).isFalse();
    }

    @Test
    void a_record_is_bounded() {
        assertThat(new DecisionRecord(1, 0, new byte[DecisionRecord.MAX_BYTES]))
                .hasToString("decision 0 of term 1, 65536 bytes");
        assertThatThrownBy(() -> new DecisionRecord(1, 0, new byte[DecisionRecord.MAX_BYTES + 1]))
                .hasMessage("a record of decisions must have at most 65536 bytes, had 65537");
        assertThatThrownBy(() -> record(0, 1))
                .hasMessage("a record of decisions needs a term of at least 1 and a number of at least 0, was term 0"
                        + " and number 1");
    }

    @Test
    void a_shard_keeps_the_newest_whatever_comes_late() {
        DecisionKeeper keeper = new DecisionKeeper();

        assertThat(keeper.keep(record(1, 5))).isTrue();
        assertThat(keeper.keep(record(1, 4))).isFalse();
        assertThat(keeper.keep(record(1, 5))).isTrue();
        assertThat(keeper.keep(record(2, 0))).isTrue();
        assertThat(keeper).hasToString("decision 0 of term 2, 3 bytes");
    }
}
