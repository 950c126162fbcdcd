package dev.edl.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class RoundRatiosTest {
    private final Figure figure = new Figure("mlp.64.pytorch", 1.2, "");

    @Test
    void the_ratio_is_the_median_of_the_rounds_ratios() {
        RoundRatios rounds = new RoundRatios().add(figure, 9).add(figure, 1).add(figure, 2);
        assertThat(rounds.ratio(figure)).isEqualTo(2);
        assertThat(RoundRatios.median(List.of(4.0, 1.0, 2.0, 3.0))).isEqualTo(2.5);
    }

    @Test
    void conditions_give_spread_medians_and_notes() {
        RoundRatios rounds = new RoundRatios()
                .add(figure, 1.4)
                .side(figure, "EDL %.0f us", 470)
                .side(figure, "PyTorch %.0f us", 660)
                .add(figure, 1.2)
                .side(figure, "EDL %.0f us", 480)
                .side(figure, "PyTorch %.0f us", 576)
                .note(figure, "one thread");
        assertThat(rounds.conditions(figure))
                .isEqualTo("2 rounds 1.200..1.400; EDL 475 us, PyTorch 618 us; one thread");
    }

    @Test
    void a_figure_that_was_not_measured_is_an_error() {
        assertThatThrownBy(() -> new RoundRatios().ratio(figure)).hasMessage("mlp.64.pytorch was not measured");
    }

    @Test
    void a_ratio_is_a_number() {
        assertThatThrownBy(() -> new RoundRatios().add(figure, Double.NaN))
                .hasMessage("mlp.64.pytorch: a ratio must be a finite number of at least 0, was NaN");
    }
}
