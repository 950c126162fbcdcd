package dev.edl.runtime.engine;

import dev.edl.runtime.InvalidTrainingException;
import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingCallback;
import dev.edl.runtime.TrainingControl;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.TrainingResult;
import dev.edl.runtime.engine.decisions.CallbackEvent;
import dev.edl.runtime.engine.decisions.CallbackState;
import dev.edl.runtime.engine.decisions.Decisions;
import dev.edl.runtime.engine.decisions.PendingCallback;
import dev.edl.runtime.engine.files.ModelExport;
import dev.edl.runtime.engine.ports.MasterGoneException;
import dev.edl.runtime.engine.ports.ReplicaStoppedException;
import dev.edl.runtime.internal.text.ExceptionText;
import dev.edl.runtime.ps.ShardTimeoutException;
import dev.edl.runtime.ps.ports.StaleTermException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The training's callbacks on one master. Each begins with the state that earlier masters recorded in {@link
 * Decisions}, where callback calls that were not made yet are recorded as well. Used by the master's thread only.
 */
public final class Callbacks {
    private final List<TrainingCallback> callbacks = new ArrayList<>();
    private final List<String> names = new ArrayList<>();

    /** Starts the training's callbacks with the state that the earlier masters' decisions record. */
    Callbacks(List<TrainingCallback> given, Decisions before) {
        for (int i = 0; i < given.size(); i++) {
            String name = i + "." + given.get(i).getClass().getName();
            names.add(name);
            TrainingCallback begun = given.get(i)
                    .begin(before.callbacks()
                            .getOrDefault(name, CallbackState.NONE)
                            .state());
            if (begun == null) {
                throw new InvalidTrainingException(List.of("the callback " + name(given.get(i))
                        + ": begin(...) must return a callback, for example itself; it returned null"));
            }
            callbacks.add(begun);
            long every = begun.everySteps();
            if (every < 0) {
                throw new InvalidTrainingException(List.of(everySteps(begun, every)));
            }
        }
    }

    /** Returns the reasons why a callback cannot be used in a training; empty if it can. */
    static List<String> problems(TrainingCallback callback, Training training) {
        List<String> problems = new ArrayList<>();
        try {
            problems.addAll(callback.problems(training));
            long every = callback.everySteps();
            if (every < 0) {
                problems.add(everySteps(callback, every));
            }
        } catch (RuntimeException mistake) {
            problems.add("the callback " + name(callback) + " failed on problems(...): " + mistake);
        }
        return problems;
    }

    private static String everySteps(TrainingCallback callback, long every) {
        return "the callback " + name(callback) + ": everySteps() must be at least 0, where 0 means never, was "
                + every;
    }

    /**
     * Returns a copy of {@code before} with each callback's current state.
     *
     * @param version version of the checkpoint that the run resumes from, from which steps are counted for a callback
     *     without a recorded state; 0 for a new run
     */
    Decisions remembered(Decisions before, long version) {
        Decisions all = before;
        for (int i = 0; i < callbacks.size(); i++) {
            long every = callbacks.get(i).everySteps();
            CallbackState last = before.callbacks()
                    .getOrDefault(names.get(i), new CallbackState("", every > 0 ? version / every : 0));
            all = all.remember(names.get(i), new CallbackState(stateOf(callbacks.get(i)), last.steps()));
        }
        return all;
    }

    boolean any() {
        return !callbacks.isEmpty();
    }

    /**
     * Calls all pending callbacks. The shards persist the decision for each call first, so this waits for an
     * absent server.
     */
    void deliver(SharedTrainingState services, TrainingDecisions decisions, AbsentServerRetry retry)
            throws InterruptedException {
        if (callbacks.isEmpty()) {
            decisions.skipCalls();
            return;
        }
        for (PendingCallback call = decisions.nextCall(retry); call != null; call = decisions.nextCall(retry)) {
            if (call.what() instanceof CallbackEvent.Ended) {
                return;
            }
            tell(call, services, decisions, retry, null);
        }
        long step = services.step();
        for (int i = 0; i < callbacks.size(); i++) {
            TrainingCallback callback = callbacks.get(i);
            long every = callback.everySteps();
            if (every > 0 && step / every > decisions.stateOf(names.get(i)).steps()) {
                TrainingControl control = new Control(services, decisions, retry, -1);
                call(callback, "version " + step, () -> callback.onStep(step, control));
                String name = names.get(i);
                CallbackState state = new CallbackState(stateOf(callback), step / every);
                decisions.decide(made -> made.remember(name, state), retry);
            }
        }
    }

    /** Calls the callbacks for the end of the training. */
    void end(TrainingResult result, SharedTrainingState services, TrainingDecisions decisions, AbsentServerRetry retry)
            throws InterruptedException {
        if (callbacks.isEmpty()) {
            return;
        }
        decisions.decide(Decisions::end, retry);
        PendingCallback call = decisions.nextCall(retry);
        if (call != null && call.what() instanceof CallbackEvent.Ended) {
            tell(call, services, decisions, retry, result);
        }
    }

