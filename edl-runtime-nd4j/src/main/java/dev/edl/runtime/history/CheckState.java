package dev.edl.runtime.history;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** What the rules of the observers share. */
final class CheckState {
    final HistoryEvent.Began began;
    final Findings found;
    final List<ShardLives> shards;
    final Replay replay;
    private final Map<String, WorkerView> workers = new HashMap<>();

    CheckState(HistoryEvent.Began began, Findings found) {
        this.began = began;
        this.found = found;
        this.shards = IntStream.range(0, began.ranges().size())
                .mapToObj(ShardLives::new)
                .toList();
        this.replay = new Replay(began, found);
    }

    WorkerView worker(String name) {
        return workers.computeIfAbsent(name, n -> new WorkerView(shards.size()));
    }
}
