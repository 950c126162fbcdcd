package dev.edl.testkit.history;

import dev.edl.runtime.history.HistoryEvent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** State that the checks of workers, shards and master share while a history is checked. */
final class HistoryCheckContext {
    final HistoryEvent.Began began;
    final ViolationCollector violations;
    final List<RecordedShardLives> shards;
    final HistoryReplay replay;
    private final Map<String, RecordedWorker> workers = new HashMap<>();

    HistoryCheckContext(HistoryEvent.Began began, ViolationCollector violations) {
        this.began = began;
        this.violations = violations;
        this.shards = IntStream.range(0, began.ranges().size())
                .mapToObj(RecordedShardLives::new)
                .toList();
        this.replay = new HistoryReplay(began, violations);
    }

    RecordedWorker worker(String name) {
        return workers.computeIfAbsent(name, n -> new RecordedWorker(shards.size()));
    }
}