    /**
     * Calls each callback that was not called for this event. Records the start of a call first, unless a repeated
     * call is harmless.
     */
    private void tell(
            PendingCallback call,
            SharedTrainingState services,
            TrainingDecisions decisions,
            AbsentServerRetry retry,
            @Nullable TrainingResult result)
            throws InterruptedException {
        for (int i = call.next(); i < callbacks.size(); i++) {
            TrainingCallback callback = callbacks.get(i);
            boolean cut = call.begun() && i == call.next();
            if (cut && !callback.repeatable()) {
                services.events()
                        .emit(new TrainingEvent.CallbackCutOff(
                                name(callback), call.what().toString()));
            } else {
                if (!callback.repeatable()) {
                    decisions.begin(i, retry);
                }
                Control control = new Control(services, decisions, retry, versionOf(call.what()));
                tell(callback, call.what(), control, services.training(), result);
            }
            decisions.recordDelivery(names.get(i), stateOf(callback), i + 1 == callbacks.size(), i + 1, retry);
        }
    }

    private static long versionOf(CallbackEvent event) {
        return event instanceof CallbackEvent.Evaluated evaluated ? evaluated.version() : -1;
    }

    private static void tell(
            TrainingCallback callback,
            CallbackEvent event,
            TrainingControl control,
            Training training,
            @Nullable TrainingResult result)
            throws InterruptedException {
        if (event instanceof CallbackEvent.Evaluated evaluated) {
            call(
                    callback,
                    event.toString(),
                    () -> callback.onEvaluation(evaluated.version(), evaluated.metrics(), control));
        } else if (event instanceof CallbackEvent.Checkpointed written) {
            Path directory = training.checkpointDirectory().orElseThrow().resolve(written.directory());
            call(callback, event.toString(), () -> callback.onCheckpoint(written.version(), directory, control));
        } else if (result != null) {
            call(callback, event.toString(), () -> callback.onEnd(result));
        }
    }

    @FunctionalInterface
    private interface Body {
        void run() throws Exception;
    }

    private static void call(TrainingCallback callback, String what, Body body) throws InterruptedException {
        try {
            body.run();
        } catch (InterruptedException
                | ReplicaStoppedException
                | MasterGoneException
                | ShardTimeoutException
                | StaleTermException stop) {
            throw stop;
        } catch (Throwable mistake) {
            throw new TrainingFailedException(
                    "the callback " + name(callback) + " failed on " + what + ": " + ExceptionText.of(mistake),
                    mistake);
        }
    }

    private static String name(TrainingCallback callback) {
        String text = callback.toString();
        // The default toString is the class and a hash code, which is meaningless to people.
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
                    "the callback " + name(callback) + " failed on state(): " + ExceptionText.of(mistake), mistake);
        }
        if (state == null) {
            throw new TrainingFailedException("the callback " + name(callback)
                    + ": state() must return a text, empty for no state; it returned null");
        }
        return state;
    }

    /** Control handle of one callback call. */
    static final class Control implements TrainingControl {
        private final SharedTrainingState services;
        private final TrainingDecisions decisions;
        private final AbsentServerRetry retry;
        private final long evaluated;

        /**
         * Creates a control handle.
         *
         * @param evaluated the version whose evaluation the call is about; negative for any other call
         */
        Control(SharedTrainingState services, TrainingDecisions decisions, AbsentServerRetry retry, long evaluated) {
            this.services = services;
            this.decisions = decisions;
            this.retry = retry;
            this.evaluated = evaluated;
        }

        @Override
        public boolean stop(String reason) {
            if (reason.isBlank()) {
                throw new IllegalArgumentException("a stop needs a reason, for example \"accuracy is above 0.99\"");
            }
            try {
                return decisions.stop(reason, retry);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new ReplicaStoppedException(services.masterName());
            }
        }

        @Override
        public TrainedModel model() throws InterruptedException {
            return TrainedModel.of(
                    services.training(), evaluated >= 0 ? decisions.model(evaluated) : decisions.present(retry));
        }

        @Override
        public void export(Path file) throws IOException, InterruptedException {
            ModelExport.write(model(), file);
            services.events().emit(new TrainingEvent.Exported(file));
        }

        @Override
        public boolean keep(Map<String, Double> metrics) throws InterruptedException {
            if (evaluated < 0) {
                throw new IllegalStateException("only onEvaluation may keep a version: the evaluated one");
            }
            return decisions.keep(evaluated, metrics, retry);
        }

        @Override
        public OptionalLong kept() {
            return decisions
                    .now()
                    .best()
                    .map(best -> OptionalLong.of(best.version()))
                    .orElse(OptionalLong.empty());
        }
    }
}
