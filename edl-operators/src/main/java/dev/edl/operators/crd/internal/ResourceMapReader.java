package dev.edl.operators.crd.internal;

import dev.edl.internal.text.DataNode;
import dev.edl.internal.text.FieldReader;
import dev.edl.internal.text.ReaderDialect;
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
 * A map of a resource that is being read: strictly, as {@link FieldReader} reads it, beside its plain data, of which a job may say
 * less. A key without a value counts as absent, as it does in Kubernetes. Not safe for use by several threads.
 */
public final class ResourceMapReader {
    private final FieldReader reader;
    private final Map<String, Object> map;
    private final ConversionReport report;

    private ResourceMapReader(FieldReader reader, Map<String, Object> map, ConversionReport report) {
        this.reader = reader;
        this.map = map;
        this.report = report;
    }

    /**
     * Starts at the top of a resource.
     *
     * @param known the keys that it can have
     */
    public static ResourceMapReader of(CustomObject resource, ConversionReport report, List<String> known) {
        return ofAny(resource, report).only(known);
    }

    /** Starts at the top of a resource that may have keys of any name. */
    public static ResourceMapReader ofAny(CustomObject resource, ConversionReport report) {
        DataNode node = DataNode.of(resource.fields(), resource.source());
        return new ResourceMapReader(
                FieldReader.of("", node, ReaderDialect.KUBERNETES, report::mistake), resource.fields(), report);
    }

    private ResourceMapReader only(List<String> known) {
        reader.only(known);
        return this;
    }

    /** All of this map, with the texts that its scalars were read from. */
    DataNode node() {
        return reader.all();
    }

    /** All of this map as it is. */
    public Map<String, Object> content() {
        return map;
    }

    /** Where this map is, empty at the top. */
    public String path() {
        return reader.path();
    }

    /** Where a key of this map is. */
    public String at(String key) {
        return reader.at(key);
    }

    /** The keys with a value, in the order given. */
    public List<String> keys() {
        return reader.keys();
    }

    /** Whether a key has a value. */
    public boolean has(String key) {
        return reader.has(key);
    }

    /** A value as it is. */
    public @Nullable Object raw(String key) {
        return map.get(key);
    }

    /**
     * All of this map as a model of the Kubernetes client; empty when it does not have that form, which is a mistake at
     * each place.
     */
    public <T> Optional<T> model(Class<T> model) {
        return PodSchema.check(this, model)
                ? Optional.of(Serialization.unmarshal(Serialization.asJson(map), model))
                : Optional.empty();
    }

    /** A text; empty when absent or no text, which is a mistake. */
    public Optional<String> text(String key) {
        return reader.text(key);
    }

    /** A text that is not empty. */
    public Optional<String> filled(String key) {
        return text(key).filter(text -> !text.isEmpty());
    }

    /** A whole number within 32 bits. */
    public void whole(String key, IntConsumer use) {
        reader.whole(key, use);
    }

    /** A whole number. */
    public void number(String key, long least, long most, LongConsumer use) {
        reader.number(key, least, most, use);
    }

    /** Whether a flag is set; absent: no. */
    public boolean flag(String key) {
        return reader.flag(key).orElse(false);
    }

    /**
     * A map in this one; empty when absent or no map, which is a mistake.
     *
     * @param known the keys that it can have
     */
    public Optional<ResourceMapReader> fields(String key, List<String> known) {
        return map(key).map(fields -> fields.only(known));
    }

    /** A map in this one with keys of any name. */
    public Optional<ResourceMapReader> map(String key) {
        return reader.map(key).map(fields -> with(fields, map.get(key)));
    }

    @SuppressWarnings("unchecked") // the keys of plain data are texts
    private ResourceMapReader with(FieldReader fields, @Nullable Object content) {
        return new ResourceMapReader(
                fields, (Map<String, Object>) Objects.requireNonNull(content, "a map was read"), report);
    }

    /**
     * The maps of a list in this map.
     *
     * @param known the keys that each can have
     */
    public List<ResourceMapReader> items(String key, List<String> known) {
        List<ResourceMapReader> items = items(key);
        items.forEach(item -> item.only(known));
        return items;
    }

    /** The maps of a list in this map, with keys of any name. */
    public List<ResourceMapReader> items(String key) {
        List<ResourceMapReader> items = new ArrayList<>();
        Iterator<?> contents = map.get(key) instanceof List<?> list
                ? list.iterator()
                : List.of().iterator();
        reader.items(key, (place, item) -> {
            Object content = contents.next();
            reader.map(place, item).ifPresent(fields -> items.add(with(fields, content)));
        });
        return items;
    }

    /** The texts of a list in this map. */
    public List<String> words(String key) {
        return reader.words(key).orElse(List.of());
    }

    /** The texts of a map in this one, whose keys have any name. */
    public Map<String, String> texts(String key) {
        Map<String, String> texts = new LinkedHashMap<>();
        reader.texts(key, texts::put);
        return texts;
    }

    /** An amount: a text, or a number as YAML has it without quotes. */
    public Optional<String> amount(String key) {
        return reader.scalar(key);
    }

    /** Reports values as lost, unless they say nothing: null, an empty text, map or list. */
    public void lose(String why, String... keys) {
        for (String key : keys) {
            Object value = map.get(key);
            if (!saysNothing(value)) {
                report.loss(at(key), value, why);
            }
        }
    }

    /** Reports all values as lost but those of some keys. */
    public void loseAllBut(List<String> kept, String why) {
        map.keySet().stream().filter(key -> !kept.contains(key)).forEach(key -> lose(why, key));
    }

    /** Reports a value as lost, unless it is the one that counts without it. */
    public void loseUnless(String key, Object ordinary, String why) {
        if (!ordinary.equals(map.get(key))) {
            lose(why, key);
        }
    }

    /** Adds a mistake of a key. */
    public void wrong(String key, String line) {
        report.mistake(at(key) + " " + line);
    }

    /** A value that is none of some words. */
    public void unknownWord(String key, String word, List<String> known) {
        reader.unknownWord(key, word, known);
    }

    /** Where mistakes and losses go. */
    public ConversionReport report() {
        return report;
    }

    /** Whether two values say the same, whatever of it says nothing. */
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

    /** Whether a value says nothing: null, an empty text, map or list. */
    static boolean saysNothing(@Nullable Object value) {
        if (value instanceof Map<?, ?> fields) {
            return fields.values().stream().allMatch(ResourceMapReader::saysNothing);
        }
        return value == null || value.equals("") || value.equals(List.of());
    }

    /** A value as a mistake shows it. */
    static String shown(@Nullable Object value) {
        return ReaderDialect.KUBERNETES.shown(DataNode.of(value));
    }
}
