package dev.edl.operators.crd.internal;

import dev.edl.internal.text.DataNode;
import dev.edl.internal.text.FieldReader;
import dev.edl.internal.text.FieldReaderSettings;
import dev.edl.operators.crd.CustomObject;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Reader of one map in a resource. It is as strict as {@link FieldReader}, and also gives access to the plain data,
 * because a job may lack some fields of the resource. A key without a value counts as absent, as in Kubernetes. Not
 * thread-safe.
 */
public final class CustomObjectFieldReader {
    private static final int LARGEST_PORT = 65_535;

    private final FieldReader reader;
    private final Map<String, Object> map;
    private final ConversionReport report;

    private CustomObjectFieldReader(FieldReader reader, Map<String, Object> map, ConversionReport report) {
        this.reader = reader;
        this.map = map;
        this.report = report;
    }

    /**
     * Returns a reader of a resource's top-level map. Adds a mistake for each unknown key.
     *
     * @param known keys that the map may have
     */
    public static CustomObjectFieldReader of(CustomObject resource, ConversionReport report, List<String> known) {
        return ofAny(resource, report).only(known);
    }

    /** Returns a reader of a resource's top-level map, which may have any keys. */
    public static CustomObjectFieldReader ofAny(CustomObject resource, ConversionReport report) {
        DataNode node = DataNode.of(resource.fields(), resource.source());
        return new CustomObjectFieldReader(
                FieldReader.of("", node, FieldReaderSettings.KUBERNETES, report::mistake), resource.fields(), report);
    }

    private CustomObjectFieldReader only(List<String> known) {
        reader.only(known);
        return this;
    }

    /** Returns this map as a node, with each scalar's text in the source. */
    DataNode.Mapping node() {
        return reader.all();
    }

    /** Returns this map as plain data. */
    public Map<String, Object> content() {
        return map;
    }

    /** Returns the path of this map in the resource; empty for the top-level map. */
    public String path() {
        return reader.path();
    }

    /** Returns the path of a key of this map. */
    public String at(String key) {
        return reader.at(key);
    }

    /** Returns the keys that have a value, in the resource's order. */
    public List<String> keys() {
        return reader.keys();
    }

    /** Returns whether a key has a value. */
    public boolean has(String key) {
        return reader.has(key);
    }

    /** Returns the value of a key unchanged; null when absent. */
    public @Nullable Object raw(String key) {
        return map.get(key);
    }

    /**
     * Converts this map to a class of the Kubernetes client. If the map does not fit the class, adds a mistake for each
     * unknown key or wrong type, and returns empty.
     */
    public <T> Optional<T> model(Class<T> model) {
        return ModelClassValidator.check(this, model)
                ? Optional.of(Serialization.unmarshal(Serialization.asJson(map), model))
                : Optional.empty();
    }

    /** Returns the string of a key; empty when absent. Adds a mistake and returns empty for a value of another type. */
    public Optional<String> text(String key) {
        return reader.text(key);
    }

    /** Returns the string of a key; empty when absent or an empty string. */
    public Optional<String> filled(String key) {
        return text(key).filter(text -> !text.isEmpty());
    }

    /**
     * Passes the whole number of a key to a consumer, if the key is present. Adds a mistake unless the number fits 32
     * bits.
     */
    public void whole(String key, IntConsumer use) {
        reader.whole(key, use);
    }

    /**
     * Passes the whole number of a key to a consumer, if the key is present. Adds a mistake unless the number is
     * between {@code least} and {@code most}.
     */
    public void number(String key, long least, long most, LongConsumer use) {
        reader.number(key, least, most, use);
    }

    /**
     * Passes the whole number of a key to a consumer, if the key is present. Adds a mistake unless the number fits 64
     * bits.
     */
    public void wholeLong(String key, LongConsumer use) {
        number(key, Long.MIN_VALUE, Long.MAX_VALUE, use);
    }

    /**
     * Passes the port of a key to a consumer, if the key is present. Adds a mistake unless the port is from 1 to 65535.
     * Its field has 32 bits, but Kubernetes refuses other ports in a pod or Service.
     */
    public void port(String key, IntConsumer use) {
        number(key, 1, LARGEST_PORT, port -> use.accept((int) port));
    }

    /** Adds a mistake for each of these keys that has a value other than a whole number of 32 bits. */
    public void checkWhole(String... keys) {
        for (String key : keys) {
            whole(key, number -> {});
        }
    }

    /** Reports the whole number of a key as lost. Adds a mistake instead unless the number fits 32 bits. */
    public void loseWhole(String why, String key) {
        whole(key, number -> lose(why, key));
    }

    /** Adds a mistake for each value of a nested map that is not a quantity. */
    public void checkAmounts(String key) {
        map(key).ifPresent(ModelClassValidator::checkQuantities);
    }

