package dev.edl.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class FaultPlanTest {
    private static final List<List<FaultPlan.Fault>> PLANS =
            LongStream.range(0, 200).mapToObj(FaultPlan::draw).toList();

    @Test
    void a_seed_draws_the_same_faults_again_and_another_seed_others() {
        assertThat(FaultPlan.draw(7)).isEqualTo(PLANS.get(7)).isNotEqualTo(PLANS.get(8));
    }

    @Test
    void a_plan_has_eight_faults_in_the_order_of_their_shares_and_at_most_two_stops() {
        assertThat(PLANS).allSatisfy(plan -> {
            assertThat(plan)
                    .hasSize(8)
                    .isSortedAccordingTo(Comparator.comparingDouble(FaultPlan.Fault::share))
                    .allSatisfy(fault -> assertThat(fault.share()).isBetween(0.0, 1.0));
            assertThat(plan.stream().filter(fault -> fault.kind() == FaultPlan.Kind.STOP))
                    .hasSizeLessThanOrEqualTo(2)
                    .allSatisfy(fault -> assertThat(fault.stop()).isGreaterThan(FaultPlan.LEASE));
        });
    }

    @Test
    void the_seeds_draw_every_kind_two_targets_and_faults_at_the_end() {
        List<FaultPlan.Fault> all = PLANS.stream().flatMap(List::stream).toList();
        assertThat(all)
                .extracting(FaultPlan.Fault::kind)
                .containsOnly(FaultPlan.Kind.KILL, FaultPlan.Kind.STOP, FaultPlan.Kind.CUT);
        assertThat(all).anyMatch(fault -> fault.targets().size() == 2).anyMatch(fault -> fault.share() == 1);
        assertThat(all).anyMatch(fault -> fault.stop().equals(Duration.ofSeconds(32)));
    }

    @Test
    void twelve_faults_of_pods_delete_them_instead_of_cutting_their_connections() {
        List<List<FaultPlan.Fault>> plans = LongStream.range(0, 200)
                .mapToObj(seed -> FaultPlan.draw(seed, 12, FaultPlan.Kind.DELETE))
                .toList();

        assertThat(plans)
                .allSatisfy(plan -> assertThat(plan)
                        .hasSize(12)
                        .isSortedAccordingTo(Comparator.comparingDouble(FaultPlan.Fault::share)));
        assertThat(plans.stream().flatMap(List::stream))
                .extracting(FaultPlan.Fault::kind)
                .containsOnly(FaultPlan.Kind.KILL, FaultPlan.Kind.STOP, FaultPlan.Kind.DELETE);
    }
}
