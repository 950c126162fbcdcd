package dev.edl.runtime.wire.control.internal;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;

/** Named arguments of a request to write; {@link Given} reads them. */
public final class MessageArguments {
    private final Map<String, Object> values = new LinkedHashMap<>();

    /** Makes an empty list of arguments. */
    public static MessageArguments none() {
        return new MessageArguments();
    }

    public static MessageArguments of(String name, Object value) {
        return new MessageArguments().and(name, value);
    }

    public MessageArguments and(String name, Object value) {
        values.put(name, value);
        return this;
    }

    @JsonAnyGetter
    public Map<String, Object> values() {
        return values;
    }

    /**
     * The named arguments of a received request. Each getter throws IllegalArgumentException if the argument is
     * missing.
     */
    public record Given(String call, JsonNode body) {
        public Given(Message message) {
            this(message.name(), message.body());
        }

        private JsonNode get(String name) {
            JsonNode value = body.get(name);
            if (value == null || value.isNull()) {
                throw new IllegalArgumentException(call + ": " + name + " is missing");
            }
            return value;
        }

        public long number(String name) {
            JsonNode value = get(name);
            if (!value.canConvertToLong()) {
                throw new IllegalArgumentException(call + ": " + name + " must be a whole number, was " + value);
            }
            return value.longValue();
        }

        public int count(String name) {
            return Math.toIntExact(number(name));
        }

        public boolean flag(String name) {
            return get(name).booleanValue();
        }

        public String text(String name) {
            return get(name).asText();
        }

        public <T> T value(String name, Class<T> type) {
            return MessageJson.value(get(name), type);
        }
    }
}
