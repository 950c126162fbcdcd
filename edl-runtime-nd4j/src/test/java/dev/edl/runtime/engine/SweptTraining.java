package dev.edl.runtime.engine;

import dev.edl.plan.JobPlan;
import dev.edl.runtime.EarlyStop;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingCallback;
import dev.edl.runtime.TrainingControl;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.TrainingResult;
import dev.edl.runtime.engine.files.TrainingStore;
import dev.edl.runtime.engine.internal.CheckpointWriter;
import dev.edl.runtime.engine.ports.ReplicaStoppedException;
import dev.edl.runtime.inprocess.Fixture;
import dev.edl.runtime.inprocess.LogisticModel;
import dev.edl.runtime.proof.TaskType;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.group.TestShards;
import dev.edl.runtime.ps.group.Workers;
import dev.edl.runtime.ps.ports.ShardsControl;
import dev.edl.runtime.ps.shard.ParameterShard;
import dev.edl.runtime.task.Assignment;
import dev.edl.runtime.task.LedgerEvent;
import dev.edl.runtime.task.Task;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Training whose every step runs on the calling thread: one worker trains, another one evaluates, and the master
 * iterates after each of their reports. All gradients are equal, so a version has the same parameters in each run. Its
 * loss falls up to version 60 and then rises: EarlyStop keeps 60 and stops at 100.
 */
final class SweptTraining implements AutoCloseable {
    private static final float GRADIENT = 0.01f;

    /** Events received by listeners and callbacks, and evaluations by the workers. */
    final List<String> heard = new ArrayList<>();

    final List<String> told = new ArrayList<>();
    final Map<String, Integer> measured = new TreeMap<>();
    /** Reasons of the ledgers' stops; a new ledger must be stopped again. */
    final List<String> stops = new ArrayList<>();

    final Steps steps;
    final TestShards shards;
    final SharedTrainingState services;
    String counted = "";
    private final Training training;
    private final TrainingStore store;
    private final EventHub events;
    private final ReplicaContext context;
    private final boolean keepsLedger;
    private boolean stopped;
    private int masters;
    private int stopsLost;

    SweptTraining(Path folder, Steps steps, boolean keepsLedger) throws IOException {
        this.steps = steps;
        this.keepsLedger = keepsLedger;
        this.training = Fixture.training(new LogisticModel(Fixture.FEATURES))
                .epochs(3)
                .minibatchesPerTask(13)
                .shuffle(false)
                .evaluationSteps(20)
                .checkpointDirectory(folder)
                .checkpointSteps(50)
                .callback(EarlyStop.on("loss").patience(2).restoreBest(true))
                .callback(new OnceOnly())
                .callback(new Repeatable(""))
                .onTraining(this::hear)
                .build();
        this.store = TrainingStore.open(training, 2);
        this.events = new EventHub("unit", training.listeners());
        List<ParameterShard> places = List.of(store.newShard(0), store.newShard(1));
        this.shards = new TestShards(places, Duration.ofMillis(5));
        JobPlan plan = Fixture.job(2, 2).plan();
        this.context = new ReplicaContext(plan.replica("master", 0));
        this.services = new SharedTrainingState(
                "master", training, shards, store, events, null, null, RunClock.of(() -> Instant.EPOCH));
    }

    private void hear(TrainingEvent event) {
        if (event instanceof TrainingEvent.Evaluation
                || event instanceof TrainingEvent.Stopped
                || event instanceof TrainingEvent.CallbackCutOff
                || event instanceof TrainingEvent.BegunAnew
                || event instanceof TrainingEvent.EvaluationLost
                || event instanceof TrainingEvent.BestVersionLost) {
            heard.add(event.toString().replaceFirst("at version \\d+", "at a version"));
        }
    }

    /** Callback that receives each event at most once, and reports it. */
    private final class OnceOnly implements TrainingCallback {
        @Override
        public long everySteps() {
            return 25;
        }

        @Override
        public void onStep(long version, TrainingControl control) {
            tell("step " + version / 25 * 25);
        }

        @Override
        public void onEvaluation(long version, Map<String, Double> metrics, TrainingControl control) throws Exception {
            tell("evaluation " + version + " of " + control.model().version());
        }

        @Override
        public void onCheckpoint(long version, Path directory, TrainingControl control) {
            tell("checkpoint " + directory.getFileName());
        }

        @Override
        public void onEnd(TrainingResult result) {
            tell("end");
        }

        private void tell(String what) {
            steps.step("before a call");
            told.add(what);
            steps.step("behind a call");
        }

        @Override
        public String toString() {
            return "OnceOnly";
        }
    }

    /** Callback that records each event it received. */
    private final class Repeatable implements TrainingCallback {
        private String remembered;

        private Repeatable(String state) {
            this.remembered = state;
        }

