package dev.edl.runtime.engine.files;

import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.data.RecordNames;
import dev.edl.runtime.data.npy.NpzArray;
import dev.edl.runtime.initializers.Initializer;
import dev.edl.runtime.model.EmbeddingTable;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.model.Parameter;
import dev.edl.runtime.model.ParameterLayout;
import dev.edl.runtime.ps.ModelSnapshot;
import dev.edl.runtime.ps.TableSnapshot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Converts a trained model to named arrays and back.
 *
 * <ul>
 *   <li>Each parameter is one float32 array under the parameter's name.
 *   <li>{@code <name>/ids}, for each embedding table: the int64 ids of the updated rows, ascending.
 *   <li>{@code <name>/values}: their float32 values, a row per id.
 *   <li>{@code <name>/initializer} and {@code <name>/seed} define all other rows. The first is the text form of the
 *       {@link Initializer} as one int64 per character.
 *   <li>{@code edl/state}, for a model with {@linkplain ParameterLayout.Builder#addState state}: the names of those
 *       parameters, one per line, as one int64 per character.
 *   <li>{@code edl/features}, {@code edl/classes} and the other {@linkplain RecordNames#KINDS kinds of names}, if
 *       known: a JSON array as one int64 per character.
 * </ul>
 */
public final class ModelArrays {
    private static final String IDS = "/ids";
    private static final String VALUES = "/values";
    private static final String INITIALIZER = "/initializer";
    private static final String SEED = "/seed";

    private static final String OWN = "edl/";
    private static final String STATE = OWN + "state";
    private static final Set<String> OWN_NAMES = Stream.concat(
                    Stream.of(STATE), RecordNames.KINDS.stream().map(OWN::concat))
            .collect(Collectors.toSet());

    private ModelArrays() {}

    /** Reports each parameter name that equals the name of another array of the model. */
    public static void clashes(Model model, Consumer<String> problems) {
        for (Parameter parameter : model.layout().parameters()) {
            if (OWN_NAMES.contains(parameter.name())) {
                problems.accept("\"" + parameter.name() + "\" is a parameter in layout(), but an export uses this name"
                        + " for a list of names; give the parameter another name");
            }
        }
        for (EmbeddingTable table : model.embeddings()) {
            for (String part : List.of(IDS, VALUES, INITIALIZER, SEED)) {
                String name = table.name() + part;
                if (model.layout().parameters().stream().anyMatch(p -> p.name().equals(name))) {
                    problems.accept(
                            "\"" + name + "\" is a parameter in layout(), but an export uses this name for a part of"
                                    + " the table \"" + table.name() + "\"; give one of them another name");
                }
            }
        }
    }

    static List<NpzArray> of(TrainedModel model) {
        float[] weights = model.parameters();
        List<NpzArray> arrays = new ArrayList<>();
        for (Parameter p : model.layout().parameters()) {
            arrays.add(NpzArray.of(p.name(), Arrays.copyOfRange(weights, p.offset(), p.end()), p.shape()));
        }
        model.tables().forEach(table -> add(table, arrays));
        if (hasState(model.layout())) {
            String names = model.layout().parameters().stream()
                    .filter(p -> p.offset() >= model.layout().trained())
                    .map(Parameter::name)
                    .collect(Collectors.joining("\n"));
            arrays.add(text(STATE, names));
        }
        model.names().words().forEach((kind, names) -> arrays.add(text(OWN + kind, names)));
        return arrays;
    }

    private static boolean hasState(ParameterLayout layout) {
        return layout.trained() < layout.size();
    }

    private static NpzArray text(String name, String text) {
        long[] characters = text.chars().asLongStream().toArray();
        return NpzArray.of(name, characters, characters.length);
    }

    private static String text(NpzArray characters) {
        StringBuilder text = new StringBuilder();
        for (long character : characters.longs()) {
            text.append((char) character);
        }
        return text.toString();
    }

    private static void add(TableSnapshot table, List<NpzArray> arrays) {
        long[] ids = table.ids();
        float[] values = new float[Math.multiplyExact(ids.length, table.dimension())];
        for (int i = 0; i < ids.length; i++) {
            table.read(ids[i], values, i * table.dimension());
        }
        arrays.add(NpzArray.of(table.name() + IDS, ids, ids.length));
        arrays.add(NpzArray.of(table.name() + VALUES, values, ids.length, table.dimension()));
        arrays.add(text(table.name() + INITIALIZER, table.initializer().toString()));
        arrays.add(NpzArray.of(table.name() + SEED, new long[] {table.seed()}, 1));
    }

    /**
     * Converts named arrays to a trained model whose parameters are in the order of the arrays.
     *
     * @throws IllegalArgumentException if a table lacks one of its arrays, or a state parameter is missing
     */
    public static TrainedModel read(Map<String, NpzArray> arrays) {
        Map<String, NpzArray> left = new TreeMap<>(arrays);
        List<TableSnapshot> tables = new ArrayList<>();
        for (NpzArray array : arrays.values()) {
            if (array.isLong() && array.name().endsWith(IDS)) {
                String name = array.name().substring(0, array.name().length() - IDS.length());
                tables.add(table(name, left));
            }
        }
        Set<String> state = state(left);
        RecordNames names = names(left);
        ParameterLayout.Builder layout = ParameterLayout.builder();
        for (NpzArray array : arrays.values()) {
            if (left.containsKey(array.name()) && !state.contains(array.name())) {
                layout.add(array.name(), shape(array));
            }
        }
        for (String name : state) {
            NpzArray array = arrays.get(name);
            if (array == null) {
                throw new IllegalArgumentException("the array \"" + name + "\" is missing, which " + STATE
                        + " names; there" + " are " + left.keySet());
            }
            layout.addState(name, shape(array));
        }
        ParameterLayout built = layout.build();
        float[] weights = new float[built.size()];
        for (Parameter p : built.parameters()) {
            System.arraycopy(take(p.name(), left).values(), 0, weights, p.offset(), p.length());
        }
        return TrainedModel.of(built, ModelSnapshot.of(TrainedModel.UNKNOWN_VERSION, weights, tables))
                .named(names);
    }

    private static RecordNames names(Map<String, NpzArray> left) {
        Map<String, String> words = new TreeMap<>();
        for (String kind : RecordNames.KINDS) {
            NpzArray characters = left.get(OWN + kind);
            if (characters != null && characters.isLong()) {
                words.put(kind, text(take(OWN + kind, left)));
            }
        }
        return RecordNames.of(words);
    }

    private static int[] shape(NpzArray array) {
        return array.shape().stream().mapToInt(Integer::intValue).toArray();
    }

    private static Set<String> state(Map<String, NpzArray> left) {
        NpzArray names = left.get(STATE);
        return names == null || !names.isLong()
                ? Set.of()
                : new LinkedHashSet<>(text(take(STATE, left)).lines().toList());
    }

    private static TableSnapshot table(String name, Map<String, NpzArray> left) {
        long[] ids = take(name + IDS, left).longs();
        NpzArray values = take(name + VALUES, left);
        String initializer = text(take(name + INITIALIZER, left));
        long seed = take(name + SEED, left).longs()[0];
        int dimension = values.shape().get(values.shape().size() - 1);
        return TableSnapshot.of(name, dimension, Initializer.parse(initializer), seed, ids, values.values());
    }

    private static NpzArray take(String name, Map<String, NpzArray> left) {
        NpzArray array = left.remove(name);
        if (array == null) {
            throw new IllegalArgumentException("the array \"" + name + "\" is missing; an embedding table has " + IDS
                    + ", " + VALUES + ", " + INITIALIZER + " and " + SEED + ", there are " + left.keySet());
        }
        return array;
    }
}
