package dev.edl.runtime.wire.frames;

/**
 * What a frame says. All numbers are little-endian, and each part is a multiple of four bytes, so that floats stay aligned:
 *
 * <pre>"EDLF" | u16 protocol | u8 kind | u8 flags | u32 length | u32 request | i64 a | i64 b | body | u32 crc32c</pre>
 *
 * <p>The length is that of the body. The checksum covers everything before it. {@code docs/wire.md} has it byte by byte.
 *
 * <p>A text is {@code u32 bytes | UTF-8 | zeros up to a multiple of four}. A life is {@code text run | i64 term | i64 number}.
 */
enum FrameKind {
    /** Worker: {@code nonce, run, worker, range, model}. Answered by CHALLENGE or REFUSED. */
    HELLO(1),
    /** Server: {@code nonce, proof}. */
    CHALLENGE(2),
    /** Worker: {@code proof}. Answered by WELCOME, AWAY or REFUSED. */
    PROOF(3),
    /** Server: {@code life}. */
    WELCOME(4),
    /** Server: a text. The connection ends, and no other will fare better. */
    REFUSED(5),
    /** Worker: of each table {@code u32 count, i64 ids}, those of this shard. Answered by VALUES. */
    PULL(6),
    /** Server: a = version; {@code life, f32 range, rows in the order asked}. */
    VALUES(7),
    /**
     * Worker: a = push id, b = base version; {@code i64 sequence, i64 nanoseconds to await the round, base life, f32 range}, of each
     * table {@code u32 count, i64 ids, f32 gradients}. Answered by RESULT.
     */
    PUSH(8),
    /** Server: a = version, b = outcome. With THEN_VALUES or THEN_ROUND another frame follows. */
    RESULT(9),
    /** Worker: a = push id, b = nanoseconds. Answered by ROUND once the round is over. */
    AWAIT(10),
    /** Server: a = 1 when the push has gone into an update, 0 when the shard does not know it. */
    ROUND(11),
    /** Worker: a = first push id, b = how many. Answered by COUNT. */
    HELD(12),
    /** Server: a = how many of them the shard holds, up to the first that it does not. */
    COUNT(13),
    /** Server: a text. It has no shard now, or could not read the last frame, and the connection ends. */
    AWAY(14),
    /** Server: a = 1 for a bound that is over, else 0; a text. The connection goes on. On the control plane it ends, for either end. */
    ERROR(15),
    /** Either end, on the control plane: a = bytes of JSON; these and zeros up to a multiple of four. */
    MESSAGE(16),
    /** Either end, on the control plane: a = bytes of content; these and zeros up to a multiple of four. */
    CHUNK(17),
    /** Either end, on the control plane: the content is whole, or the stream ends in peace. */
    LAST(18),
    /** Either end, on the control plane: it lives. */
    PING(19);

    static final int PROTOCOL = 1;

    /** Of PUSH and AWAIT: the values of the next pull come with the answer. Of RESULT and ROUND: VALUES follows. */
    static final int THEN_VALUES = 1;
    /** Of PUSH: an ACCUMULATED one is awaited at once, and its values come then. Of RESULT: ROUND follows. */
    static final int THEN_ROUND = 2;
    /** Of AWAIT: when this shard's round is over at once the worker waits at others, so no round of this one waits for it. */
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

    /** Returns the kind of a code. */
    static FrameKind of(int code) throws FrameException {
        for (FrameKind kind : KINDS) {
            if (kind.code == code) {
                return kind;
            }
        }
        throw new FrameException("a frame's kind must be from 1 to " + KINDS.length + ", was " + code);
    }
}
