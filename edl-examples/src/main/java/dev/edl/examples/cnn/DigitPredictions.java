package dev.edl.examples.cnn;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Predictions of a model for images with known digits. */
final class DigitPredictions {
    private static final int SHOWN = 6;

    private final List<Answer> all;

    /**
     * Prediction for one image.
     *
     * @param record number of the image in the data
     * @param truth the true digit
     * @param answer the predicted digit
     * @param probability probability that the model gives to the predicted digit
     */
    record Answer(int record, int truth, int answer, float probability) {
        boolean wrong() {
            return truth != answer;
        }
    }

    /**
     * Takes the most probable digit of each image as its prediction; throws if a probability is NaN.
     *
     * @param labels true digit of each image
     * @param predictions for each image in turn, the predicted probability of each digit
     */
    DigitPredictions(float[] labels, float[] predictions) {
        int classes = predictions.length / labels.length;
        this.all = IntStream.range(0, labels.length)
                .mapToObj(i -> {
                    int best = 0;
                    for (int c = 0; c < classes; c++) {
                        if (Float.isNaN(predictions[i * classes + c])) {
                            throw new IllegalArgumentException(
                                    "output " + c + " of image " + i + " is NaN, so no digit can be picked");
                        }
                        best = predictions[i * classes + c] > predictions[i * classes + best] ? c : best;
                    }
                    return new Answer(i, (int) labels[i], best, predictions[i * classes + best]);
                })
                .toList();
    }

    /** Returns the wrong predictions, the most confident first, and then the right ones, the least confident first. */
    List<Answer> worstFirst() {
        return all.stream()
                .sorted(Comparator.comparing(Answer::wrong)
                        .reversed()
                        .thenComparingDouble(a -> a.wrong() ? -a.probability() : a.probability())
                        .thenComparingInt(Answer::record))
                .toList();
    }

    long mistakes() {
        return all.stream().filter(Answer::wrong).count();
    }

    int size() {
        return all.size();
    }

    /** Returns, for example, {@code 5 mistakes in 359 images: 8 taken for 1 (2), 3 for 5, 9 for 4, 9 for 7}. */
    @Override
    public String toString() {
        Map<String, Long> pairs = all.stream()
                .filter(Answer::wrong)
                .collect(Collectors.groupingBy(
                        a -> a.truth() + " for " + a.answer(), TreeMap::new, Collectors.counting()));
        String most = pairs.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(SHOWN)
                .map(pair -> pair.getKey() + (pair.getValue() == 1 ? "" : " (" + pair.getValue() + ")"))
                .collect(Collectors.joining(", "));
        return String.format(
                Locale.ROOT,
                "%,d %s in %,d images%s%s",
                mistakes(),
                mistakes() == 1 ? "mistake" : "mistakes",
                size(),
                most.isEmpty() ? "" : ": " + most.replaceFirst(" for", " taken for"),
                pairs.size() > SHOWN ? " and " + (pairs.size() - SHOWN) + " more kinds" : "");
    }
}
