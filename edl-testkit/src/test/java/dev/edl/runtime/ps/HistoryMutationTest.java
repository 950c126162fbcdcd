package dev.edl.runtime.ps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.history.HistoryEvent;
import dev.edl.testkit.history.History;
import dev.edl.testkit.history.HistoryChecker;
import dev.edl.testkit.history.HistoryReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Removes or repeats each event of a valid history, and checks whether the change is detected. */
class HistoryMutationTest {
    private static final Set<String> WHAT_A_SHARD_DOES = Set.of("Accepted", "Updated", "Started");

    private static boolean noticed(List<HistoryEvent> events) {
        HistoryReport report = HistoryChecker.check(History.of(events));
        return !report.holds();
    }

    private static String kind(HistoryEvent event) {
        return event.getClass().getSimpleName();
    }

    @Test
    void omitted_shard_event_is_detected_anywhere() throws Exception {
        List<HistoryEvent> honest = new ObservedRun().events();
        assertThat(noticed(honest)).isFalse();
        Map<String, Integer> unnoticed = new TreeMap<>();
        for (int i = 1; i < honest.size(); i++) {
            List<HistoryEvent> events = new ArrayList<>(honest);
            events.remove(i);
            if (!noticed(events)) {
                unnoticed.merge(kind(honest.get(i)), 1, Integer::sum);
            }
        }

        assertThat(unnoticed.keySet()).doesNotContainAnyElementsOf(WHAT_A_SHARD_DOES);
        // A worker that dies receives nothing more, and a missing event without effect is not detected.
        assertThat(unnoticed.keySet())
                .isSubsetOf("Answered", "Confirmed", "Ended", "Pulled", "Saved", "Stopped", "TaskCompleted");
    }

    @Test
    void duplicated_shard_event_is_detected_anywhere() throws Exception {
        List<HistoryEvent> honest = new ObservedRun().events();
        Set<String> unnoticed = new TreeSet<>();
        for (int i = 1; i < honest.size(); i++) {
            List<HistoryEvent> events = new ArrayList<>(honest);
            events.add(i, honest.get(i));
            if (!noticed(events)) {
                unnoticed.add(kind(honest.get(i)));
            }
        }

        assertThat(unnoticed).doesNotContainAnyElementsOf(WHAT_A_SHARD_DOES);
    }

    @Test
    void swapped_adjacent_shard_events_are_detected() throws Exception {
        List<HistoryEvent> honest = new ObservedRun().events();
        for (int i = 1; i + 1 < honest.size(); i++) {
            if (honest.get(i) instanceof HistoryEvent.Accepted first
                    && honest.get(i + 1) instanceof HistoryEvent.Updated second
                    && first.shard() == second.shard()) {
                List<HistoryEvent> events = new ArrayList<>(honest);
                events.set(i, second);
                events.set(i + 1, first);
                assertThat(noticed(events)).as("events %d and %d", i + 1, i + 2).isTrue();
            }
        }
    }
}
