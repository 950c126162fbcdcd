package dev.edl.runtime.wire.control.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import org.jspecify.annotations.Nullable;

/**
 * One message of a stream.
 *
 * @param id of an ASK, and of the answer to it; 0 for a TELL
 * @param name of the call or the news; empty in an answer
 * @param body what it is about
 */
public record Message(Kind kind, long id, String name, JsonNode body) {
    /** What a message is. */
    public enum Kind {
        /** A request, which is answered. */
        ASK,
        /** News, which are not answered. */
        TELL,
        /** The answer to a request. */
        DONE,
        /** The answer to a request that failed, with a {@link RemoteFailure}. */
        FAILED
    }

    /** Makes a message; its name and body may be missing. */
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

    public static Message ask(long id, String name, Object body) {
        return new Message(Kind.ASK, id, name, MessageJson.tree(body));
    }

    public static Message tell(String name, Object body) {
        return new Message(Kind.TELL, 0, name, MessageJson.tree(body));
    }

    public static Message done(long id, Object body) {
        return new Message(Kind.DONE, id, "", MessageJson.tree(body));
    }

    public static Message failed(long id, RemoteFailure failure) {
        return new Message(Kind.FAILED, id, "", MessageJson.tree(failure));
    }

    /** Returns the text for people, for example {@code ASK 7 next}; bodies may be long. */
    @Override
    public String toString() {
        return kind + " " + id + (name.isEmpty() ? "" : " " + name);
    }
}
