package dev.edl.testkit.history;

import dev.edl.runtime.HistoryDetail;
import dev.edl.runtime.history.HistoryEvent;
import dev.edl.runtime.history.HistoryEvent.Accepted;
import dev.edl.runtime.history.HistoryEvent.Answered;
import dev.edl.runtime.history.HistoryEvent.Awaited;
import dev.edl.runtime.history.HistoryEvent.Began;
import dev.edl.runtime.history.HistoryEvent.Confirmed;
import dev.edl.runtime.history.HistoryEvent.Ended;
import dev.edl.runtime.history.HistoryEvent.Pulled;
import dev.edl.runtime.history.HistoryEvent.Refused;
import dev.edl.runtime.history.HistoryEvent.Saved;
import dev.edl.runtime.history.HistoryEvent.Sent;
import dev.edl.runtime.history.HistoryEvent.Started;
import dev.edl.runtime.history.HistoryEvent.Stopped;
import dev.edl.runtime.history.HistoryEvent.TaskCompleted;
import dev.edl.runtime.history.HistoryEvent.Updated;
import dev.edl.runtime.ps.PushResult;
import dev.edl.runtime.ps.ShardRange;
import java.util.ArrayList;
import java.util.List;

/** Decodes recorded events: a number for the kind, then the components in order. Numbers of kinds never change. */
final class HistoryEventReader {
    private HistoryEventReader() {}

    /**
     * Decodes one event.
     *
     * @throws IllegalArgumentException if the bytes are not an event; the message has the expected value
     */
    static HistoryEvent read(byte[] bytes) {
        EventDecoder in = new EventDecoder(bytes);
        HistoryEvent event = read(in.get(), in);
        in.end();
        return event;
    }

    private static HistoryEvent read(int kind, EventDecoder in) {
        return switch (kind) {
            case 1 -> began(in);
            case 2 -> new Pulled(in.text(), in.numbers(), in.fixedNumbers());
            case 3 -> new Sent(in.text(), in.number(), in.numbers(), in.fixedNumbers(), in.floats());
            case 4 -> new Answered(in.text(), in.number(), outcomes(in), in.numbers(), outcome(in));
            case 5 -> new Awaited(in.text(), in.number(), in.get() != 0);
            case 6 -> new Confirmed(in.number(), in.number());
            case 7 ->
                new Started(
                        in.integer(),
                        in.integer(),
                        in.number(),
                        in.pushes(),
                        in.pushes(),
                        in.fixed(),
                        in.fixed(),
                        in.floats());
            case 8 ->
                new Accepted(in.integer(), in.integer(), in.text(), in.number(), in.number(), in.number(), in.fixed());
            case 9 ->
                new Refused(in.integer(), in.integer(), in.text(), in.number(), in.number(), in.number(), outcome(in));
            case 10 ->
                new Updated(
                        in.integer(),
                        in.integer(),
                        in.number(),
                        in.numbers(),
                        Float.intBitsToFloat((int) in.number()),
                        in.fixed());
            case 11 -> new Saved(in.integer(), in.integer(), in.number(), in.pushes(), in.pushes(), in.fixed());
            case 12 -> new Stopped(in.integer(), in.integer());
            case 13 -> new TaskCompleted(in.number(), in.integer());
            case 14 -> new Ended(in.pushes(), in.numbers());
            default -> throw new IllegalArgumentException("a kind of event from 1 to 14, but it is " + kind);
        };
    }

    private static Began began(EventDecoder in) {
        int shards = in.integer();
        List<ShardRange> ranges = new ArrayList<>();
        for (int i = 0; i < shards; i++) {
            ranges.add(new ShardRange(in.integer(), in.integer(), in.integer()));
        }
        return new Began(
                ranges,
                in.integer(),
                in.integer(),
                in.text(),
                in.number(),
                in.integer(),
                in.oneOf(HistoryDetail.values()));
    }

    private static List<PushResult.Outcome> outcomes(EventDecoder in) {
        int count = in.integer();
        List<PushResult.Outcome> outcomes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            outcomes.add(outcome(in));
        }
        return outcomes;
    }

    private static PushResult.Outcome outcome(EventDecoder in) {
        return in.oneOf(PushResult.Outcome.values());
    }
}
