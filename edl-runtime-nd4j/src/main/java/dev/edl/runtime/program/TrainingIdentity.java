package dev.edl.runtime.program;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.edl.runtime.PassSpec;
import dev.edl.runtime.Training;
import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.data.RecordNames;
import dev.edl.runtime.engine.pass.Pass;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.wire.control.Hello;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Digest of a training: the properties that must be equal in all its processes, as text. Otherwise a process of another
 * build could push gradients of another model. Immutable.
 *
 * <p>Parameter servers read no data, so only master and workers have and compare the properties of the data.
 */
public final class TrainingIdentity {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final TypeReference<TreeMap<String, String>> WORDS = new TypeReference<>() {};
    /** Of a pass only. */
    private static final String KIND = "kind";

    private static final String DATA = "data";
    private static final String VALIDATION = "validation";
    private static final String NAMES = "names of ";
    /** Of master and servers only: workers do not read the parameters to begin with. */
    private static final String INITIAL = "checksum of the parameters to begin with";

    private final SortedMap<String, String> words;

    private TrainingIdentity(SortedMap<String, String> words) {
        this.words = words;
    }

    /** Returns the digest of a training without its data, as a server has it. */
    public static TrainingIdentity of(Training training, int shards) {
        SortedMap<String, String> words = new TreeMap<>();
        model(words, training.modelName(), training.model());
        training.from().ifPresent(from -> words.put("from", from.toString()));
        words.put("optimizer", training.optimizer().toString());
        words.put("learningRate", training.learningRate().toString());
        words.put("consistency", training.consistency().toString());
        words.put("stalenessModulation", Boolean.toString(training.stalenessModulation()));
        words.put("minibatch", Integer.toString(training.minibatch()));
        words.put("minibatchesPerTask", Integer.toString(training.minibatchesPerTask()));
        words.put("epochs", Integer.toString(training.epochs()));
        words.put("maxSteps", Long.toString(training.maxSteps()));
        words.put("seed", Long.toString(training.seed()));
        words.put("shuffle", Boolean.toString(training.shuffle()));
        words.put("metrics", training.metrics().toString());
        words.put("parameter servers", Integer.toString(shards));
        return new TrainingIdentity(words);
    }

    /** Returns the digest of a training with its data, as the master and the workers have it. */
    public static TrainingIdentity withData(Training training, int shards) {
        SortedMap<String, String> words = new TreeMap<>(of(training, shards).words);
        put(words, DATA, training.data());
        training.validation().ifPresent(data -> put(words, VALIDATION, data));
        return new TrainingIdentity(words);
    }

    /** Returns this digest with the checksum of the parameters that the training begins with, if it is known. */
    TrainingIdentity from(Optional<String> checksum) {
        if (checksum.isEmpty()) {
            return this;
        }
        SortedMap<String, String> all = new TreeMap<>(words);
        all.put(INITIAL, checksum.get());
        return new TrainingIdentity(all);
    }

    /** Returns the digest of an evaluation or a prediction. */
    static TrainingIdentity of(Pass<?> pass) {
        SortedMap<String, String> words = new TreeMap<>();
        PassSpec spec = pass.spec();
        words.put(KIND, pass.type().name().toLowerCase(Locale.ROOT));
        model(words, spec.model().getClass().getName(), spec.model());
        words.put("minibatch", Integer.toString(spec.minibatch()));
        words.put("minibatchesPerTask", Integer.toString(spec.minibatchesPerTask()));
        words.put("metrics", pass.metrics().toString());
        put(words, DATA, spec.data());
        return new TrainingIdentity(words);
    }

    private static void model(SortedMap<String, String> words, String name, Model model) {
        words.put("model", name);
        words.put("parameters", shorten(model.layout().parameters().toString()));
        words.put("embedding tables", shorten(model.embeddings().toString()));
        if (!model.identity().isEmpty()) {
            words.put("identity of the model", shorten(model.identity()));
        }
    }

    private static void put(SortedMap<String, String> words, String key, Dataset data) {
        List<DataShard> shards = data.shards();
        long records = shards.stream().mapToLong(DataShard::records).sum();
        words.put(key, records + " records in " + shards.size() + " shards, " + shorten(shards.toString()));
        if (!data.names().equals(RecordNames.UNKNOWN)) {
            words.put(NAMES + key, shorten(data.names().toString()));
        }
    }

    /** Replaces a long text by its beginning, length and checksum. */
    private static String shorten(String text) {
        if (text.length() <= 120) {
            return text;
        }
        CRC32C crc = new CRC32C();
        crc.update(text.getBytes(StandardCharsets.UTF_8));
        return text.substring(0, 80) + "... of " + text.length() + " characters, crc32c "
                + Long.toHexString(crc.getValue());
    }

    /**
     * Parses the output of {@link #text}.
     *
     * @throws IllegalArgumentException if it is not a digest
     */
    public static TrainingIdentity parse(String text) {
        try {
            SortedMap<String, String> words = MAPPER.readValue(text, WORDS);
            // The JSON null is not an object.
            if (words != null) {
                return new TrainingIdentity(words);
            }
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("no digest of a training: " + text, e);
        }
        throw new IllegalArgumentException("no digest of a training: " + text);
    }

    /** Returns the properties as a JSON object. */
    public String text() {
        try {
            return MAPPER.writeValueAsString(words);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(words + " cannot be written", e);
        }
    }

    /** Returns why a caller of the master is refused: the differences of its digest; empty if there are none. */
    Optional<String> refusal(Hello hello) {
        List<String> differences = differences(parse(hello.digest()));
        return differences.isEmpty()
                ? Optional.empty()
                : Optional.of(hello.name() + " has another " + words.getOrDefault(KIND, "training")
                        + " than the master: " + String.join("; ", differences));
    }

    /**
     * Returns the differences to another process' digest as text for people; empty if there are none. The properties of
     * the data are compared if both digests have them. Names of its columns and classes, and the checksum of the parameters
     * to begin with, are compared if both know them.
     */
    public List<String> differences(TrainingIdentity other) {
        SortedMap<String, String> all = new TreeMap<>(words);
        all.putAll(other.words);
        boolean data = words.containsKey(DATA) && other.words.containsKey(DATA);
        List<String> different = new ArrayList<>();
        for (String name : all.keySet()) {
            boolean compared = (name.startsWith(NAMES) || name.equals(INITIAL))
                    ? words.containsKey(name) && other.words.containsKey(name)
                    : data || !(name.equals(DATA) || name.equals(VALIDATION));
            if (compared && !Objects.equals(words.get(name), other.words.get(name))) {
                different.add(name + " is " + orNone(words.get(name)) + " here and " + orNone(other.words.get(name))
                        + " there");
            }
        }
        return List.copyOf(different);
    }

    private static String orNone(@Nullable String word) {
        return word == null ? "missing" : "\"" + word + "\"";
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TrainingIdentity identity && identity.words.equals(words);
    }

    @Override
    public int hashCode() {
        return words.hashCode();
    }

    /** Returns the properties, for example {@code {consistency=staleness 0, data=1437 records in 4 shards, ...}}. */
    @Override
    public String toString() {
        return words.toString();
    }
}
