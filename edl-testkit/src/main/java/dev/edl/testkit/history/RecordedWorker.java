package dev.edl.testkit.history;

import dev.edl.runtime.history.HistoryEvent;
import dev.edl.runtime.ps.PushResult;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A worker's last pull and push, and how the shards handled the push. */
final class RecordedWorker {
    HistoryEvent.@Nullable Pulled pulled;
    HistoryEvent.@Nullable Sent sent;
    long sentAt;
    private final @Nullable ShardAction[] actions;

    RecordedWorker(int shards) {
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

    /** Records an update of a shard, if it includes the worker's last push. */
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
     * Action of a shard on a push.
     *
     * @param version the shard's version after the action
     * @param before the shard's version when it accepted the push; equals {@code version} unless an update followed
     */
    record ShardAction(PushResult.Outcome outcome, long version, long before) {
        /**
         * Returns whether the response that the worker received agrees with this action. It also agrees if another
         * worker's push ended the round before the response was read.
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
