package dev.edl.runtime.task;

import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.proof.TaskType;
import dev.edl.runtime.task.LedgerEvent.BegunAnew;
import dev.edl.runtime.task.LedgerEvent.Completed;
import dev.edl.runtime.task.LedgerEvent.EpochStarted;
import dev.edl.runtime.task.LedgerEvent.EvaluationLost;
import dev.edl.runtime.task.LedgerEvent.EvaluationQueued;
import dev.edl.runtime.task.LedgerEvent.EvaluationResumed;
import dev.edl.runtime.task.LedgerEvent.Failed;
import dev.edl.runtime.task.LedgerEvent.GivenBack;
import dev.edl.runtime.task.LedgerEvent.LateReport;
import dev.edl.runtime.task.LedgerEvent.Leased;
import dev.edl.runtime.task.LedgerEvent.Reason;
import dev.edl.runtime.task.LedgerEvent.Rebuilt;
import dev.edl.runtime.task.LedgerEvent.Recalled;
import dev.edl.runtime.task.LedgerEvent.Recovered;
import dev.edl.runtime.task.LedgerEvent.Reinstated;
import dev.edl.runtime.task.LedgerEvent.Reopened;
import dev.edl.runtime.task.LedgerEvent.Resumed;
import dev.edl.runtime.task.LedgerEvent.ResumedEpoch;
import dev.edl.runtime.task.LedgerEvent.Stopped;
import dev.edl.runtime.task.LedgerEvent.Touched;
import dev.edl.runtime.task.internal.Decoder;
import dev.edl.runtime.task.internal.Encoder;
import dev.edl.runtime.task.internal.Ranges;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Binary codec of ledger events: one byte for the kind, then the components in order.
 *
 * <p>A task is encoded with the index of its shard in the spec, without values that follow from the spec; a typical
 * event has about 20 bytes. The numbers of the kinds are part of the file format. They never change; new kinds get new
 * numbers.
 */
final class LedgerEventCodec {
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
    private static final int EVALUATION_RESUMED = 13;
    private static final int EVALUATION_LOST = 14;
    private static final int REINSTATED = 15;
    private static final int REBUILT = 16;
    private static final int BEGUN_ANEW = 17;
    private static final int RECALLED = 18;

    private static final List<Reason> REASONS =
            List.of(Reason.GONE, Reason.EXPIRED, Reason.SUPERSEDED, Reason.REOPENED);

    private final LedgerSpec spec;
    private final int trainingMinibatches;
    private final int evaluationMinibatches;
    private final Map<String, Integer> trainingIndex = new HashMap<>();
    private final Map<String, Integer> evaluationIndex = new HashMap<>();

    LedgerEventCodec(LedgerSpec spec) {
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
            task(out.put((byte) LEASED), e.task()).text(e.worker()).duration(e.at());
        } else if (event instanceof Touched e) {
            out.put((byte) TOUCHED).unsigned(e.taskId()).duration(e.at());
        } else if (event instanceof Completed e) {
            task(out.put((byte) COMPLETED), e.task()).duration(e.at());
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
                ranges(out, trainingIndex, epoch.completed());
                ranges(out, trainingIndex, epoch.begun());
            });
        } else if (event instanceof Stopped e) {
            out.put((byte) STOPPED).text(e.reason());
        } else if (event instanceof Recalled e) {
            task(out.put((byte) RECALLED), e.task());
        } else if (event instanceof EvaluationResumed e) {
            ranges(out.put((byte) EVALUATION_RESUMED).unsigned(e.modelVersion()), evaluationIndex, e.known());
        } else if (event instanceof EvaluationLost e) {
            out.put((byte) EVALUATION_LOST).unsigned(e.modelVersion());
        } else if (event instanceof Reinstated e) {
            ranges(out.put((byte) REINSTATED).unsigned(e.epoch()), trainingIndex, e.ranges());
        } else if (event instanceof Rebuilt e) {
            out.put((byte) REBUILT).unsigned(e.failures().size());
            e.failures().forEach(failed -> failures(out, failed));
        } else if (event instanceof BegunAnew) {
            out.put((byte) BEGUN_ANEW);
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
        ranges(out.unsigned(event.epoch()), trainingIndex, event.completed());
        out.unsigned(event.leased().size());
        event.leased().forEach(out::unsigned);
    }

    private static void failures(Encoder out, TaskFailures failed) {
        boolean trains = failed.type() == TaskType.TRAINING;
        out.put((byte) (trains ? 0 : 1))
                .unsigned(failed.pass())
                .text(failed.range().shard())
                .unsigned(failed.range().start())
                .unsigned(failed.range().records())
                .unsigned(failed.count());
    }

    private static void ranges(Encoder out, Map<String, Integer> places, List<RecordRange> ranges) {
        out.unsigned(ranges.size());
        ranges.forEach(range -> out.unsigned(place(places, range.shard()))
                .unsigned(range.start())
                .unsigned(range.records()));
    }

    /**
     * Decodes an event.
     *
     * @throws IllegalArgumentException if the bytes are no event; the message continues the caller's text "cannot be
     *     read: expected "
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
            case LEASED -> new Leased(task(in), in.text(), in.duration());
            case TOUCHED -> new Touched(in.count(), in.duration());
            case COMPLETED -> new Completed(task(in), in.duration());
            case GIVEN_BACK -> new GivenBack(task(in));
            case FAILED -> new Failed(task(in), in.text());
            case RECOVERED -> new Recovered(task(in), at(REASONS, in.count(), "reason"));
            case LATE_REPORT -> new LateReport((int) in.signed());
            case REOPENED -> reopened(in);
            case RESUMED -> resumed(in);
            case STOPPED -> new Stopped(in.text());
            case RECALLED -> new Recalled(task(in));
            case EVALUATION_RESUMED -> new EvaluationResumed(in.unsigned(), ranges(in, spec.evaluationShards()));
            case EVALUATION_LOST -> new EvaluationLost(in.unsigned());
            case REINSTATED -> new Reinstated(in.count(), ranges(in, spec.trainingShards()));
            case REBUILT -> rebuilt(in);
            case BEGUN_ANEW -> new BegunAnew();
            default -> throw new IllegalArgumentException("an event kind from 1 to 18, but it is " + kind);
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
        List<RecordRange> completed = ranges(in, spec.trainingShards());
        List<Integer> leased = new ArrayList<>();
        for (int n = in.count(); n > 0; n--) {
            leased.add(in.count());
        }
        return new Reopened(epoch, completed, leased);
    }

    private Resumed resumed(Decoder in) {
        List<ResumedEpoch> epochs = new ArrayList<>();
        for (int n = in.count(); n > 0; n--) {
            epochs.add(new ResumedEpoch(ranges(in, spec.trainingShards()), ranges(in, spec.trainingShards())));
        }
        return new Resumed(epochs);
    }

    private Rebuilt rebuilt(Decoder in) {
        List<TaskFailures> failures = new ArrayList<>();
        for (int n = in.count(); n > 0; n--) {
            TaskType type = in.get() == 0 ? TaskType.TRAINING : spec.evaluationType();
            long pass = in.unsigned();
            String shard = in.text();
            long start = in.unsigned();
            failures.add(
                    new TaskFailures(type, pass, new RecordRange(shard, start, start + in.unsigned()), in.count()));
        }
        return new Rebuilt(failures);
    }

    private static List<RecordRange> ranges(Decoder in, List<DataShard> shards) {
        List<RecordRange> ranges = new ArrayList<>();
        for (int n = in.count(); n > 0; n--) {
            DataShard shard = at(shards, in.count(), "shard");
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
