package dev.edl.runtime.wire.control.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import org.jspecify.annotations.Nullable;

/**
 * One message of a message connection.
 *
 * @param id number that an ASK and its response share; 0 for a TELL
 * @param name name of the request or notification; empty in a response
 * @param body content of the message
 */
public record Message(Kind kind, long id, String name, JsonNode body) {
    /** Kind of a message. */
    public enum Kind {
        /** A request, to which the peer responds. */
        ASK,
        /** A notification, to which the peer does not respond. */
        TELL,
        /** The response to a request. */
        DONE,
        /** The response to a failed request, with a {@link RemoteFailure}. */
        FAILED
    }

    /** Creates a message; its name and body may be missing. */
    public Message(Kind kind, long id, @Nullable String name, @Nullable JsonNode body) {
        this.kind = kind;
        this.id = id;
        this.name = name == null ? "" : name;
        this.body = body == null ? NullNode.getInstance() : body;
    }

    /**
     * Reads a message.
     *
     * @throws IllegalArgumentException when the bytes are not those of a message
     */
    public static Message of(byte[] json) {
        Message message = MessageJson.value(json, Message.class);
        if (message.kind() == null) {
            throw new IllegalArgumentException("a message has no kind, for example ASK");
        }
        return message;
    }

    /**
     * Returns a named value of the body.
     *
     * @throws IllegalArgumentException when it is missing or of another type
     */
    public <T> T value(String field, Class<T> type) {
        JsonNode value = body.get(field);
        if (value == null || value.isNull()) {
            throw new IllegalArgumentException(name + ": " + field + " is missing");
        }
        return MessageJson.value(value, type);
    }

    public static Message ask(long id, String name, Object body) {
        return new Message(Kind.ASK, id, name, MessageJson.tree(body));
    }

    public static Message tell(String name, Object body) {
        return new Message(Kind.TELL, 0, name, MessageJson.tree(body));
    }

    public static Message done(long id, @Nullable Object body) {
        return new Message(Kind.DONE, id, "", MessageJson.tree(body));
    }

    public static Message failed(long id, RemoteFailure failure) {
        return new Message(Kind.FAILED, id, "", MessageJson.tree(failure));
    }

    /** Returns the text for people, for example {@code ASK 7 next}; it omits the body, which may be long. */
    @Override
    public String toString() {
        return kind + " " + id + (name.isEmpty() ? "" : " " + name);
    }
}