        @Override
        public TrainingCallback begin(String state) {
            return new Repeatable(state);
        }

        @Override
        public boolean repeatable() {
            return true;
        }

        @Override
        public String state() {
            return remembered;
        }

        @Override
        public void onEvaluation(long version, Map<String, Double> metrics, TrainingControl control) {
            steps.step("before a call");
            remembered += " " + version;
            steps.step("behind a call");
        }

        @Override
        public void onEnd(TrainingResult result) {
            counted = remembered;
        }
    }

    /** Trains to the end, with as many masters as needed. */
    TrainingResult train() throws Exception {
        while (services.history().result().isEmpty()) {
            steps.next();
            if (!keepsLedger && stopped) {
                stopsLost++;
            }
            stopped &= keepsLedger;
            masters++;
            TrainingMaster[] led = {null};
            try (CheckpointWriter writer = new CheckpointWriter("checkpoints", () -> {})) {
                lead(led, writer);
            } catch (ReplicaStoppedException killed) {
                // The next master takes over.
            } finally {
                if (led[0] != null) {
                    services.masterSlot().retire(led[0]);
                    led[0].retire();
                }
            }
        }
        events.drain(Duration.ofSeconds(10));
        return services.history().result().orElseThrow();
    }

    int masters() {
        return masters;
    }

    /** Returns how many of the ledgers have a stop: that of the last master, and one lost after the stop. */
    int ledgers() {
        return stopsLost + 1;
    }

    private void lead(TrainingMaster[] led, CheckpointWriter writer) throws Exception {
        AbsentServerRetry retry = services.waits(() -> {});
        ShardsControl control = steps.around(services.lead());
        Consumer<LedgerEvent> written = event -> {
            steps.step("before an event");
            steps.step("behind an event");
            // Behind the last step, because an event whose observer throws has not happened.
            if (event instanceof LedgerEvent.Stopped stop) {
                stopped = true;
                stops.add(stop.reason());
            }
        };
        if (!keepsLedger) {
            store.dropLedger();
        }
        TrainingMaster master = MasterRunner.master(services, control, written);
        led[0] = master;
        MasterRunner.comeUp(master, services, control, retry);
        services.publish(master);
        MasterRunner main = new MasterRunner(context, services);
        while (!master.finished()) {
            turn(master, main, writer, retry);
            if (master.next("trainer") instanceof Assignment.Lease lease) {
                perform(lease.task(), master, main, writer, retry);
            }
        }
        writer.await();
        main.finish(master);
    }

    private void turn(TrainingMaster master, MasterRunner main, CheckpointWriter writer, AbsentServerRetry retry)
            throws Exception {
        main.runIteration(master, writer);
        writer.await();
        master.runIteration(retry);
    }

    private void perform(
            Task task, TrainingMaster master, MasterRunner main, CheckpointWriter writer, AbsentServerRetry retry)
            throws Exception {
        if (task.type() == TaskType.EVALUATION) {
            measure(task, master);
            turn(master, main, writer, retry);
            return;
        }
        int first =
                (int) (shards.resumeAt(task.pushId(0), task.minibatches(), ShardLife.UNKNOWN_LIVES) - task.pushId(0));
        for (int k = first; k < task.minibatches(); k++) {
            push(task.pushId(k));
            turn(master, main, writer, retry);
            while (!master.openEvaluations().isEmpty() && master.next("evaluator") instanceof Assignment.Lease lease) {
                perform(lease.task(), master, main, writer, retry);
            }
            turn(master, main, writer, retry);
        }
        master.trained(task, ShardLife.UNKNOWN_LIVES);
    }

    private void push(long pushId) throws InterruptedException {
        float[] gradient = new float[Fixture.FEATURES + 1];
        Arrays.fill(gradient, GRADIENT);
        long[] versions = new long[2];
        Workers.of(shards).pull("trainer", new float[gradient.length], List.of(), versions);
        Workers.of(shards).push("trainer", pushId, versions, gradient);
    }

    /** Evaluates a task; the loss depends on the parameters, which depend on the version. */
    private void measure(Task task, TrainingMaster master) {
        float[] first = new float[Fixture.FEATURES + 1];
        training.model().initialize(first, training.seed());
        double version =
                (first[0] - master.decisions().model(task.modelVersion()).weights()[0]) / (GRADIENT * 0.1);
        double loss = 1 + Math.pow(Math.rint(version) - 60, 2) / 1000;
        long records = task.records();
        measured.merge(task.modelVersion() + " " + task.range(), 1, Integer::sum);
        master.evaluated(task, new double[][] {{records / 2.0, records}, {loss * records, records}});
    }

    @Override
    public void close() throws IOException {
        shards.close();
        events.close();
        store.close();
    }
}
