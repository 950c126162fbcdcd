package dev.edl.runtime.wire.control.internal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;

/** JSON bodies of messages. Unknown properties are ignored, so that messages can grow. */
public final class MessageJson {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private MessageJson() {}

    public static JsonNode tree(Object body) {
        return MAPPER.valueToTree(body);
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
        try {
            T value = MAPPER.treeToValue(tree, type);
            if (value == null) {
                throw new IllegalArgumentException("a " + type.getSimpleName() + " is missing in a message");
            }
            return value;
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    "a message has no " + type.getSimpleName() + ": " + e.getOriginalMessage(), e);
        }
    }

    /** Reads a value as {@link #value(JsonNode, Class)} does. */
    public static <T> T value(byte[] bytes, Class<T> type) {
        try {
            return value(MAPPER.readTree(bytes), type);
        } catch (IOException e) {
            throw new IllegalArgumentException("the received bytes are not the JSON of a " + type.getSimpleName(), e);
        }
    }
}
