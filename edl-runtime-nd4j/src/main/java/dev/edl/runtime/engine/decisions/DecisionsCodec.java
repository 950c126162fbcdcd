package dev.edl.runtime.engine.decisions;

import dev.edl.runtime.engine.decisions.CallbackEvent.Checkpointed;
import dev.edl.runtime.engine.decisions.CallbackEvent.Ended;
import dev.edl.runtime.engine.decisions.CallbackEvent.Evaluated;
import dev.edl.runtime.proof.TaskType;
import dev.edl.runtime.ps.ports.DecisionRecord;
import dev.edl.runtime.task.RangeFailureCount;
import dev.edl.runtime.task.RecordRange;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Binary codec of {@link Decisions}: the format number, then the record components in order. Numbers are in base 128.
 * The bytes of a double are reversed first, so that an integral value takes few bytes.
 */
public final class DecisionsCodec {
    /** Key of a checkpoint's metadata entry with the masters' decisions, in base 64. */
    public static final String ENTRY = "decisions";

    private static final int FORMAT = 2;

    private static final int EVALUATED = 1;
    private static final int CHECKPOINTED = 2;
    private static final int ENDED = 3;
    private static final List<TaskType> TYPES = List.of(TaskType.TRAINING, TaskType.EVALUATION, TaskType.PREDICTION);

    private DecisionsCodec() {}

    /**
     * Encodes decisions.
     *
     * @throws DecisionsTooLargeException if they exceed {@link DecisionRecord#MAX_BYTES}
     */
    public static byte[] encode(Decisions decisions) {
        VarintEncoder out = new VarintEncoder();
        Map<String, Integer> sizes = new LinkedHashMap<>();
        out.put((byte) FORMAT);
        optional(out, decisions.stop().isPresent());
        decisions.stop().ifPresent(out::text);
        optional(out, decisions.stopAnnounced());
        sizes.put("the reason of the stop", out.size());
        out.signed(decisions.asked().allUpTo())
                .unsigned(decisions.asked().newest().size());
        long last = 0;
        for (long version : decisions.asked().newest()) {
            out.unsigned(version - last);
            last = version;
        }
        out.unsigned(decisions.open().size());
        decisions.open().forEach(each -> evaluation(out, each));
        optional(out, decisions.newest().isPresent());
        decisions.newest().ifPresent(result -> evaluated(out, result));
        optional(out, decisions.best().isPresent());
        decisions.best().ifPresent(best -> figures(out.unsigned(best.version()), best.metrics()));
        out.unsigned(decisions.calls().size());
        decisions.calls().forEach(call -> call(out, call));
        out.unsigned(decisions.failures().size());
        decisions.failures().forEach(failed -> failures(out, failed));
        out.text(decisions.announced());
        sizes.put("evaluations, calls and failures", out.size() - total(sizes));
        out.unsigned(decisions.callbacks().size());
        new TreeMap<>(decisions.callbacks()).forEach((callback, state) -> {
            int before = out.size();
            out.text(callback).text(state.state()).unsigned(state.steps());
            sizes.put("the state of " + callback, out.size() - before);
        });
        out.unsigned(decisions.began());
        if (out.size() > DecisionRecord.MAX_BYTES) {
            throw new DecisionsTooLargeException(out.size(), sizes);
        }
        return out.toBytes();
    }

    private static int total(Map<String, Integer> sizes) {
        return sizes.values().stream().mapToInt(Integer::intValue).sum();
    }

    private static void optional(VarintEncoder out, boolean present) {
        out.put((byte) (present ? 1 : 0));
    }

    private static void number(VarintEncoder out, double value) {
        out.signed(Long.reverseBytes(Double.doubleToLongBits(value)));
    }

    private static void figures(VarintEncoder out, Map<String, Double> figures) {
        out.unsigned(figures.size());
        figures.forEach((name, value) -> number(out.text(name), value));
    }

    private static void evaluated(VarintEncoder out, Evaluated result) {
        figures(out.unsigned(result.version()).signed(result.lives()), result.metrics());
    }

    private static void evaluation(VarintEncoder out, OpenEvaluation open) {
        out.unsigned(open.version()).signed(open.lives()).unsigned(open.merged());
        sums(out, open.total());
        out.unsigned(open.early().size());
        new TreeMap<>(open.early())
                .forEach((first, part) -> sums(out.unsigned(first).unsigned(part.behind()), part.sums()));
    }

    private static void sums(VarintEncoder out, MetricTotals totals) {
        out.unsigned(totals.values().length);
        for (double[] metric : totals.values()) {
            out.unsigned(metric.length);
            for (double sum : metric) {
                number(out, sum);
            }
        }
    }

    private static void call(VarintEncoder out, PendingCallback call) {
        if (call.what() instanceof Evaluated result) {
            evaluated(out.put((byte) EVALUATED), result);
        } else if (call.what() instanceof Checkpointed written) {
            out.put((byte) CHECKPOINTED).unsigned(written.version()).text(written.directory());
        } else {
            out.put((byte) ENDED);
        }
        optional(out.unsigned(call.next()), call.begun());
    }

    private static void failures(VarintEncoder out, RangeFailureCount failed) {
        RecordRange range = failed.range();
        out.unsigned(TYPES.indexOf(failed.type()))
                .unsigned(failed.pass())
                .text(range.shard())
                .unsigned(range.start())
                .unsigned(range.records())
                .unsigned(failed.count());
    }

    /**
     * Decodes decisions.
     *
     * @throws IllegalArgumentException if the bytes are not decisions; the message has the expected and the found value
     */
    public static Decisions decode(byte[] bytes) {
        return decode(bytes, "a record of decisions");
    }

