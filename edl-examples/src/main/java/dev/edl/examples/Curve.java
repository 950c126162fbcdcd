package dev.edl.examples;

import java.util.ArrayList;
import java.util.List;

/** Values over steps; a long curve keeps only every second value, a longer one every fourth and so on. */
final class Curve {
    private static final int MOST = 4000;

    private final List<Double> steps = new ArrayList<>();
    private final List<Double> values = new ArrayList<>();
    private int stride = 1;
    private int seen;

    void add(long step, double value) {
        if (!Double.isFinite(value) || seen++ % stride != 0) {
            return;
        }
        steps.add((double) step);
        values.add(value);
        if (steps.size() > MOST) {
            halve(steps);
            halve(values);
            stride *= 2;
        }
    }

    private static void halve(List<Double> list) {
        for (int i = 0; 2 * i < list.size(); i++) {
            list.set(i, list.get(2 * i));
        }
        list.subList((list.size() + 1) / 2, list.size()).clear();
    }

    boolean isEmpty() {
        return steps.isEmpty();
    }

    List<Double> steps() {
        return List.copyOf(steps);
    }

    List<Double> values() {
        return List.copyOf(values);
    }

    double lowest() {
        return values.stream().mapToDouble(Double::doubleValue).min().orElse(0);
    }

    double highest() {
        return values.stream().mapToDouble(Double::doubleValue).max().orElse(0);
    }

    double last() {
        return steps.stream().mapToDouble(Double::doubleValue).max().orElse(0);
    }
}
