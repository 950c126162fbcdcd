package dev.edl.runtime.wire.control.internal;

import dev.edl.runtime.ps.ports.DecisionRecord;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;

/** Names of a master's requests to a shard on the wire. */
public final class ShardRequestNames {
    public static final String MEMBERS = "members";
    public static final String MEMBER = "member";
    public static final String HELD = "held";
    public static final String PUSHES = "pushes";
    public static final String VERSION = "version";
    public static final String FLUSH = "flush";
    public static final String BEGIN_CUT = "beginCut";
    public static final String FLUSH_CUT = "flushCut";
    public static final String SAVE_CUT = "saveCut";
    public static final String END_CUT = "endCut";
    public static final String TAKEN = "taken";
    public static final String FOLLOW = "follow";
    public static final String DECIDE = "decide";
    public static final String DECIDED = "decided";
    public static final String PIN_EVERY = "pinEvery";
    public static final String DROP_FREE_PINS_ABOVE = "dropFreePinsAbove";
    public static final String PINS = "pins";
    public static final String PIN_NOW = "pinNow";
    public static final String HOLD_PIN = "holdPin";
    public static final String RELEASE_PIN = "releasePin";
    public static final String KEEP_PIN = "keepPin";
    public static final String KEEP_ONLY_PIN = "keepOnlyPin";
    public static final String DROP_PIN = "dropPin";
    public static final String PINNED = "pinned";

    private ShardRequestNames() {}

    /** Sequence number of each worker in a message: its last admitted push, or the push up to which to admit. */
    public static final class Sequences extends TreeMap<String, Long> {
        private static final long serialVersionUID = 1L;

        Sequences() {}

        public Sequences(Map<String, Long> all) {
            super(all);
        }
    }

    /**
     * A decision record in a message.
     *
     * @param content content of the record in Base64
     */
    public record Decision(long term, long number, String content) {
        public static Decision of(DecisionRecord record) {
            return new Decision(
                    record.term(), record.number(), Base64.getEncoder().encodeToString(record.content()));
        }

        public DecisionRecord record() {
            return new DecisionRecord(term, number, Base64.getDecoder().decode(content));
        }
    }
}
