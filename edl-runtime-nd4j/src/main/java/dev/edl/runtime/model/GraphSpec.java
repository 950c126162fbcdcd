package dev.edl.runtime.model;

import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.linalg.api.buffer.DataType;

/** The names and shapes by which a graph is used; checked against one. Shapes are those of one record. */
record GraphSpec(
        String features,
        List<Long> featureShape,
        String labels,
        List<Long> labelShape,
        DataType labelType,
        LabelForm form,
        int classes,
        String loss,
        String predictions) {

    static GraphSpec of(
            SameDiff graph,
            String features,
            String labels,
            String loss,
            String predictions,
            LabelForm form,
            int classes) {
        GraphNames names = new GraphNames(graph);
        List<Long> featureShape = names.recordShape("features", features);
        DataType featureType = graph.getVariable(features).dataType();
        if (featureType != DataType.FLOAT) {
            throw new IllegalArgumentException(
                    "features: placeholder \"" + features + "\" must be FLOAT, was " + featureType);
        }
        List<Long> labelShape = names.recordShape("labels", labels);
        DataType labelType = graph.getVariable(labels).dataType();
        boolean one = labelShape.isEmpty() || labelShape.equals(List.of(1L));
        if (form == LabelForm.ONE_HOT && !(labelType == DataType.FLOAT && labelShape.equals(List.of((long) classes)))) {
            throw new IllegalArgumentException("labels: for oneHot(" + classes + ") placeholder \"" + labels
                    + "\" must be FLOAT [-1, " + classes + "], was " + labelType + " " + shape(labelShape));
        }
        boolean number = labelType == DataType.INT32 || labelType == DataType.INT64 || labelType == DataType.FLOAT;
        if (form == LabelForm.INDEX && !(number && one)) {
            throw new IllegalArgumentException("labels: for indices(" + classes + ") placeholder \"" + labels
                    + "\" must be INT32, INT64 or FLOAT, [-1] or [-1, 1], was " + labelType + " " + shape(labelShape));
        }
        names.variable("loss", loss);
        names.variable("predictions", predictions);
        return new GraphSpec(features, featureShape, labels, labelShape, labelType, form, classes, loss, predictions);
    }

    int featureWidth() {
        return Math.toIntExact(featureShape.stream().reduce(1L, Math::multiplyExact));
    }

    /** The shape of a number of records. */
    static long[] rows(int records, List<Long> shape) {
        return LongStream.concat(LongStream.of(records), shape.stream().mapToLong(d -> d))
                .toArray();
    }

    private static String shape(List<Long> recordShape) {
        return Arrays.toString(rows(-1, recordShape));
    }
}
