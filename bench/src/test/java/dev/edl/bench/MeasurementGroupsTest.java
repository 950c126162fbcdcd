package dev.edl.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.bench.composition.CompositionBenchmark;
import dev.edl.bench.harness.Figure;
import dev.edl.bench.harness.MeasurementSettings;
import dev.edl.bench.harness.RoundRatios;
import dev.edl.bench.runtime.BenchmarkModel;
import dev.edl.bench.runtime.JoinTime;
import dev.edl.bench.runtime.JvmSharingCost;
import dev.edl.bench.runtime.StandaloneWorker;
import dev.edl.bench.runtime.SurvivingWorkerSpeed;
import dev.edl.bench.runtime.WholeTraining;
import dev.edl.bench.runtime.WorkerLossCost;
import dev.edl.bench.runtime.shards.ShardSpeed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MeasurementGroupsTest {
    private final List<Figure> figures = Stream.of("runtime", "composition", "kubernetes", "remote")
            .flatMap(group -> MeasurementGroups.of(group).stream())
            .flatMap(m -> m.figures().stream())
            .toList();

    @Test
    void no_two_figures_have_the_same_name() {
        assertThat(figures.stream().map(Figure::name)).doesNotHaveDuplicates();
    }

    @Test
    void every_figure_has_its_row_in_the_page_on_benchmarks() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "benchmarks.md"));
        assertThat(figures).allSatisfy(f -> assertThat(page).contains("| `" + f.name() + "` | " + f.goal() + " |"));
    }

    @Test
    void another_group_is_refused() {
        assertThatThrownBy(() -> MeasurementGroups.of("everything"))
                .hasMessage("there is no group \"everything\"; there are runtime, composition, kubernetes and remote");
    }

    @Test
    void the_gradients_of_the_hand_written_model_are_repeatable() {
        try (StandaloneWorker one = new StandaloneWorker(BenchmarkModel.mlp(), 4);
                StandaloneWorker other = new StandaloneWorker(BenchmarkModel.mlp(), 4)) {
            assertThat(one.step()).isEqualTo(other.step());
            assertThat(one.gradient()).isEqualTo(other.gradient());
        }
    }

    @Test
    void replicas_that_differ_by_their_index_cost_no_manifest() {
        String few = CompositionBenchmark.text("elasticdl", 10, 1);
        String many = CompositionBenchmark.text("elasticdl", 5000, 1);
        assertThat(many).hasSizeLessThan(few.length() + 20).contains("completions: 4997");
    }

    @Test
    void a_join_is_measured_in_a_quick_run() throws Exception {
        JoinTime join = new JoinTime();
        Figure figure = join.figures().get(0);
        RoundRatios rounds = join.measure(new MeasurementSettings(Set.of(figure.name()), 1, true, Optional.empty()));
        assertThat(rounds.ratio(figure)).isPositive();
    }

    @Test
    void what_sharing_a_jvm_costs_is_measured_in_a_quick_run() throws Exception {
        JvmSharingCost sharing = JvmSharingCost.shards("sgd", ShardSpeed.text("sgd"));
        Figure two = sharing.figures().get(0);
        RoundRatios rounds = sharing.measure(new MeasurementSettings(Set.of(two.name()), 1, true, Optional.empty()));
        assertThat(rounds.ratio(two)).isPositive();
        assertThat(rounds.conditions(two))
                .matches("1 round [0-9.]+; one JVM [0-9.]+ pushes/s, two JVMs [0-9.]+ pushes/s,"
                        + " two JVMs do [0-9.]+ times what one does alone; turns in a round: 1");
    }

    @Test
    void whole_trainings_are_measured_in_a_quick_run() throws Exception {
        for (WholeTraining training : List.of(WholeTraining.synchronous(64, 1), WholeTraining.asynchronous(64, 1))) {
            Figure figure = training.figures().get(0);
            RoundRatios rounds =
                    training.measure(new MeasurementSettings(Set.of(figure.name()), 1, true, Optional.empty()));
            assertThat(rounds.ratio(figure)).isPositive();
        }
    }

    @Test
    void what_a_kill_costs_the_others_is_measured_in_a_quick_run() throws Exception {
        SurvivingWorkerSpeed survivors = new SurvivingWorkerSpeed();
        Figure others = survivors.figures().get(0);
        RoundRatios rounds =
                survivors.measure(new MeasurementSettings(Set.of(others.name()), 1, true, Optional.empty()));
        assertThat(rounds.ratio(others)).isPositive();
    }

    @Test
    void what_a_kill_costs_is_measured_in_a_quick_run() throws Exception {
        WorkerLossCost loss = new WorkerLossCost();
        Figure recomputed = loss.figures().get(0);
        RoundRatios rounds =
                loss.measure(new MeasurementSettings(Set.of(recomputed.name()), 1, true, Optional.empty()));
        assertThat(rounds.ratio(recomputed)).isEqualTo(1);
    }
}