    /** Returns the boolean of a key; false when absent. */
    public boolean flag(String key) {
        return reader.flag(key).orElse(false);
    }

    /**
     * Returns a reader of a nested map; empty when absent. Adds a mistake and returns empty for a value of another
     * type.
     *
     * @param known keys that the nested map may have
     */
    public Optional<CustomObjectFieldReader> fields(String key, List<String> known) {
        return map(key).map(fields -> fields.only(known));
    }

    /** Returns a reader of a nested map, which may have any keys. */
    public Optional<CustomObjectFieldReader> map(String key) {
        return reader.map(key).map(fields -> with(fields, map.get(key)));
    }

    @SuppressWarnings("unchecked") // Keys of plain data are strings.
    private CustomObjectFieldReader with(FieldReader fields, @Nullable Object content) {
        return new CustomObjectFieldReader(
                fields, (Map<String, Object>) Objects.requireNonNull(content, "a map was read"), report);
    }

    /**
     * Returns a reader of each map in a nested list.
     *
     * @param known keys that each of these maps may have
     */
    public List<CustomObjectFieldReader> items(String key, List<String> known) {
        List<CustomObjectFieldReader> items = items(key);
        items.forEach(item -> item.only(known));
        return items;
    }

    /** Returns a reader of each map in a nested list; the maps may have any keys. */
    public List<CustomObjectFieldReader> items(String key) {
        List<CustomObjectFieldReader> items = new ArrayList<>();
        Iterator<?> contents = map.get(key) instanceof List<?> list
                ? list.iterator()
                : List.of().iterator();
        reader.items(key, (place, item) -> {
            Object content = contents.next();
            reader.map(place, item).ifPresent(fields -> items.add(with(fields, content)));
        });
        return items;
    }

    /** Returns the strings of a nested list; an empty list when absent. */
    public List<String> words(String key) {
        return reader.words(key).orElse(List.of());
    }

    /** Returns the strings of a nested map with keys of any name. */
    public Map<String, String> texts(String key) {
        Map<String, String> texts = new LinkedHashMap<>();
        reader.texts(key, texts::put);
        return texts;
    }

    /** Returns the text of a key whose value is a quantity: a string, or an unquoted number. Empty when absent. */
    public Optional<String> amount(String key) {
        return reader.scalar(key);
    }

    /** Reports the values of some keys as lost, except null and an empty string, map or list. */
    public void lose(String why, String... keys) {
        for (String key : keys) {
            Object value = map.get(key);
            if (!saysNothing(value)) {
                report.loss(at(key), value, why);
            }
        }
    }

    /** Reports the values of all keys as lost, except those of the keys in {@code kept}. */
    public void loseAllBut(List<String> kept, String why) {
        map.keySet().stream().filter(key -> !kept.contains(key)).forEach(key -> lose(why, key));
    }

    /** Reports the value of a key as lost, unless it is absent or equals {@code ordinary}. */
    public void loseUnless(String key, Object ordinary, String why) {
        if (!ordinary.equals(map.get(key))) {
            lose(why, key);
        }
    }

    /** Adds a mistake about a key of this map. */
    public void wrong(String key, String line) {
        report.mistake(at(key) + " " + line);
    }

    /** Adds a mistake for a value that is none of the permitted words. */
    public void unknownWord(String key, String word, List<String> known) {
        reader.unknownWord(key, word, known);
    }

    /** Returns the report of mistakes and losses. */
    public ConversionReport report() {
        return report;
    }

    /** Returns whether two values are equal, where null, empty strings, empty maps and empty lists count as absent. */
    public static boolean sameSaid(@Nullable Object one, @Nullable Object other) {
        if (one instanceof Map<?, ?> map && other instanceof Map<?, ?> second) {
            Set<Object> keys = new HashSet<>(map.keySet());
            keys.addAll(second.keySet());
            return keys.stream().allMatch(key -> sameSaid(map.get(key), second.get(key)));
        }
        if (one instanceof List<?> list && other instanceof List<?> second && list.size() == second.size()) {
            return IntStream.range(0, list.size()).allMatch(i -> sameSaid(list.get(i), second.get(i)));
        }
        return (saysNothing(one) && saysNothing(other)) || Objects.equals(one, other);
    }

    /** Returns whether a value is empty: null, or an empty string, map or list. */
    static boolean saysNothing(@Nullable Object value) {
        if (value instanceof Map<?, ?> fields) {
            return fields.values().stream().allMatch(CustomObjectFieldReader::saysNothing);
        }
        return value == null || value.equals("") || value.equals(List.of());
    }

    /** Returns a value in the form in which messages about mistakes quote it. */
    static String shown(@Nullable Object value) {
        return FieldReaderSettings.KUBERNETES.shown(DataNode.of(value));
    }
}
