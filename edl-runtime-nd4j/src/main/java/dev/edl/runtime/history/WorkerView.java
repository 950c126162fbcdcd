package dev.edl.runtime.history;

import dev.edl.runtime.ps.PushResult;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What a worker has pulled and sent last, and what the shards have done with that. */
final class WorkerView {
    HistoryEvent.@Nullable Pulled pulled;
    HistoryEvent.@Nullable Sent sent;
    long sentAt;
    private final @Nullable ShardAction[] actions;

    WorkerView(int shards) {
        this.actions = new ShardAction[shards];
    }

    void send(HistoryEvent.Sent next, long event) {
        sent = next;
        sentAt = event;
        Arrays.fill(actions, null);
    }

    void done(int shard, ShardAction action) {
        actions[shard] = action;
    }

    @Nullable
    ShardAction deed(int shard) {
        return actions[shard];
    }

    /** A shard made an update of a round; if what was sent last is in it, that is what the shard did with it. */
    void updated(int shard, long pushId, long version) {
        HistoryEvent.Sent last = sent;
        ShardAction action = actions[shard];
        if (last != null
                && action != null
                && last.pushId() == pushId
                && action.outcome == PushResult.Outcome.ACCUMULATED) {
            actions[shard] = new ShardAction(PushResult.Outcome.APPLIED, version, action.before);
        }
    }

    /**
     * What a shard did.
     *
     * @param version that it had then
     * @param before what it had when it took the push; the same unless an update was made since
     */
    record ShardAction(PushResult.Outcome outcome, long version, long before) {
        /**
         * Returns whether it may have answered so. Another worker may have ended the round before the answer was read.
         */
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
