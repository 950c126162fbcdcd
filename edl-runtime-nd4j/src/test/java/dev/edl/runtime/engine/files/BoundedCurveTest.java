package dev.edl.runtime.engine.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.CurvePoint;
import dev.edl.runtime.Progress;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BoundedCurveTest {
    private static final Map<String, Double> GOOD = Map.of("accuracy", 0.9);

    private final BoundedCurve curve = new BoundedCurve();

    /** Records progress at ten records a step and ten steps a second. */
    private void at(long step) {
        curve.moved(
                new Progress(0, 1, 1, 1, 10 * step, 1_000_000, step, 1.0 / step, 100, Duration.ofMillis(100 * step)),
                3);
    }

    private static CurvePoint point(long step, Map<String, Double> metrics) {
        return new CurvePoint(step, 10 * step, Duration.ofMillis(100 * step), 1.0 / step, metrics, 3);
    }

    private List<Long> steps() {
        return curve.points().stream().map(CurvePoint::step).toList();
    }

    @Test
    void nothing_has_no_points() {
        assertThat(curve.points()).isEmpty();
    }

    @Test
    void a_short_training_has_every_point() {
        at(1);
        at(4);
        at(9);

        assertThat(curve.points()).containsExactly(point(1, Map.of()), point(4, Map.of()), point(9, Map.of()));
    }

    @Test
    void a_training_that_waits_for_an_evaluation_has_no_more_points() {
        at(1);
        at(4);
        at(4);
        at(4);

        assertThat(steps()).containsExactly(1L, 4L);
    }

    @Test
    void an_evaluation_is_a_point_of_its_version_however_late_it_comes() {
        at(1);
        at(4);
        at(9);
        curve.evaluated(4, GOOD);
        curve.evaluated(6, Map.of("accuracy", 0.8));

        CurvePoint between = new CurvePoint(6, 40, Duration.ofMillis(400), 0.25, Map.of("accuracy", 0.8), 3);
        assertThat(curve.points()).containsExactly(point(1, Map.of()), point(4, GOOD), between, point(9, Map.of()));
    }

    @Test
    void an_evaluation_that_is_told_twice_is_one_point() {
        at(4);
        curve.evaluated(4, GOOD);
        curve.evaluated(4, GOOD);

        assertThat(curve.points()).containsExactly(point(4, GOOD));
    }

    @Test
    void an_evaluation_before_any_progress_is_the_first_point() {
        curve.evaluated(2, GOOD);
        at(3);

        assertThat(steps()).containsExactly(2L, 3L);
        assertThat(curve.points().get(0).metrics()).isEqualTo(GOOD);
    }

    @Test
    void a_version_that_falls_is_told_in_the_order_of_time() {
        at(5);
        at(9);
        at(6);

        assertThat(steps()).containsExactly(5L, 9L, 6L);
    }

    @Test
    void a_long_training_has_points_that_are_evenly_spread_and_its_end() {
        for (long step = 1; step <= 100_003; step++) {
            at(step);
        }

        List<Long> steps = steps();
        assertThat(steps).hasSizeBetween(400, 1000).isSortedAccordingTo(Comparator.naturalOrder());
        assertThat(steps.get(0)).isEqualTo(1);
        assertThat(steps.get(steps.size() - 1)).isEqualTo(100_003);
        for (int i = 1; i < steps.size() - 1; i++) {
            assertThat(steps.get(i) - steps.get(i - 1))
                    .as("before step %d", steps.get(i))
                    .isBetween(64L, 256L);
        }
    }

    @Test
    void evaluations_outlive_the_other_points() {
        for (long step = 1; step <= 100_000; step++) {
            at(step);
            if (step % 1000 == 0) {
                curve.evaluated(step, GOOD);
            }
        }

        assertThat(curve.points()).hasSizeLessThanOrEqualTo(1000);
        assertThat(curve.points().stream().filter(point -> !point.metrics().isEmpty()))
                .hasSize(100);
    }

    @Test
    void evaluations_at_each_step_have_the_same_bound() {
        for (long step = 1; step <= 10_000; step++) {
            at(step);
            curve.evaluated(step, GOOD);
        }

        assertThat(curve.points()).hasSizeBetween(400, 1000);
    }
}
