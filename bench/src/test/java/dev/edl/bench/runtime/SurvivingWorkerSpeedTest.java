package dev.edl.bench.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SurvivingWorkerSpeedTest {
    @Test
    void a_machine_that_is_slow_behind_a_kill_costs_the_workers_nothing() {
        assertThat(new SurvivingWorkerSpeed.Count(900, 600, 300, 200).ratio()).isEqualTo(1);
    }

    @Test
    void workers_that_wait_while_the_pacemaker_goes_on_lose() {
        assertThat(new SurvivingWorkerSpeed.Count(900, 810, 300, 300).ratio()).isEqualTo(0.9);
    }

    @Test
    void the_steps_of_all_survivors_are_summed() {
        SurvivingWorkerSpeed.Count sum = new SurvivingWorkerSpeed.Count(0, 0, 0, 0)
                .plus(10, 8)
                .plus(10, 12)
                .ticks(5, 5);
        assertThat(sum).isEqualTo(new SurvivingWorkerSpeed.Count(20, 20, 5, 5));
    }
}
