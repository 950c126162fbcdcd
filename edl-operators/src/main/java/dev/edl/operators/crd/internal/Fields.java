package dev.edl.k8s.crd.internal;

import dev.edl.k8s.crd.Loss;
import dev.edl.spec.Nearest;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A map of a resource that is being read. A key that the resource does not have is a mistake, with the nearest that it
 * has; a key without a value counts as absent, as it does in Kubernetes. Not safe for use by several threads.
 */
public final class Fields {
    private static final int LONGEST = 200;

    private final String path;
    private final Map<String, Object> map;
    private final Report report;

    private Fields(String path, Map<String, Object> map, Report report) {
        this.path = path;
        this.map = map;
        this.report = report;
    }

    /**
     * Starts at the top of a resource.
     *
     * @param known the keys that it can have
     */
    public static Fields of(Map<String, Object> map, Report report, List<String> known) {
        return new Fields("", map, report).only(known);
    }

    /** Starts at the top of a resource that may have keys of any name. */
    public static Fields ofAny(Map<String, Object> map, Report report) {
        return new Fields("", map, report);
    }

    private Fields only(List<String> known) {
        for (String key : map.keySet()) {
            if (!known.contains(key)) {
                report.mistake(at(key) + ": unknown key; " + Nearest.hint(key, known));
            }
        }
        return this;
    }

    /** All of this map as it is. */
    public Map<String, Object> content() {
        return map;
    }

    /** Where this map is, empty at the top. */
    public String path() {
        return path;
    }

    /** Where a key of this map is. */
    public String at(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    /** The keys with a value, in the order given. */
    public List<String> keys() {
        return map.keySet().stream().filter(this::has).toList();
    }

    /** Whether a key has a value. */
    public boolean has(String key) {
        return map.get(key) != null;
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
        Object value = map.get(key);
        if (value == null || value instanceof String) {
            return Optional.ofNullable((String) value);
        }
        report.mistake(noText(at(key), value));
        return Optional.empty();
    }

    /** The mistake of a value that is no text. Kubernetes reads yes without quotes as true; the word itself is lost by then. */
    static String noText(String path, @Nullable Object value) {
        String word = Boolean.TRUE.equals(value) ? "yes" : "no";
        return path + " must be a text, was " + shown(value)
                + (value instanceof Boolean
                        ? ", which a word such as " + word + " is without quotes; for example \"" + word + "\""
                        : "; for example " + quoted(value));
    }

    /** A text that is not empty. */
    public Optional<String> filled(String key) {
        return text(key).filter(text -> !text.isEmpty());
    }

    /** A whole number within 32 bits. */
    public void whole(String key, java.util.function.IntConsumer use) {
        number(key, Integer.MIN_VALUE, Integer.MAX_VALUE, value -> use.accept((int) value));
    }

    /** A whole number. */
    public void number(String key, long least, long most, LongConsumer use) {
        Object value = map.get(key);
        if (value == null) {
            return;
        }
        if (value instanceof Long number && number >= least && number <= most) {
            use.accept(number);
        } else {
            report.mistake(at(key) + " must be a whole number from " + least + " to " + most + ", was " + shown(value)
                    + "; for example " + Math.max(1, least));
        }
    }

    /** Whether a flag is set; absent: no. */
    public boolean flag(String key) {
        Object value = map.get(key);
        if (value != null && !(value instanceof Boolean)) {
            report.mistake(at(key) + " must be true or false, was " + shown(value) + "; for example true");
        }
        return Boolean.TRUE.equals(value);
    }

    /**
     * A map in this one; empty when absent or no map, which is a mistake.
     *
     * @param known the keys that it can have
     */
    public Optional<Fields> fields(String key, List<String> known) {
        return map(key).map(fields -> fields.only(known));
    }

    /** A map in this one with keys of any name. */
    public Optional<Fields> map(String key) {
        Object value = map.get(key);
        return value == null ? Optional.empty() : map(at(key), value);
    }

    @SuppressWarnings("unchecked") // the keys of plain data are texts
    private Optional<Fields> map(String place, @Nullable Object value) {
        if (value instanceof Map<?, ?> fields) {
            return Optional.of(new Fields(place, (Map<String, Object>) fields, report));
        }
        report.mistake(place + " must be a map, was " + shown(value) + "; for example {name: value}");
        return Optional.empty();
    }

    /**
     * The maps of a list in this map.
     *
     * @param known the keys that each can have
     */
    public List<Fields> items(String key, List<String> known) {
        List<Fields> items = items(key);
        items.forEach(item -> item.only(known));
        return items;
    }

    /** The maps of a list in this map, with keys of any name. */
    public List<Fields> items(String key) {
        List<Fields> items = new ArrayList<>();
        int index = 0;
        for (Object item : list(key)) {
            map(at(key) + "[" + index++ + "]", item).ifPresent(items::add);
        }
        return items;
    }

    /** The texts of a list in this map. */
    public List<String> words(String key) {
        List<String> words = new ArrayList<>();
        int index = 0;
        for (Object item : list(key)) {
            if (item instanceof String word) {
                words.add(word);
            } else {
                report.mistake(at(key) + "[" + index + "] must be a text, was " + shown(item));
            }
            index++;
        }
        return words;
    }

    private List<?> list(String key) {
        Object value = map.get(key);
        if (value == null) {
            return List.of();
        }
        if (value instanceof List<?> list) {
            return list;
        }
        report.mistake(at(key) + " must be a list, was " + shown(value) + "; for example [" + shown(value) + "]");
        return List.of();
    }

    /** The texts of a map in this one, whose keys have any name. */
    public Map<String, String> texts(String key) {
        Map<String, String> texts = new LinkedHashMap<>();
        map(key).ifPresent(fields ->
                fields.keys().forEach(name -> fields.text(name).ifPresent(text -> texts.put(name, text))));
        return texts;
    }

    /** An amount: a text, or a number as YAML has it without quotes. */
    public Optional<String> amount(String key) {
        return map.get(key) instanceof Number number
                ? Optional.of(new BigDecimal(number.toString()).toPlainString())
                : text(key);
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
        report.mistake(at(key) + " must be one of " + String.join(", ", known) + ", was \"" + word + "\"");
    }

    /** Where mistakes and losses go. */
    public Report report() {
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
            return fields.values().stream().allMatch(Fields::saysNothing);
        }
        return value == null || value.equals("") || value.equals(List.of());
    }

    /** A value as JSON on one line, as far as it is short. */
    static String shown(@Nullable Object value) {
        String list = Loss.of("", Collections.singletonList(value), "").value();
        String text = list.substring(1, list.length() - 1);
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }

    /** A value as a text. */
    static String quoted(@Nullable Object value) {
        return "\"" + (value instanceof Map || value instanceof List ? "a" : value) + "\"";
    }
}
