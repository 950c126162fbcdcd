package dev.edl.runtime.history;

import dev.edl.runtime.ps.PushResult;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What a worker has pulled and sent last, and what the shards have done with that. */
final class WorkerView {
    HistoryEvent.@Nullable Pulled pulled;
    HistoryEvent.@Nullable Sent sent;
    long sentAt;
    private final @Nullable ShardAction[] deeds;

    WorkerView(int shards) {
        this.deeds = new ShardAction[shards];
    }

    void send(HistoryEvent.Sent next, long event) {
        sent = next;
        sentAt = event;
        Arrays.fill(deeds, null);
    }

    void done(int shard, ShardAction deed) {
        deeds[shard] = deed;
    }

    @Nullable
    ShardAction deed(int shard) {
        return deeds[shard];
    }

    /** A shard made an update of a round; if what was sent last is in it, that is what the shard did with it. */
    void updated(int shard, long pushId, long version) {
        HistoryEvent.Sent last = sent;
        ShardAction deed = deeds[shard];
        if (last != null && deed != null && last.pushId() == pushId && deed.outcome == PushResult.Outcome.ACCUMULATED) {
            deeds[shard] = new ShardAction(PushResult.Outcome.APPLIED, version, deed.before);
        }
    }

    /**
     * What a shard did.
     *
     * @param version that it had then
     * @param before what it had when it took the push; the same unless an update was made since
     */
    record ShardAction(PushResult.Outcome outcome, long version, long before) {
        /** Whether it may have answered so. Another worker may have ended the round before the answer was read. */
        boolean fits(PushResult.Outcome told, long toldVersion) {
            return (told == outcome && toldVersion == version)
                    || (outcome == PushResult.Outcome.APPLIED
                            && told == PushResult.Outcome.ACCUMULATED
                            && toldVersion == before);
        }

        @Override
        public String toString() {
            return outcome + " at version " + version;
        }
    }
}
