package dev.edl.runtime.wire.control.internal;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import dev.edl.runtime.engine.ports.SavedShard;
import dev.edl.runtime.ps.ShardSnapshot;
import dev.edl.runtime.ps.ports.DecisionRecord;
import dev.edl.runtime.task.Assignment;
import java.io.IOException;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * JSON bodies of messages: records, enums, numbers, strings, lists, maps, and the types below. Unknown properties are
 * ignored, so that messages can grow.
 */
public final class MessageJson {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .addModule(types())
            .build();

    private MessageJson() {}

    private static SimpleModule types() {
        SimpleModule types = new SimpleModule();
        types.setMixInAnnotation(Assignment.class, AssignmentJson.class);
        types.addSerializer(Duration.class, new Writer<>(Duration.class, Duration::toNanos));
        types.addDeserializer(Duration.class, new Reader<>(Duration.class, json -> Duration.ofNanos(json.longValue())));
        types.addSerializer(SavedShard.class, new Writer<>(SavedShard.class, SavedShard::toString));
        types.addDeserializer(SavedShard.class, new Reader<>(SavedShard.class, json -> new Named(json.asText())));
        types.addSerializer(
                DecisionRecord.class,
                new Writer<>(
                        DecisionRecord.class,
                        record -> new Decision(
                                record.term(),
                                record.number(),
                                Base64.getEncoder().encodeToString(record.content()))));
        types.addDeserializer(DecisionRecord.class, new Reader<>(DecisionRecord.class, json -> {
            Decision decision = value(json, Decision.class);
            return new DecisionRecord(
                    decision.term(), decision.number(), Base64.getDecoder().decode(decision.content()));
        }));
        return types;
    }

    /** A decision record, with its content in Base64. */
    private record Decision(long term, long number, String content) {}

    /** Converts values of a type to values that Jackson can write, and writes these. */
    private static final class Writer<T> extends StdSerializer<T> {
        private static final long serialVersionUID = 1L;

        private final transient Function<T, Object> as;

        private Writer(Class<T> type, Function<T, Object> as) {
            super(type);
            this.as = as;
        }

        @Override
        public void serialize(T value, JsonGenerator to, SerializerProvider provider) throws IOException {
            to.writePOJO(as.apply(value));
        }
    }

    /** Reads JSON and converts it to values of a type. */
    private static final class Reader<T> extends StdDeserializer<T> {
        private static final long serialVersionUID = 1L;

        private final transient Function<JsonNode, T> from;

        private Reader(Class<T> type, Function<JsonNode, T> from) {
            super(type);
            this.from = from;
        }

        @Override
        public T deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            return from.apply(context.readTree(parser));
        }
    }

    /** The text of a saved shard, whose state is sent over a bulk connection. */
    private record Named(String text) implements SavedShard {
        @Override
        public ShardSnapshot read() throws IOException {
            throw new IOException(text + " is at the master");
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /** An assignment is marked by one of these words, never by the name of a class. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Assignment.Lease.class, name = "LEASE"),
        @JsonSubTypes.Type(value = Assignment.Wait.class, name = "WAIT"),
        @JsonSubTypes.Type(value = Assignment.Finished.class, name = "FINISHED"),
        @JsonSubTypes.Type(value = Assignment.Failed.class, name = "FAILED")
    })
    private interface AssignmentJson {}

    /** Returns a value as JSON; that of an empty {@link Optional} is null. */
    public static JsonNode tree(@Nullable Object body) {
        return MAPPER.valueToTree(body instanceof Optional<?> optional ? optional.orElse(null) : body);
    }

    public static byte[] bytes(Object value) {
        try {
            return MAPPER.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(value.getClass().getName() + " cannot be written as JSON", e);
        }
    }

    /**
     * Reads a value.
     *
     * @throws IllegalArgumentException when the JSON does not match the type
     */
    public static <T> T value(JsonNode tree, Class<T> type) {
        return type.cast(value(tree, (Type) type));
    }

    /** Parses JSON and converts it to a record, as {@link #value(JsonNode, Class)} does. */
    public static Object value(JsonNode tree, Type type) {
        JavaType known = MAPPER.constructType(type);
        String name = known.getRawClass().getSimpleName();
        try {
            Object value = MAPPER.treeToValue(tree, known);
            if (value == null) {
                throw new IllegalArgumentException("a " + name + " is missing in a message");
            }
            return value;
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("a message has no " + name + ": " + e.getOriginalMessage(), e);
        }
    }

    /** Parses JSON and converts it to a record, as {@link #value(JsonNode, Class)} does. */
    public static <T> T value(byte[] bytes, Class<T> type) {
        try {
            return value(MAPPER.readTree(bytes), type);
        } catch (IOException e) {
            throw new IllegalArgumentException("the received bytes are not the JSON of a " + type.getSimpleName(), e);
        }
    }
}
