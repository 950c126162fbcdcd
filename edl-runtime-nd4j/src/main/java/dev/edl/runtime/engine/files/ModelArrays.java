package dev.edl.runtime.engine.files;

import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.data.RecordNames;
import dev.edl.runtime.data.npy.NpzArray;
import dev.edl.runtime.initializers.Initializer;
import dev.edl.runtime.internal.contract.ReservedArrayNames;
import dev.edl.runtime.model.EmbeddingValues;
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
import java.util.stream.Collectors;

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
final class ModelArrays {
    private ModelArrays() {}

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
            arrays.add(text(ReservedArrayNames.STATE, names));
        }
        model.names().metadata().forEach((kind, names) -> arrays.add(text(ReservedArrayNames.OWN + kind, names)));
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

    private static void add(EmbeddingValues table, List<NpzArray> arrays) {
        long[] ids = table.ids();
        float[] values = new float[Math.multiplyExact(ids.length, table.dimension())];
        for (int i = 0; i < ids.length; i++) {
            table.read(ids[i], values, i * table.dimension());
        }
        arrays.add(NpzArray.of(table.name() + ReservedArrayNames.IDS, ids, ids.length));
        arrays.add(NpzArray.of(table.name() + ReservedArrayNames.VALUES, values, ids.length, table.dimension()));
        arrays.add(text(
                table.name() + ReservedArrayNames.INITIALIZER,
                table.initializer().toString()));
        arrays.add(NpzArray.of(table.name() + ReservedArrayNames.SEED, new long[] {table.seed()}, 1));
    }

    /**
     * Converts named arrays to a trained model whose parameters are in the order of the arrays.
     *
     * @throws IllegalArgumentException if a table lacks one of its arrays, or a state parameter is missing
     */
    static TrainedModel read(Map<String, NpzArray> arrays) {
        Map<String, NpzArray> left = new TreeMap<>(arrays);
        List<TableSnapshot> tables = new ArrayList<>();
        for (NpzArray array : arrays.values()) {
            if (array.isLong() && array.name().endsWith(ReservedArrayNames.IDS)) {
                String name = array.name().substring(0, array.name().length() - ReservedArrayNames.IDS.length());
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
                throw new IllegalArgumentException("the array \"" + name + "\" is missing, which "
                        + ReservedArrayNames.STATE + " names; there" + " are " + left.keySet());
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
        Map<String, String> metadata = new TreeMap<>();
        for (String kind : RecordNames.KINDS) {
            NpzArray characters = left.get(ReservedArrayNames.OWN + kind);
            if (characters != null && characters.isLong()) {
                metadata.put(kind, text(take(ReservedArrayNames.OWN + kind, left)));
            }
        }
        return RecordNames.of(metadata);
    }

    private static int[] shape(NpzArray array) {
        return array.shape().stream().mapToInt(Integer::intValue).toArray();
    }

    private static Set<String> state(Map<String, NpzArray> left) {
        NpzArray names = left.get(ReservedArrayNames.STATE);
        return names == null || !names.isLong()
                ? Set.of()
                : new LinkedHashSet<>(
                        text(take(ReservedArrayNames.STATE, left)).lines().toList());
    }

    private static TableSnapshot table(String name, Map<String, NpzArray> left) {
        long[] ids = take(name + ReservedArrayNames.IDS, left).longs();
        NpzArray values = take(name + ReservedArrayNames.VALUES, left);
        String initializer = text(take(name + ReservedArrayNames.INITIALIZER, left));
        long seed = take(name + ReservedArrayNames.SEED, left).longs()[0];
        int dimension = values.shape().get(values.shape().size() - 1);
        return TableSnapshot.of(name, dimension, Initializer.parse(initializer), seed, ids, values.values());
    }

    private static NpzArray take(String name, Map<String, NpzArray> left) {
        NpzArray array = left.remove(name);
        if (array == null) {
            throw new IllegalArgumentException("the array \"" + name + "\" is missing; an embedding table has "
                    + ReservedArrayNames.IDS + ", " + ReservedArrayNames.VALUES + ", " + ReservedArrayNames.INITIALIZER
                    + " and "
                    + ReservedArrayNames.SEED + ", there are " + left.keySet());
        }
        return array;
    }
}
