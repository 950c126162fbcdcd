package dev.edl.runtime.history;

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
import dev.edl.runtime.ps.ShardRange;

/** Encodes events: a number for the kind, then the components in order. Numbers of kinds never change. */
final class HistoryEventWriter {
    private HistoryEventWriter() {}

    static void write(HistoryEvent event, EventEncoder out) {
        if (event instanceof Began e) {
            began(e, out.put(1));
        } else if (event instanceof Pulled e) {
            out.put(2).text(e.worker()).numbers(e.versions()).fixed(e.weights());
        } else if (event instanceof Sent e) {
            out.put(3).text(e.worker()).number(e.pushId()).numbers(e.basedOn()).fixed(e.prints());
            out.floats(e.gradient());
        } else if (event instanceof Answered e) {
            out.put(4).text(e.worker()).number(e.pushId()).number(e.outcomes().size());
            e.outcomes().forEach(outcome -> out.text(outcome.name()));
            out.numbers(e.versions()).text(e.told().name());
        } else if (event instanceof Awaited e) {
            out.put(5).text(e.worker()).number(e.pushId()).put(e.applied() ? 1 : 0);
        } else if (event instanceof Confirmed e) {
            out.put(6).number(e.first()).number(e.resumeAt());
        } else if (event instanceof Started e) {
            out.put(7).number(e.shard()).number(e.life()).number(e.version());
            out.pushes(e.applied())
                    .pushes(e.pending())
                    .fixed(e.state())
                    .fixed(e.weights())
                    .floats(e.values());
        } else if (event instanceof Accepted e) {
            out.put(8).number(e.shard()).number(e.life()).text(e.worker()).number(e.pushId());
            out.number(e.basedOn()).number(e.version()).fixed(e.print());
        } else if (event instanceof Refused e) {
            out.put(9).number(e.shard()).number(e.life()).text(e.worker()).number(e.pushId());
            out.number(e.basedOn()).number(e.version()).text(e.outcome().name());
        } else if (event instanceof Updated e) {
            out.put(10).number(e.shard()).number(e.life()).number(e.version()).numbers(e.pushes());
            out.number(Float.floatToRawIntBits(e.rate()) & 0xFFFFFFFFL).fixed(e.weights());
        } else if (event instanceof Saved e) {
            out.put(11).number(e.shard()).number(e.life()).number(e.version());
            out.pushes(e.applied()).pushes(e.pending()).fixed(e.state());
        } else if (event instanceof Stopped e) {
            out.put(12).number(e.shard()).number(e.life());
        } else if (event instanceof TaskCompleted e) {
            out.put(13).number(e.first()).number(e.count());
        } else if (event instanceof Ended e) {
            out.put(14).pushes(e.expected()).numbers(e.versions());
        }
    }

    private static void began(Began e, EventEncoder out) {
        out.number(e.ranges().size());
        for (ShardRange range : e.ranges()) {
            out.number(range.index()).number(range.offset()).number(range.length());
        }
        out.number(e.trained())
                .number(e.minibatchesPerEpoch())
                .text(e.optimizer())
                .number(e.staleness());
        out.number(e.gradsToWait()).text(e.detail().name());
    }
}
