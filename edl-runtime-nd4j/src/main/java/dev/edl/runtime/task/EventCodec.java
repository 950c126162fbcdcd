package dev.edl.runtime.task;

import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.task.LedgerEvent.Completed;
import dev.edl.runtime.task.LedgerEvent.EpochStarted;
import dev.edl.runtime.task.LedgerEvent.EvaluationQueued;
import dev.edl.runtime.task.LedgerEvent.Failed;
import dev.edl.runtime.task.LedgerEvent.GivenBack;
import dev.edl.runtime.task.LedgerEvent.LateReport;
import dev.edl.runtime.task.LedgerEvent.Leased;
import dev.edl.runtime.task.LedgerEvent.Reason;
import dev.edl.runtime.task.LedgerEvent.Recovered;
import dev.edl.runtime.task.LedgerEvent.Reopened;
import dev.edl.runtime.task.LedgerEvent.Resumed;
import dev.edl.runtime.task.LedgerEvent.ResumedEpoch;
import dev.edl.runtime.task.LedgerEvent.Stopped;
import dev.edl.runtime.task.LedgerEvent.Touched;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Events as bytes: one byte for the kind, then the components in their order.
 *
 * <p>A task names its shard by its place in the spec, and leaves out what the spec says; a typical entry has some 20
 * bytes. The kinds' numbers are part of the file format: they never change, new kinds get new ones.
 */
final class EventCodec {
    private static final int EPOCH_STARTED = 1;
    private static final int EVALUATION_QUEUED = 2;
    private static final int LEASED = 3;
    private static final int TOUCHED = 4;
    private static final int COMPLETED = 5;
    private static final int GIVEN_BACK = 6;
    private static final int FAILED = 7;
    private static final int RECOVERED = 8;
    private static final int LATE_REPORT = 9;
    private static final int REOPENED = 10;
    private static final int RESUMED = 11;
    private static final int STOPPED = 12;

    private static final List<Reason> REASONS =
            List.of(Reason.GONE, Reason.EXPIRED, Reason.SUPERSEDED, Reason.REOPENED);

    private final LedgerSpec spec;
    private final int trainingMinibatches;
    private final int evaluationMinibatches;
    private final Map<String, Integer> trainingIndex = new HashMap<>();
    private final Map<String, Integer> evaluationIndex = new HashMap<>();

    EventCodec(LedgerSpec spec) {
        this.spec = spec;
        this.trainingMinibatches = Ranges.training(spec).minibatches();
        this.evaluationMinibatches = Ranges.evaluation(spec).minibatches();
        index(spec.trainingShards(), trainingIndex);
        index(spec.evaluationShards(), evaluationIndex);
    }

    private static void index(List<DataShard> shards, Map<String, Integer> places) {
        for (DataShard shard : shards) {
            places.put(shard.name(), places.size());
        }
    }

    void encode(LedgerEvent event, Encoder out) {
        if (event instanceof EpochStarted e) {
            out.put((byte) EPOCH_STARTED).unsigned(e.epoch());
        } else if (event instanceof EvaluationQueued e) {
            out.put((byte) EVALUATION_QUEUED).unsigned(e.modelVersion());
        } else if (event instanceof Leased e) {
            task(out.put((byte) LEASED), e.task()).text(e.worker()).instant(e.at());
        } else if (event instanceof Touched e) {
            out.put((byte) TOUCHED).unsigned(e.taskId()).instant(e.at());
        } else if (event instanceof Completed e) {
            task(out.put((byte) COMPLETED), e.task()).instant(e.at());
        } else if (event instanceof GivenBack e) {
            task(out.put((byte) GIVEN_BACK), e.task());
        } else if (event instanceof Failed e) {
            task(out.put((byte) FAILED), e.task()).text(e.message());
        } else if (event instanceof Recovered e) {
            task(out.put((byte) RECOVERED), e.task()).unsigned(REASONS.indexOf(e.reason()));
        } else if (event instanceof LateReport e) {
            out.put((byte) LATE_REPORT).signed(e.taskId());
        } else if (event instanceof Reopened e) {
            reopened(out.put((byte) REOPENED), e);
        } else if (event instanceof Resumed e) {
            out.put((byte) RESUMED).unsigned(e.epochs().size());
            e.epochs().forEach(epoch -> {
                ranges(out, epoch.completed());
                ranges(out, epoch.begun());
            });
        } else if (event instanceof Stopped e) {
            out.put((byte) STOPPED).text(e.reason());
        } else {
            throw new IllegalArgumentException("an event without a file format: " + event);
        }
    }

