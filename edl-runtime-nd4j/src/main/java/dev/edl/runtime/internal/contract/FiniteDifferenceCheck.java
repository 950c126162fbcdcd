package dev.edl.runtime.internal.contract;

import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.EmbeddingRows;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.model.Parameter;
import dev.edl.runtime.model.StepResultCheck;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/**
 * Compares a model's gradient with central differences of its loss, at some elements.
 *
 * <p>For each trained parameter and each embedding table, these are the element with the largest gradient and one drawn
 * from a fixed seed. An element is wrong only if the differences themselves are reliable, see
 * {@link NumericalDerivative}. Each method restores the parameter vector before it returns.
 */
public final class FiniteDifferenceCheck {
    /** Maximum number of elements in one check; each needs at most 8 gradients of the model, mostly 2. */
    private static final int MOST_ELEMENTS = 32;

    private final Model model;
    private final Model.Session session;
    private final EmbeddingRowCheck rows;
    private final float[] parameters;
    private final float[] scratch;

    /** A number on which the loss depends: an element of a parameter or of an embedding row, with its gradient. */
    private record Element(String group, String place, int table, int index, float gradient) {}

    public FiniteDifferenceCheck(Model model, Model.Session session, EmbeddingRowCheck rows, float[] parameters) {
        this.model = model;
        this.session = session;
        this.rows = rows;
        this.parameters = parameters;
        this.scratch = new float[parameters.length];
    }

    /**
     * Returns one line for each parameter and table with a wrong element.
     *
     * @param more called before each element; the check ends early when it returns false
     */
    public List<String> check(float[] gradient, float[][] rowGradients, BooleanSupplier more) {
        if (!more.getAsBoolean()) {
            return List.of();
        }
        float loss = loss();
        float again = loss();
        double repeat = Math.abs((double) loss - again);
        if (repeat > 1e-4 * Math.max(Math.abs(loss), 1e-6)) {
            // The loss of the same records differs between calls, so there is nothing to compare with.
            return List.of();
        }
        List<String> problems = new ArrayList<>();
        Set<String> wrong = new HashSet<>();
        for (Element element : elements(gradient, rowGradients)) {
            if (!more.getAsBoolean()) {
                break;
            }
            if (wrong.contains(element.group())) {
                continue;
            }
            NumericalDerivative slope =
                    new NumericalDerivative(value(element), loss, repeat, value -> lossWith(element, value));
            if (slope.contradicts(element.gradient())) {
                wrong.add(element.group());
                problems.add(problem(element, slope.best()));
            }
        }
        return problems;
    }

    private String problem(Element element, double expected) {
        double ratio = element.gradient() / expected;
        int records = rows.prepare(0).size();
        String hint = near(ratio, -1)
                ? "; its sign is inverted"
                : records > 1 && near(ratio, records) ? "; it is the sum over the records, not their mean" : "";
        return String.format(
                Locale.ROOT,
                "gradient(...) gives %.6g for %s, but the loss has the slope %.6g there, by central differences"
                        + " on %s%s (if this is intended, set checkGradient(false))",
                element.gradient(),
                element.place(),
                expected,
                rows.prepare(0).origin(),
                hint);
    }

    private static boolean near(double ratio, double wanted) {
        return Math.abs(ratio - wanted) < 0.05 * Math.abs(wanted);
    }

    private List<Element> elements(float[] gradient, float[][] rowGradients) {
        SplittableRandom random = new SplittableRandom(1);
        List<Element> all = new ArrayList<>();
        for (Parameter parameter : model.layout().parameters()) {
            if (parameter.offset() >= model.layout().trained()) {
                continue;
            }
            int from = parameter.offset();
            for (int index : chosen(gradient, from, parameter.length(), random)) {
                String place = parameter + " at " + StepResultCheck.element(model.layout(), index);
                all.add(new Element(parameter.name(), place, -1, index, gradient[index]));
            }
        }
        for (int t = 0; t < rowGradients.length; t++) {
            EmbeddingRows table = rows.prepare(0).rows(t);
            int used = table.count() * table.table().dimension();
            for (int index : chosen(rowGradients[t], 0, used, random)) {
                String name = table.table().name();
                all.add(new Element(name, EmbeddingRowCheck.place(table, index), t, index, rowGradients[t][index]));
            }
        }
        if (all.size() <= MOST_ELEMENTS) {
            return all;
        }
        List<Element> some = new ArrayList<>();
        for (int i = 0; i < MOST_ELEMENTS; i++) {
            some.add(all.get((int) ((long) i * all.size() / MOST_ELEMENTS)));
        }
        return some;
    }

    private static int[] chosen(float[] gradient, int from, int count, SplittableRandom random) {
        if (count == 0) {
            return new int[0];
        }
        int largest = from;
        for (int i = from; i < from + count; i++) {
            if (Math.abs(gradient[i]) > Math.abs(gradient[largest])) {
                largest = i;
            }
        }
        int drawn = from + random.nextInt(count);
        return largest == drawn ? new int[] {largest} : new int[] {largest, drawn};
    }

    private float value(Element element) {
        return element.table() < 0
                ? parameters[element.index()]
                : rows.prepare(0).rows(element.table()).values()[element.index()];
    }

    private float lossWith(Element element, float value) {
        Batch batch = rows.prepare(0);
        if (element.table() >= 0) {
            batch.rows(element.table()).values()[element.index()] = value;
            return session.gradient(parameters, batch, scratch);
        }
        float before = parameters[element.index()];
        parameters[element.index()] = value;
        try {
            return session.gradient(parameters, batch, scratch);
        } finally {
            parameters[element.index()] = before;
        }
    }

    private float loss() {
        return session.gradient(parameters, rows.prepare(0), scratch);
    }
}