    /**
     * Decodes the decisions among the metadata entries of a checkpoint; empty if it has none.
     *
     * @param checkpoint path of the checkpoint, for messages
     * @throws IllegalArgumentException as {@link #decode(byte[])} does
     */
    public static Optional<Decisions> decode(Map<String, String> entries, @Nullable Path checkpoint) {
        return Optional.ofNullable(entries.get(ENTRY))
                .map(Base64.getDecoder()::decode)
                .map(bytes -> decode(bytes, "the record of decisions in " + checkpoint));
    }

    private static Decisions decode(byte[] bytes, String name) {
        try {
            if (bytes.length > DecisionRecord.MAX_BYTES) {
                throw new IllegalArgumentException(
                        "at most " + DecisionRecord.MAX_BYTES + " bytes, but they are " + bytes.length);
            }
            VarintDecoder in = new VarintDecoder(ByteBuffer.wrap(bytes));
            int format = in.get();
            if (format != FORMAT) {
                throw new IllegalArgumentException("format " + FORMAT + ", but it is " + format);
            }
            Decisions decisions = decisions(in);
            if (in.remaining() > 0) {
                throw new IllegalArgumentException("the end of the record, but " + in.remaining() + " bytes follow");
            }
            return decisions;
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(name + " is damaged: expected " + wrong.getMessage(), wrong);
        }
    }

    private static Decisions decisions(VarintDecoder in) {
        Optional<String> stop = present(in) ? Optional.of(in.text()) : Optional.empty();
        boolean stopTold = present(in);
        long allUpTo = in.signed();
        NavigableSet<Long> newest = new TreeSet<>();
        long last = 0;
        for (int n = count(in); n > 0; n--) {
            last = Math.addExact(last, in.unsigned());
            newest.add(last);
        }
        List<OpenEvaluation> open = list(in, () -> evaluation(in));
        Optional<Evaluated> result = present(in) ? Optional.of(evaluated(in)) : Optional.empty();
        Optional<BestVersion> best =
                present(in) ? Optional.of(new BestVersion(in.unsigned(), figures(in))) : Optional.empty();
        List<PendingCallback> calls = list(in, () -> new PendingCallback(happening(in), in.count(), present(in)));
        List<RangeFailureCount> failures = list(in, () -> failures(in));
        String announced = in.text();
        Map<String, CallbackState> callbacks = new TreeMap<>();
        for (int n = count(in); n > 0; n--) {
            callbacks.put(in.text(), new CallbackState(in.text(), in.unsigned()));
        }
        return new Decisions(
                stop,
                stopTold,
                new EvaluationRequests(allUpTo, newest),
                open,
                result,
                best,
                calls,
                callbacks,
                failures,
                announced,
                in.unsigned());
    }

    /**
     * Reads a count of elements of at least one byte each. Rejects a count above the remaining bytes before allocating
     * memory.
     */
    private static int count(VarintDecoder in) {
        int count = in.count();
        if (count > in.remaining()) {
            throw new IllegalArgumentException(
                    "at most " + in.remaining() + " elements in the remaining bytes, but the count is " + count);
        }
        return count;
    }

    private static <T> List<T> list(VarintDecoder in, Supplier<T> element) {
        List<T> list = new ArrayList<>();
        for (int n = count(in); n > 0; n--) {
            list.add(element.get());
        }
        return list;
    }

    private static boolean present(VarintDecoder in) {
        int flag = in.get();
        if (flag != 0 && flag != 1) {
            throw new IllegalArgumentException("0 or 1, but it is " + flag);
        }
        return flag == 1;
    }

    private static double number(VarintDecoder in) {
        return Double.longBitsToDouble(Long.reverseBytes(in.signed()));
    }

    private static Map<String, Double> figures(VarintDecoder in) {
        Map<String, Double> figures = new LinkedHashMap<>();
        for (int n = count(in); n > 0; n--) {
            figures.put(in.text(), number(in));
        }
        return figures;
    }

    private static Evaluated evaluated(VarintDecoder in) {
        return new Evaluated(in.unsigned(), in.signed(), figures(in));
    }

    private static OpenEvaluation evaluation(VarintDecoder in) {
        long version = in.unsigned();
        long lives = in.signed();
        int merged = in.count();
        MetricTotals total = sums(in);
        Map<Integer, OpenEvaluation.Part> early = new TreeMap<>();
        for (int n = count(in); n > 0; n--) {
            early.put(in.count(), new OpenEvaluation.Part(in.count(), sums(in)));
        }
        return new OpenEvaluation(version, lives, merged, total, early);
    }

    private static MetricTotals sums(VarintDecoder in) {
        double[][] values = new double[count(in)][];
        for (int i = 0; i < values.length; i++) {
            values[i] = new double[count(in)];
            for (int j = 0; j < values[i].length; j++) {
                values[i][j] = number(in);
            }
        }
        return MetricTotals.of(values);
    }

    private static CallbackEvent happening(VarintDecoder in) {
        int kind = in.get();
        return switch (kind) {
            case EVALUATED -> evaluated(in);
            case CHECKPOINTED -> new Checkpointed(in.unsigned(), in.text());
            case ENDED -> new Ended();
            default -> throw new IllegalArgumentException("a kind of call from 1 to 3, but it is " + kind);
        };
    }

    private static RangeFailureCount failures(VarintDecoder in) {
        int type = in.count();
        if (type >= TYPES.size()) {
            throw new IllegalArgumentException("a type of task below " + TYPES.size() + ", but it is " + type);
        }
        long pass = in.unsigned();
        String shard = in.text();
        long start = in.unsigned();
        long end = Math.addExact(start, in.unsigned());
        return new RangeFailureCount(TYPES.get(type), pass, new RecordRange(shard, start, end), in.count());
    }
}