    private Encoder task(Encoder out, Task task) {
        boolean trains = task.type() == TaskType.TRAINING;
        return out.unsigned(task.id())
                .put((byte) (trains ? 0 : 1))
                .unsigned(trains ? task.epoch() : task.modelVersion())
                .unsigned(place(trains ? trainingIndex : evaluationIndex, task.shard()))
                .unsigned(task.start())
                .unsigned(task.records())
                .unsigned(task.firstMinibatch())
                .unsigned(task.attempt());
    }

    private static int place(Map<String, Integer> places, String shard) {
        Integer place = places.get(shard);
        if (place == null) {
            throw new IllegalArgumentException("the spec has no shard \"" + shard + "\"");
        }
        return place;
    }

    private void reopened(Encoder out, Reopened event) {
        ranges(out.unsigned(event.epoch()), event.completed());
        out.unsigned(event.leased().size());
        event.leased().forEach(out::unsigned);
    }

    private void ranges(Encoder out, List<RecordRange> ranges) {
        out.unsigned(ranges.size());
        ranges.forEach(range -> out.unsigned(place(trainingIndex, range.shard()))
                .unsigned(range.start())
                .unsigned(range.records()));
    }

    /**
     * The event in these bytes.
     *
     * @throws IllegalArgumentException when they are none; the message reads "expected ..., but ..." behind "expected"
     */
    LedgerEvent decode(ByteBuffer bytes) {
        Decoder in = new Decoder(bytes);
        LedgerEvent event = decode(in);
        if (in.remaining() > 0) {
            throw new IllegalArgumentException("the end of the entry, but " + in.remaining() + " bytes follow");
        }
        return event;
    }

    private LedgerEvent decode(Decoder in) {
        int kind = in.get();
        return switch (kind) {
            case EPOCH_STARTED -> new EpochStarted(in.count());
            case EVALUATION_QUEUED -> new EvaluationQueued(in.unsigned());
            case LEASED -> new Leased(task(in), in.text(), in.instant());
            case TOUCHED -> new Touched(in.count(), in.instant());
            case COMPLETED -> new Completed(task(in), in.instant());
            case GIVEN_BACK -> new GivenBack(task(in));
            case FAILED -> new Failed(task(in), in.text());
            case RECOVERED -> new Recovered(task(in), at(REASONS, in.count(), "reason"));
            case LATE_REPORT -> new LateReport((int) in.signed());
            case REOPENED -> reopened(in);
            case RESUMED -> resumed(in);
            case STOPPED -> new Stopped(in.text());
            default -> throw new IllegalArgumentException("an event kind from 1 to 12, but it is " + kind);
        };
    }

    private Task task(Decoder in) {
        int id = in.count();
        boolean trains = in.get() == 0;
        long pass = in.unsigned();
        DataShard shard = at(trains ? spec.trainingShards() : spec.evaluationShards(), in.count(), "shard");
        long start = in.unsigned();
        long end = start + in.unsigned();
        return new Task(
                id,
                trains ? TaskType.TRAINING : spec.evaluationType(),
                trains ? Math.toIntExact(pass) : -1,
                trains ? -1 : pass,
                shard.name(),
                start,
                end,
                spec.minibatchSize(),
                in.count(),
                trains ? trainingMinibatches : evaluationMinibatches,
                in.count());
    }

    private Reopened reopened(Decoder in) {
        int epoch = in.count();
        List<RecordRange> completed = ranges(in);
        List<Integer> leased = new ArrayList<>();
        for (int n = in.count(); n > 0; n--) {
            leased.add(in.count());
        }
        return new Reopened(epoch, completed, leased);
    }

    private Resumed resumed(Decoder in) {
        List<ResumedEpoch> epochs = new ArrayList<>();
        for (int n = in.count(); n > 0; n--) {
            epochs.add(new ResumedEpoch(ranges(in), ranges(in)));
        }
        return new Resumed(epochs);
    }

    private List<RecordRange> ranges(Decoder in) {
        List<RecordRange> ranges = new ArrayList<>();
        for (int n = in.count(); n > 0; n--) {
            DataShard shard = at(spec.trainingShards(), in.count(), "shard");
            long start = in.unsigned();
            ranges.add(new RecordRange(shard.name(), start, start + in.unsigned()));
        }
        return ranges;
    }

    private static <T> T at(List<T> list, int index, String what) {
        if (index >= list.size()) {
            throw new IllegalArgumentException("a " + what + " below " + list.size() + ", but it is " + index);
        }
        return list.get(index);
    }
}
