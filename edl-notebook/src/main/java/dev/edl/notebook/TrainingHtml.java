package dev.edl.notebook;

import dev.edl.runtime.CurvePoint;
import dev.edl.runtime.EvaluationResult;
import dev.edl.runtime.PredictionResult;
import dev.edl.runtime.TrainingResult;
import dev.edl.runtime.program.TrainingSummary;
import java.util.ArrayList;
import java.util.List;

/** Results of trainings as HTML. Needs module {@code edl-runtime-nd4j}. */
public final class TrainingHtml {
    private TrainingHtml() {}

    /** Returns a table of a training's result and the chart of its curve. */
    public static String of(TrainingResult result) {
        List<List<String>> rows = rows(TrainingSummary.of(result));
        result.resumed().ifPresent(from -> rows.add(List.of("resumed", from.toString())));
        return Html.of(Html.title("Training"), Html.pairs(rows)) + of(result.curve());
    }

    /** Returns a table of the result of a training whose replicas are processes or pods. */
    public static String of(TrainingSummary summary) {
        return Html.of(Html.title("Training"), Html.pairs(rows(summary))).toString();
    }

    private static List<List<String>> rows(TrainingSummary summary) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("version", CellText.count(summary.steps())));
        rows.addAll(CellText.metrics(summary.metrics()));
        rows.add(List.of("records", CellText.count(summary.records())));
        rows.add(List.of("took", CellText.of(summary.took())));
        rows.add(List.of("records a second", CellText.count(Math.round(summary.recordsPerSecond()))));
        rows.add(List.of("proof", summary.proof().strip()));
        summary.stopped().ifPresent(why -> rows.add(List.of("stopped", why)));
        summary.checkpoint().ifPresent(path -> rows.add(List.of("checkpoint", path.toString())));
        summary.export().ifPresent(path -> rows.add(List.of("export", path.toString())));
        return rows;
    }

    /** Returns the chart of a curve: losses above, workers and records per second below; empty without points. */
    public static String of(List<CurvePoint> curve) {
        return curve.isEmpty() ? "" : Html.image(CurvePicture.of(curve)).toString();
    }

    /** Returns a table of an evaluation's result. */
    public static String of(EvaluationResult result) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("version", CellText.count(result.version())));
        rows.addAll(CellText.metrics(result.metrics()));
        rows.add(List.of("records", CellText.count(result.records())));
        rows.add(List.of("took", CellText.of(result.took())));
        rows.add(List.of("proof", result.ledgerProof().toString()));
        return Html.of(Html.title("Evaluation"), Html.pairs(rows)).toString();
    }

    /** Returns a table of a prediction's result. */
    public static String of(PredictionResult result) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("version", CellText.count(result.version())));
        rows.add(List.of("records", CellText.count(result.records())));
        rows.add(List.of("outputs of each", CellText.count(result.outputs())));
        rows.add(List.of("written to", result.target()));
        rows.add(List.of("took", CellText.of(result.took())));
        rows.add(List.of("proof", result.ledgerProof().toString()));
        return Html.of(Html.title("Prediction"), Html.pairs(rows)).toString();
    }
}
