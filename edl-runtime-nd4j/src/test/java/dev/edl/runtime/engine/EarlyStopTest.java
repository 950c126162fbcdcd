package dev.edl.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.EarlyStop;
import dev.edl.runtime.ExportCallback;
import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.TrainingCallback;
import dev.edl.runtime.TrainingControl;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class EarlyStopTest {
    private final Orders orders = new Orders();

    /** Control that records the requests of a callback. */
    private static final class Orders implements TrainingControl {
        private OptionalLong kept = OptionalLong.empty();
        private long version;
        private final List<String> stops = new ArrayList<>();

        @Override
        public boolean stop(String reason) {
            return stops.add(reason);
        }

        @Override
        public TrainedModel model() {
            throw new AssertionError("not asked for");
        }

        @Override
        public void export(Path npzFile) {
            throw new AssertionError("not asked for");
        }

        @Override
        public boolean keep(Map<String, Double> metrics) {
            kept = OptionalLong.of(version);
            return true;
        }

        @Override
        public OptionalLong kept() {
            return kept;
        }
    }

    private void tell(TrainingCallback watch, long version, double loss) throws Exception {
        orders.version = version;
        watch.onEvaluation(version, Map.of("loss", loss), orders);
    }

    @Test
    void the_best_evaluation_is_kept_even_if_it_ends_late() throws Exception {
        TrainingCallback watch =
                EarlyStop.on("loss").patience(5).restoreBest(true).begin("");

        tell(watch, 20, 0.5);
        tell(watch, 40, 0.4);
        tell(watch, 30, 0.3);
        tell(watch, 35, 0.6);

        assertThat(orders.kept).hasValue(30);
        // Best value, its version, the last version, evaluations since, the value of the kept version.
        assertThat(watch.state()).isEqualTo("0.3 30 40 0 0.3");
    }

    @Test
    void a_lost_best_version_is_replaced_and_its_successor_is_no_improvement() throws Exception {
        EarlyStop stop = EarlyStop.on("loss").patience(3).restoreBest(true);
        TrainingCallback watch = stop.begin("");
        tell(watch, 20, 0.3);
        orders.kept = OptionalLong.empty();

        tell(watch, 40, 0.5);
        assertThat(orders.kept).hasValue(40);
        tell(watch, 60, 0.6);
        assertThat(orders.kept).hasValue(40);
        TrainingCallback resumed = stop.begin(watch.state());
        tell(resumed, 80, 0.4);

        assertThat(orders.kept).hasValue(80);
        assertThat(orders.stops).containsExactly("loss has not been better for 3 evaluations than 0.3 at version 20");
    }

    @Test
    void a_nan_evaluation_is_an_error_not_a_worse_value() throws Exception {
        TrainingCallback watch = EarlyStop.on("loss").restoreBest(true).begin("");
        tell(watch, 20, 0.3);
        assertThatThrownBy(() -> tell(watch, 40, Double.NaN))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("EarlyStop on loss, patience 1 cannot compare version 40 with the best: loss is NaN;"
                        + " auc is NaN if all validation records are of one class");
        assertThat(orders.stops).isEmpty();
        assertThat(orders.kept).hasValue(20);
        TrainingCallback export =
                ExportCallback.best("loss", Path.of("best.npz")).begin("");
        assertThatThrownBy(() -> tell(export, 40, Double.NaN))
                .hasMessageStartingWith(
                        "Export of the best loss cannot compare version 40 with the best: loss is NaN;");
    }

    @Test
    void a_call_that_is_made_again_orders_the_same() throws Exception {
        EarlyStop stop = EarlyStop.on("loss").patience(1).restoreBest(true);
        TrainingCallback first = stop.begin("");
        String before = first.state();
        tell(first, 20, 0.3);
        TrainingCallback again = stop.begin(before);
        tell(again, 20, 0.3);

        assertThat(again.state()).isEqualTo(first.state());
        assertThat(orders.kept).hasValue(20);
        tell(again, 40, 0.3);
        assertThat(orders.stops).hasSize(1);
    }
}
