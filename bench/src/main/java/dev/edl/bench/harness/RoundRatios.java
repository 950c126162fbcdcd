package dev.edl.bench.harness;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Ratios of all rounds by figure, with the values from which they were computed. Not thread-safe. */
public final class RoundRatios {
    private final Map<String, List<Double>> ratios = new LinkedHashMap<>();
    private final Map<String, Map<String, List<Double>>> sides = new LinkedHashMap<>();
    private final Map<String, List<String>> notes = new LinkedHashMap<>();

    /** Adds the ratio of one round to a figure. */
    public RoundRatios add(Figure figure, double ratio) {
        if (!(ratio >= 0) || Double.isInfinite(ratio)) {
            throw new IllegalArgumentException(
                    figure.name() + ": a ratio must be a finite number of at least 0, was " + ratio);
        }
        ratios.computeIfAbsent(figure.name(), n -> new ArrayList<>()).add(ratio);
        return this;
    }

    /**
     * Adds the value of one side of a figure's ratio in one round; the conditions show the median over the rounds.
     *
     * @param side format for one number, such as {@code EDL %.2f ms}
     */
    public RoundRatios side(Figure figure, String side, double value) {
        sides.computeIfAbsent(figure.name(), n -> new LinkedHashMap<>())
                .computeIfAbsent(side, n -> new ArrayList<>())
                .add(value);
        return this;
    }

    /** Adds a text to the conditions of a figure. */
    public RoundRatios note(Figure figure, String note) {
        notes.computeIfAbsent(figure.name(), n -> new ArrayList<>()).add(note);
        return this;
    }

    /** Returns the median of a figure's ratios over the rounds. */
    public double ratio(Figure figure) {
        return median(of(figure));
    }

    /**
     * Returns the conditions of a figure, for example {@code 7 rounds 1.48..1.55; EDL 2.71 ms, copy 2.74 ms; 10,000,000
     * floats}.
     */
    public String conditions(Figure figure) {
        List<Double> all = of(figure);
        StringBuilder text = new StringBuilder();
        text.append(all.size()).append(all.size() == 1 ? " round" : " rounds");
        text.append(String.format(
                Locale.ROOT,
                " %.3f..%.3f",
                all.stream().mapToDouble(d -> d).min().orElseThrow(),
                all.stream().mapToDouble(d -> d).max().orElseThrow()));
        List<String> medians = new ArrayList<>();
        sides.getOrDefault(figure.name(), Map.of())
                .forEach((side, values) -> medians.add(String.format(Locale.ROOT, side, median(values))));
        if (!medians.isEmpty()) {
            text.append("; ").append(String.join(", ", medians));
        }
        notes.getOrDefault(figure.name(), List.of())
                .forEach(note -> text.append("; ").append(note));
        return text.toString();
    }

    public boolean has(Figure figure) {
        return ratios.containsKey(figure.name());
    }

    private List<Double> of(Figure figure) {
        List<Double> all = ratios.get(figure.name());
        if (all == null) {
            throw new IllegalStateException(figure.name() + " was not measured");
        }
        return all;
    }

    public static double median(List<Double> values) {
        double[] sorted = values.stream().mapToDouble(d -> d).toArray();
        Arrays.sort(sorted);
        int n = sorted.length;
        return n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
    }
}
