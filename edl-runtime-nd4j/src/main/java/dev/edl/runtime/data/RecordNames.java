package dev.edl.runtime.data;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Names of the features and classes of a dataset's records. They state the meaning of an index, so two datasets or a
 * dataset and a trained model can be compared by name. Immutable.
 *
 * <pre>{@code
 * table.dataset().names().classes().get(model.predictClass(5.1f, 3.5f, 1.4f, 0.2f));   // "virginica"
 * }</pre>
 *
 * @param features a name for each feature float, in the order of the record; empty if the names are unknown
 * @param classes a name for each class index, from 0; empty if the names are unknown
 */
public record RecordNames(List<String> features, List<String> classes) {
    /** Names of a dataset that knows none. They agree with all others. */
    public static final RecordNames UNKNOWN = new RecordNames(List.of(), List.of());

    private static final String FEATURES = "features";
    private static final String CLASSES = "classes";

    /** Keys of {@link #words}. */
    public static final List<String> KINDS = List.of(FEATURES, CLASSES);

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final TypeReference<List<String>> LIST = new TypeReference<>() {};

    /** Copies the lists. */
    public RecordNames {
        features = List.copyOf(features);
        classes = List.copyOf(classes);
    }

    /**
     * Returns the differences in meaning between these names and others; empty if there are none.
     *
     * <p>Features must be the same in the same order. Classes agree if these are the first classes of the others, so
     * that each index denotes the same class. Unknown names agree with all.
     *
     * @param name name of the data with these names in messages, for example {@code validation}
     * @param others names to which an index must refer
     * @param where name of the data with the others, for example {@code data}
     */
    public List<String> differences(String name, RecordNames others, String where) {
        List<String> all = new ArrayList<>();
        if (!features.isEmpty() && !others.features.isEmpty() && !features.equals(others.features)) {
            boolean order = features.size() == others.features.size()
                    && new HashSet<>(features).equals(new HashSet<>(others.features));
            all.add(name
                    + (order
                            ? " has the features of " + where + " in another order: "
                            : " has other features than " + where + ": ")
                    + first("feature", features, others.features));
        }
        if (!classes.isEmpty() && !others.classes.isEmpty() && !isStart(classes, others.classes)) {
            all.add(name + " has other classes than " + where + ": " + first("class", classes, others.classes));
        }
        return all;
    }

    /**
     * Returns the known names of these and of further data.
     *
     * @param name name of the further data in messages
     * @throws IllegalArgumentException if the names differ in meaning
     */
    RecordNames merged(RecordNames more, String name) {
        boolean longer = isStart(classes, more.classes);
        RecordNames compared = longer ? new RecordNames(features, List.of()) : this;
        List<String> differences = more.differences(name, compared, "other data");
        if (!differences.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", differences));
        }
        return new RecordNames(features.isEmpty() ? more.features : features, longer ? more.classes : classes);
    }

    private static boolean isStart(List<String> some, List<String> all) {
        return some.size() <= all.size() && all.subList(0, some.size()).equals(some);
    }

    /** Returns the first difference of two lists that differ. */
    private static String first(String each, List<String> these, List<String> others) {
        int at = 0;
        while (at < these.size() && at < others.size() && these.get(at).equals(others.get(at))) {
            at++;
        }
        return each + " " + at + " is " + quoted(these, at) + " and not " + quoted(others, at)
                + "; CsvTable.reader().like(table) reads a file with the features and classes of another table";
    }

    private static String quoted(List<String> names, int at) {
        return at < names.size() ? "\"" + names.get(at) + "\"" : "missing";
    }

    /**
     * Returns the known names as metadata of a checkpoint: a JSON array each for {@code features} and {@code classes}.
     */
    public Map<String, String> words() {
        Map<String, String> words = new TreeMap<>();
        if (!features.isEmpty()) {
            words.put(FEATURES, json(features));
        }
        if (!classes.isEmpty()) {
            words.put(CLASSES, json(classes));
        }
        return words;
    }

    /** Returns the names in the output of {@link #words}; missing ones are unknown. */
    public static RecordNames of(Map<String, String> words) {
        return new RecordNames(parse(words.getOrDefault(FEATURES, "[]")), parse(words.getOrDefault(CLASSES, "[]")));
    }

    private static String json(List<String> names) {
        try {
            return MAPPER.writeValueAsString(names);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(names + " cannot be written", e);
        }
    }

    private static List<String> parse(String json) {
        try {
            return List.copyOf(MAPPER.readValue(json, LIST));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("names must be a JSON array of texts, was " + json, e);
        }
    }
}
