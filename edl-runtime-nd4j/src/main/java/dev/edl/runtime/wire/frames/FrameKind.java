package dev.edl.runtime.wire.frames;

/**
 * Kinds of frames. All numbers are little-endian, and each part is a multiple of four bytes, so that floats stay
 * aligned:
 *
 * <pre>"EDLF" | u16 protocol | u8 kind | u8 flags | u32 length | u32 request | i64 a | i64 b | body | u32 crc32c</pre>
 *
 * <p>The length is that of the body. The checksum covers everything before it. {@code docs/wire.md} describes every
 * byte.
 *
 * <p>A text is {@code u32 bytes | UTF-8 | zeros up to a multiple of four}. A life is {@code text run | i64 term | i64
 * number}.
 */
enum FrameKind {
    /** Caller: {@code nonce, session}. Response: CHALLENGE or REFUSED. */
    HELLO(1),
    /** Called end: {@code nonce, proof}. */
    CHALLENGE(2),
    /** Caller: {@code proof, u32 number of texts}, texts of its identity. A server responds with WELCOME, AWAY or REFUSED. */
    PROOF(3),
    /** Server: {@code life}. */
    WELCOME(4),
    /** Called end: a text. The connection ends. After its proof, retries do not help. */
    REFUSED(5),
    /** Worker: for each table {@code u32 count, i64 ids}, with the ids of this shard's rows. Response: VALUES. */
    PULL(6),
    /** Server: a = version; {@code life, f32 range, rows in the requested order}. */
    VALUES(7),
    /**
     * Worker: a = push id, b = base version;
     * {@code i64 sequence, i64 nanoseconds to await the round, base life, f32 range}, for each table
     * {@code u32 count, i64 ids, f32 gradients}. Response: RESULT.
     */
    PUSH(8),
    /** Server: a = version, b = outcome. With THEN_VALUES or THEN_ROUND another frame follows. */
    RESULT(9),
    /** Worker: a = push id, b = nanoseconds. Response: ROUND once the round has ended. */
    AWAIT(10),
    /** Server: a = 1 when the push is part of an update, 0 when the shard does not hold it. */
    ROUND(11),
    /** Worker: a = first push id, b = number of pushes. Response: COUNT. */
    HELD(12),
    /** Server: a = number of consecutive pushes, from the first one on, that the shard holds without a gap. */
    COUNT(13),
    /** Server: a text. The server has no shard now, or could not read the last frame. The connection ends. */
    AWAY(14),
    /**
     * Server: a = 1 for an expired bound, otherwise 0; a text. The server cannot run the request. The connection stays
     * open. On the control plane, either end may send it and the connection ends.
     */
    ERROR(15),
    /** Either end, on the control plane: a = length of the JSON. Body: the JSON, padded to a multiple of four. */
    MESSAGE(16),
    /** Either end, on the control plane: a = length of the content. Body: the content, padded to a multiple of four. */
    CHUNK(17),
    /** Either end, on the control plane: the content is complete, or the connection ends in an orderly way. */
    LAST(18),
    /**
     * Either end, on the control plane: sent while there is nothing else to send, so that the other end does not take
     * the connection for dead. It has no body, and there is no answer.
     */
    PING(19);

    static final int PROTOCOL = 3;

    /**
     * Flag of PUSH and AWAIT: send the values of the next pull with the response. Flag of RESULT and ROUND: VALUES
     * follows.
     */
    static final int THEN_VALUES = 1;
    /**
     * Flag of PUSH: await the round of an ACCUMULATED push at once, and then send the values. Flag of RESULT: ROUND
     * follows.
     */
    static final int THEN_ROUND = 2;
    /**
     * Flag of AWAIT: if this shard's round has already ended, the worker waits at other shards, so no round of this one
     * waits for it.
     */
    static final int IDLE = 4;

    static final long BOUND_OVER = 1;

    private static final FrameKind[] KINDS = values();

    private final int code;

    FrameKind(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }

    /** Returns the kind with a code. */
    static FrameKind of(int code) throws FrameException {
        for (FrameKind kind : KINDS) {
            if (kind.code == code) {
                return kind;
            }
        }
        throw new FrameException("a frame's kind must be from 1 to " + KINDS.length + ", was " + code);
    }
}
