package dev.edl.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ProcessorTimeTest {
    /** The form is that of proc(5): user nice system idle iowait irq softirq steal guest guest_nice. */
    private static String stat(long user) {
        return "cpu  " + user + " 1 10 5000 7 2 3 4 0 0\ncpu0 1 2 3\n";
    }

    /** A name may contain spaces and brackets; utime 30, stime 5, cutime 20, cstime 1 follow after eleven fields. */
    private static final String SELF = "77 (a (b) c) S 1 77 77 0 -1 4194304 9 0 0 0 30 5 20 1 20 0 12 0";

    @Test
    void busy_is_what_was_neither_idle_nor_waiting_for_a_disk() {
        assertThat(ProcessorTime.of(stat(100), SELF, 5)).isEqualTo(new ProcessorTime(120, 56, 5));
    }

    @Test
    void what_is_not_ours_is_others() {
        ProcessorTime before = new ProcessorTime(1000, 100, 0);
        ProcessorTime after = new ProcessorTime(1400, 350, 2_000_000_000L);
        assertThat(after.othersSince(before)).isEqualTo(0.75);
    }

    @Test
    void others_are_never_below_zero() {
        ProcessorTime before = new ProcessorTime(1000, 100, 0);
        assertThat(new ProcessorTime(1100, 201, 1_000_000_000L).othersSince(before))
                .isZero();
    }

    @Test
    void another_form_is_an_error() {
        assertThatThrownBy(() -> ProcessorTime.of("intr 1", SELF, 0))
                .hasMessage("/proc/stat: expected a line \"cpu\" of 8 numbers or more, found [intr, 1]");
    }
}
