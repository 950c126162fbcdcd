package dev.edl.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.bench.harness.Figure;
import dev.edl.bench.harness.PeerSoftware;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BenchArgumentsTest {
    @Test
    void without_flags_every_figure_is_taken_in_seven_rounds() {
        assertThat(BenchArguments.parse(List.of("runtime")))
                .isEqualTo(new BenchArguments("runtime", List.of(), false, false, 7, 60, Set.of()));
    }

    @Test
    void flags_and_figures_may_stand_in_any_order() {
        assertThat(BenchArguments.parse(List.of(
                        "runtime", "--rounds", "3", "shard", "--skip-peer", "pytorch", "mlp.64", "--patience", "0")))
                .isEqualTo(new BenchArguments(
                        "runtime", List.of("shard", "mlp.64"), false, false, 3, 0, Set.of(PeerSoftware.PYTORCH)));
    }

    @Test
    void quick_is_one_round_that_waits_for_nothing() {
        assertThat(BenchArguments.parse(List.of("runtime", "--quick")))
                .isEqualTo(new BenchArguments("runtime", List.of(), false, true, 1, 0, Set.of()));
    }

    @Test
    void a_name_covers_the_figures_below_it_and_no_others() {
        Figure figure = new Figure("mlp.64.pytorch", 1.2, "");
        assertThat(BenchArguments.covers("mlp", figure)).isTrue();
        assertThat(BenchArguments.covers("mlp.64", figure)).isTrue();
        assertThat(BenchArguments.covers("mlp.64.pytorch", figure)).isTrue();
        assertThat(BenchArguments.covers("mlp.6", figure)).isFalse();
    }

    @Test
    void mistakes_are_reported() {
        mistake("a group is missing");
        mistake("there is no flag \"--fast\"", "runtime", "--fast");
        mistake("--rounds needs a value", "runtime", "--rounds");
        mistake("--rounds must be a whole number of at least 1, was 0", "runtime", "--rounds", "0");
        mistake("--rounds must be a whole number of at least 1, was \"many\"", "runtime", "--rounds", "many");
        mistake("--skip-peer must be jib or pytorch or torchx, was \"jax\"", "runtime", "--skip-peer", "jax");
    }

    private static void mistake(String message, String... words) {
        assertThatThrownBy(() -> BenchArguments.parse(List.of(words))).hasMessage(message);
    }
}
