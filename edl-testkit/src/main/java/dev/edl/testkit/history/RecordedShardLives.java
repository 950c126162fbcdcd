package dev.edl.testkit.history;

import dev.edl.runtime.history.PushSet;
import dev.edl.runtime.ps.ShardSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** All lives of one shard, and the states that a later life may start from. */
final class RecordedShardLives {
    final int shard;
    final List<RecordedShardLife> all = new ArrayList<>();
    final List<State> states = new ArrayList<>();
    final PushBitSet lost = new PushBitSet();

    RecordedShardLives(int shard) {
        this.shard = shard;
    }

    @Nullable
    RecordedShardLife life(int number) {
        return all.stream().filter(life -> life.number == number).findFirst().orElse(null);
    }

    boolean any(Predicate<RecordedShardLife> condition) {
        return all.stream().anyMatch(condition);
    }

    /** Returns whether a life of the shard that has not ended holds a push. */
    boolean holds(long pushId) {
        return any(life -> !life.stopped && life.holds(pushId));
    }

    /** Returns the newest recorded state of the shard with this version, these pushes and this fingerprint. */
    Optional<State> state(long version, PushSet applied, PushSet pending, long print) {
        return newest(state -> state.version == version
                && state.print == print
                && state.applied.equals(applied)
                && state.pending.equals(pending));
    }

    Optional<State> newest(Predicate<State> condition) {
        for (int i = states.size() - 1; i >= 0; i--) {
            if (condition.test(states.get(i))) {
                return Optional.of(states.get(i));
            }
        }
        return Optional.empty();
    }

    /**
     * State of the shard from which a later life may start.
     *
     * @param event number of the event that recorded the state
     * @param replay replayed state that corresponds to it; null if the life was not replayed
     */
    record State(
            long event,
            RecordedShardLife life,
            long version,
            PushSet applied,
            PushSet pending,
            long print,
            @Nullable ShardSnapshot replay) {}
}
