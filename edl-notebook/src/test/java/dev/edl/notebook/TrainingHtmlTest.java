package dev.edl.notebook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.CurvePoint;
import dev.edl.runtime.EvaluationResult;
import dev.edl.runtime.PredictionResult;
import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.TrainingResult;
import dev.edl.runtime.model.ParameterLayout;
import dev.edl.runtime.proof.LedgerProof;
import dev.edl.runtime.proof.RecordCoverage;
import dev.edl.runtime.proof.TaskType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TrainingHtmlTest {
    private static LedgerProof proof() {
        return new LedgerProof(
                1200,
                List.of(new RecordCoverage(TaskType.TRAINING, 0, 1200, 0, 0)),
                List.of(),
                2,
                0,
                0,
                0,
                0,
                300,
                300,
                Optional.empty(),
                LedgerProof.Origin.HISTORY);
    }

    /** A falling loss, a worker that leaves and one that joins; an evaluation every 50 steps. */
    static List<CurvePoint> curve() {
        List<CurvePoint> points = new ArrayList<>();
        long millis = 0;
        for (int step = 10; step <= 300; step += 10) {
            Map<String, Double> metrics = step % 50 == 0 ? Map.of("loss", 0.1 + 70.0 / (100 + step)) : Map.of();
            int workers = step > 100 && step <= 180 ? 3 : 4;
            millis += 320 / workers;
            points.add(
                    new CurvePoint(step, 4L * step, Duration.ofMillis(millis), 60.0 / (80 + step), metrics, workers));
        }
        return points;
    }

    static TrainingResult result(Map<String, Double> metrics, List<CurvePoint> curve) {
        ParameterLayout layout = ParameterLayout.builder().add("w", 2).build();
        return new TrainingResult(
                300,
                metrics,
                curve,
                proof(),
                List.of(),
                300,
                Duration.ofMillis(2400),
                1200,
                Optional.empty(),
                Optional.of(Path.of("model.npz")),
                TrainedModel.of(layout, new float[2], 300),
                Optional.empty(),
                Optional.empty(),
                "seed 7");
    }

    @Test
    void a_training_is_its_figures_and_its_curve() {
        Pages.check("training", TrainingHtml.of(result(Map.of("loss", 0.275), curve())));
    }

    @Test
    void a_training_without_validation_data_has_one_curve() {
        List<CurvePoint> plain = curve().stream()
                .map(point -> new CurvePoint(
                        point.step(), point.records(), point.elapsed(), point.loss(), Map.of(), point.workers()))
                .toList();

        assertThat(CurvePicture.of(plain).toString())
                .contains("training loss", "workers", "records a second")
                .doesNotContain("validation");
    }

    @Test
    void a_curve_of_one_point_without_a_loss_is_a_picture() {
        CurvePoint only = new CurvePoint(1, 0, Duration.ZERO, Double.NaN, Map.of(), 1);

        assertThat(CurvePicture.of(List.of(only)).toString())
                .doesNotContain("NaN", "Infinity")
                .contains("unknown");
    }

    @Test
    void a_result_without_a_curve_has_no_picture() {
        assertThat(TrainingHtml.of(result(Map.of(), List.of()))).doesNotContain("<img");
    }

    @Test
    void a_metric_cannot_bring_markup() {
        assertThat(TrainingHtml.of(result(Map.of("<script>", 1.0), List.of())))
                .doesNotContain("<script")
                .contains("&lt;script&gt;");
    }

    @Test
    void an_evaluation_is_its_metrics() {
        Pages.check(
                "evaluation",
                TrainingHtml.of(new EvaluationResult(
                        300, Map.of("accuracy", 0.9611111), 360, proof(), Duration.ofMillis(120))));
    }

    @Test
    void a_prediction_shows_its_file() {
        Pages.check(
                "prediction",
                TrainingHtml.of(new PredictionResult(300, 360, 10, "<out>.npy", proof(), Duration.ofSeconds(75))));
    }
}
