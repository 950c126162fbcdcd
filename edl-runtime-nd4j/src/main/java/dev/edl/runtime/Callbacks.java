package dev.edl.runtime;

import dev.edl.runtime.ps.ShardCut;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The callbacks of one run, and what is to be told to them. It outlives a master: the next one tells what is left.
 *
 * <p>Anybody may say that something happened; only the master's thread calls.
 */
final class Callbacks {
    private static final String WORD = "callback.";

    private final List<TrainingCallback> callbacks = new ArrayList<>();
    private final List<String> words = new ArrayList<>();
    private final long[] told;
    private final Deque<Call> queue = new ArrayDeque<>();
    private final Map<String, String> states = new TreeMap<>();
    private @Nullable TrainedModel kept;
    private Map<String, Double> keptMetrics = Map.of();
    private boolean ended;

    /** One event, to be told to all callbacks. */
    private record Call(String what, Told told, TrainingControl.@Nullable Source model) {}

    /** Tells one callback. */
    @FunctionalInterface
    private interface Told {
        void to(TrainingCallback callback, TrainingControl control) throws Exception;
    }

    /**
     * Callbacks that begin a run.
     *
     * @param before words of the checkpoint that it goes on from; none for a run from the start
     * @param version of that checkpoint; 0 for a run from the start
     */
    Callbacks(List<TrainingCallback> given, Map<String, String> before, long version) {
        for (int i = 0; i < given.size(); i++) {
            String word = WORD + i + "." + given.get(i).getClass().getName();
            words.add(word);
            TrainingCallback begun = given.get(i).begin(before.getOrDefault(word, ""));
            if (begun == null) {
                throw new InvalidTrainingException(List.of("the callback " + name(given.get(i))
                        + " must begin a run with a callback, which may be itself; begin(...) was null"));
            }
            callbacks.add(begun);
        }
        told = new long[callbacks.size()];
        for (int i = 0; i < told.length; i++) {
            long every = callbacks.get(i).everySteps();
            if (every < 0) {
                throw new InvalidTrainingException(List.of(everySteps(callbacks.get(i), every)));
            }
            told[i] = every > 0 ? version / every : 0;
        }
        try {
            remember();
        } catch (TrainingFailedException mistake) {
            throw new InvalidTrainingException(List.of(Reason.of(mistake)));
        }
    }

    /** What keeps a callback from being used in a training. */
    static List<String> problems(TrainingCallback callback, Training training) {
        List<String> problems = new ArrayList<>();
        try {
            problems.addAll(callback.problems(training));
            long every = callback.everySteps();
            if (every < 0) {
                problems.add(everySteps(callback, every));
            }
        } catch (RuntimeException mistake) {
            problems.add("the callback " + name(callback) + " cannot say what keeps it from being used: " + mistake);
        }
        return problems;
    }

    private static String everySteps(TrainingCallback callback, long every) {
        return "the callback " + name(callback) + ": everySteps() must be at least 0, where 0 is for never, was "
                + every;
    }

    boolean any() {
        return !callbacks.isEmpty();
    }

    synchronized void evaluated(long version, Map<String, Double> metrics, TrainedModel model) {
        queue.add(new Call(
                "the evaluation of version " + version,
                (callback, control) -> callback.onEvaluation(version, metrics, control),
                () -> model));
    }

    synchronized void checkpointed(long version, Path directory) {
        queue.add(new Call(
                "the checkpoint of version " + version,
                (callback, control) -> callback.onCheckpoint(version, directory, control),
                null));
    }

    /** Calls for all that has happened, on the master's thread. */
    void deliver(TrainingServices services, TrainingMaster master) throws InterruptedException {
        TrainingControl.Source now = () -> {
            ShardCut cut = services.shards().cut();
            return TrainedModel.of(services.training().model(), cut.model());
        };
        for (Call next = next(); next != null; next = next()) {
            Call due = next;
            TrainingControl control = new TrainingControl(services, master, due.model() == null ? now : due.model());
            for (TrainingCallback callback : callbacks) {
                call(callback, due.what(), () -> due.told().to(callback, control));
            }
        }
        long step = callbacks.isEmpty() ? 0 : services.step();
        for (int i = 0; i < callbacks.size(); i++) {
            TrainingCallback callback = callbacks.get(i);
            long every = callback.everySteps();
            if (every > 0 && step / every > told[i]) {
                told[i] = step / every;
                call(
                        callback,
                        "version " + step,
                        () -> callback.onStep(step, new TrainingControl(services, master, now)));
            }
        }
    }

    private synchronized @Nullable Call next() {
        return queue.poll();
    }

    /** Tells of the end, once. */
    void end(TrainingResult result) throws InterruptedException {
        if (ended) {
            return;
        }
        ended = true;
        for (TrainingCallback callback : callbacks) {
            call(callback, "the end", () -> callback.onEnd(result));
        }
    }

    @FunctionalInterface
    private interface Body {
        void run() throws Exception;
    }

    private void call(TrainingCallback callback, String what, Body body) throws InterruptedException {
        try {
            body.run();
        } catch (InterruptedException | ReplicaStopped | MasterGone stop) {
            throw stop;
        } catch (Throwable mistake) {
            throw new TrainingFailedException(
                    "the callback " + name(callback) + " failed on " + what + ": " + Reason.of(mistake), mistake);
        }
        remember();
    }

    private static String name(TrainingCallback callback) {
        String text = callback.toString();
        // An object without a toString of its own says its class and a number that means nothing to people.
        return text.equals(callback.getClass().getName() + "@" + Integer.toHexString(callback.hashCode()))
                ? callback.getClass().getName()
                : text;
    }

    private static String stateOf(TrainingCallback callback) {
        String state;
        try {
            state = callback.state();
        } catch (RuntimeException mistake) {
            throw new TrainingFailedException(
                    "the callback " + name(callback) + " failed on state(): " + Reason.of(mistake), mistake);
        }
        if (state == null) {
            throw new TrainingFailedException("the callback " + name(callback)
                    + " must give what it remembers, an empty text for nothing; state() was null");
        }
        return state;
    }

    private void remember() {
        Map<String, String> now = new TreeMap<>();
        for (int i = 0; i < callbacks.size(); i++) {
            String state = stateOf(callbacks.get(i));
            if (!state.isEmpty()) {
                now.put(words.get(i), state);
            }
        }
        synchronized (this) {
            states.clear();
            states.putAll(now);
        }
    }

    /** What callbacks remember, for the words of a checkpoint. */
    synchronized Map<String, String> states() {
        return new TreeMap<>(states);
    }

    synchronized void keep(TrainedModel model, Map<String, Double> metrics) {
        kept = model;
        keptMetrics = metrics;
    }

    /** The model that is to be the result in the place of the last version. */
    synchronized Optional<TrainedModel> kept() {
        return Optional.ofNullable(kept);
    }

    synchronized Map<String, Double> keptMetrics() {
        return keptMetrics;
    }
}
