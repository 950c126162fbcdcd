package dev.edl.runtime.data;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Names and meaning of the numbers in a dataset's records, so two datasets or a dataset and a trained model can be
 * compared. Immutable.
 *
 * <pre>{@code
 * table.dataset().names().classes().get(model.predictClass(5.1f, 3.5f, 1.4f, 0.2f));   // "virginica"
 * }</pre>
 *
 * @param features a name for each feature float, in the order of the record; empty if the names are unknown
 * @param classes a name for each class index, from 0; empty if the names are unknown
 * @param labels a name for each label float; empty if the names are unknown
 * @param ids a name for each id, with the number of buckets of a hashed one; empty if the names are unknown
 * @param scale {@link #AS_READ}, or the standardization of the features, for example {@code standardized 1c9f03b2};
 *     empty if unknown
 * @param numbers whether each label is the number in the file, so that a class index is that number; false if unknown
 */
public record RecordNames(
        List<String> features,
        List<String> classes,
        List<String> labels,
        List<String> ids,
        String scale,
        boolean numbers) {
    /** Names of a dataset that knows none. They agree with all others. */
    public static final RecordNames UNKNOWN = new RecordNames(List.of(), List.of());

    /** Scale of features that have the values of their file. */
    public static final String AS_READ = "as read";

    private static final String FEATURES = "features";
    private static final String CLASSES = "classes";
    private static final String LABELS = "labels";
    private static final String IDS = "ids";
    private static final String SCALE = "scale";
    private static final String NUMBERS = "numbers";

    /** Keys of {@link #metadata}. */
    public static final List<String> KINDS = List.of(FEATURES, CLASSES, LABELS, IDS, SCALE, NUMBERS);

    private static final String LIKE =
            "; CsvTable.reader().like(table) reads a file with the features and classes of another table";
    private static final Pattern WHOLE = Pattern.compile("[+-]?\\d+(\\.0*)?");
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final TypeReference<List<String>> LIST = new TypeReference<>() {};

    /** Copies the lists. */
    public RecordNames {
        features = List.copyOf(features);
        classes = List.copyOf(classes);
        labels = List.copyOf(labels);
        ids = List.copyOf(ids);
    }

    /** Returns names of a dataset whose labels are the numbers of its file; all else is unknown. */
    public static RecordNames numbered() {
        return new RecordNames(List.of(), List.of(), List.of(), List.of(), "", true);
    }

    /** Returns names of features and classes; all else is unknown. */
    public RecordNames(List<String> features, List<String> classes) {
        this(features, classes, List.of(), List.of(), "", false);
    }

    /**
     * Returns the differences in meaning between these names and others; empty if there are none.
     *
     * <p>Features, labels and ids must be the same in the same order, and the scale must be the same. Classes agree if
     * these are the first classes of the others, so that each index denotes the same class. If the labels of one side
     * are numbers, a class of the other side that is a number must have itself as its index. Unknown names agree with
     * all.
     *
     * @param name name of the data with these names in messages, for example {@code validation}
     * @param others names to which an index must refer
     * @param where name of the data with the others, for example {@code data}
     */
    public List<String> differences(String name, RecordNames others, String where) {
        List<String> all = new ArrayList<>();
        compare(name, where, FEATURES, features, others.features).ifPresent(text -> all.add(text + LIKE));
        if (!classes.isEmpty() && !others.classes.isEmpty() && !isStart(classes, others.classes)) {
            all.add(name + " has other classes than " + where + ": " + first("class", classes, others.classes) + LIKE);
        }
        compare(name, where, LABELS, labels, others.labels).ifPresent(all::add);
        compare(name, where, IDS, ids, others.ids).ifPresent(all::add);
        if (!scale.isEmpty() && !others.scale.isEmpty() && !scale.equals(others.scale)) {
            all.add(name + " has features " + scale + ", but those of " + where + " are " + others.scale
                    + "; split.standardization().apply(table) standardizes a table as the parts of split");
        }
        if (numbers) {
            shifted(others.classes).ifPresent(shift -> all.add(numbersOf(name, where, shift, others.classes)));
        }
        if (others.numbers) {
            shifted(classes).ifPresent(shift -> all.add(numbersOf(where, name, shift, classes)));
        }
        return all;
    }

    private static Optional<String> compare(
            String name, String where, String kind, List<String> these, List<String> others) {
        if (these.isEmpty() || others.isEmpty() || these.equals(others)) {
            return Optional.empty();
        }
        boolean order = these.size() == others.size() && new HashSet<>(these).equals(new HashSet<>(others));
        return Optional.of(name
                + (order
                        ? " has the " + kind + " of " + where + " in another order: "
                        : " has other " + kind + " than " + where + ": ")
                + first(kind.substring(0, kind.length() - 1), these, others));
    }

    /** Returns the first class that is a number and has another index. */
    private static Optional<String> shifted(List<String> classes) {
        return IntStream.range(0, classes.size())
                .filter(i -> WHOLE.matcher(classes.get(i)).matches()
                        && new BigDecimal(classes.get(i)).compareTo(BigDecimal.valueOf(i)) != 0)
                .mapToObj(i -> "class " + i + " is \"" + classes.get(i) + "\"")
                .findFirst();
    }

    private static String numbersOf(String numbers, String named, String shift, List<String> classes) {
        String some =
                classes.stream().limit(3).map(each -> ", \"" + each + "\"").collect(Collectors.joining());
        return numbers + " has numbers as labels, which are class indexes from 0, but in " + named + " " + shift
                + "; CsvColumns.label(column" + some + (classes.size() > 3 ? ", ..." : "")
                + ") reads them as these classes, or store class indexes";
    }

    /**
     * Returns the known names of these and of further data.
     *
     * @param name name of the further data in messages
     * @throws IllegalArgumentException if the names differ in meaning
     */
    RecordNames merged(RecordNames more, String name) {
        boolean longer = isStart(classes, more.classes);
        RecordNames compared = longer ? new RecordNames(features, List.of(), labels, ids, scale, numbers) : this;
        List<String> differences = more.differences(name, compared, "other data");
        if (!differences.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", differences));
        }
        return new RecordNames(
                features.isEmpty() ? more.features : features,
                longer ? more.classes : classes,
                labels.isEmpty() ? more.labels : labels,
                ids.isEmpty() ? more.ids : ids,
                scale.isEmpty() ? more.scale : scale,
                numbers || more.numbers);
    }

    /** Returns these names after a standardization of the features. */
    RecordNames standardized(Standardization by) {
        String text = by.fingerprint();
        return new RecordNames(
                features,
                classes,
                labels,
                ids,
                scale.isEmpty() || scale.equals(AS_READ) ? "standardized " + text : scale + ", then " + text,
                numbers);
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
        return each + " " + at + " is " + quoted(these, at) + " and not " + quoted(others, at);
    }

    private static String quoted(List<String> names, int at) {
        return at < names.size() ? "\"" + names.get(at) + "\"" : "missing";
    }

    /** Returns the known names as metadata of a checkpoint: a JSON array of texts for each of {@link #KINDS}. */
    public Map<String, String> metadata() {
        Map<String, String> metadata = new TreeMap<>();
        put(FEATURES, features, metadata);
        put(CLASSES, classes, metadata);
        put(LABELS, labels, metadata);
        put(IDS, ids, metadata);
        put(SCALE, scale.isEmpty() ? List.of() : List.of(scale), metadata);
        put(NUMBERS, numbers ? List.of("true") : List.of(), metadata);
        return metadata;
    }

    private static void put(String kind, List<String> names, Map<String, String> metadata) {
        if (!names.isEmpty()) {
            metadata.put(kind, json(names));
        }
    }

    /** Returns the names in the output of {@link #metadata}; missing ones are unknown. */
    public static RecordNames of(Map<String, String> metadata) {
        return new RecordNames(
                parse(FEATURES, metadata),
                parse(CLASSES, metadata),
                parse(LABELS, metadata),
                parse(IDS, metadata),
                String.join("", parse(SCALE, metadata)),
                !parse(NUMBERS, metadata).isEmpty());
    }

    private static String json(List<String> names) {
        try {
            return MAPPER.writeValueAsString(names);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(names + " cannot be written", e);
        }
    }

    private static List<String> parse(String kind, Map<String, String> metadata) {
        String json = metadata.getOrDefault(kind, "[]");
        try {
            return List.copyOf(MAPPER.readValue(json, LIST));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("names must be a JSON array of texts, was " + json, e);
        }
    }
}
