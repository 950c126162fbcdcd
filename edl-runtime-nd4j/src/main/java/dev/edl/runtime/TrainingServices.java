package dev.edl.runtime;

import dev.edl.RoleType;
import dev.edl.plan.JobPlan;
import dev.edl.plan.ReplicaPlan;
import dev.edl.runtime.history.PushSet;
import dev.edl.runtime.history.RunRecorder;
import dev.edl.runtime.ps.ParameterShard;
import dev.edl.runtime.ps.ShardCut;
import dev.edl.runtime.ps.ShardGroup;
import dev.edl.runtime.ps.ShardSnapshot;
import dev.edl.runtime.task.Task;
import dev.edl.runtime.task.TaskLedger;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * What the replicas of one run share in one JVM: where each finds the others, and what outlives them. In a cluster this
 * is the network and the disk.
 */
final class TrainingServices implements RunServices {
    /** Exit code of a replica that knows that the training cannot succeed; EX_SOFTWARE of BSD's sysexits. */
    static final int CANNOT_SUCCEED = 70;

    /** Versions that a shard keeps for evaluations that have not begun. */
    private static final int KEPT_PINS = 4;

    private static final Duration MASTER_BOUND = Duration.ofSeconds(30);

    private final Training training;
    private final ShardGroup shards;
    private final TrainingStore store;
    private final EventHub events;
    private final InstantSource clock;
    private final Slot<TrainingMaster> master;
    private final RunningLoss loss = new RunningLoss();
    private final TrainingHistory history;
    private final Evaluations evaluations;
    private final Callbacks callbacks;
    private final ExecutorService departures;
    private final @Nullable TensorBoardLog tensorboard;
    private final @Nullable RunRecorder recorder;
    private volatile String reproduction;
    private volatile Progress lastProgress;
    private volatile @Nullable ShardCut remains;
    private final Set<String> gone = new LinkedHashSet<>();
    private final AtomicLong shardLives = new AtomicLong();
    /** Shards that were there at least once. */
    private final BitSet served = new BitSet();

    TrainingServices(
            String masterName,
            Training training,
            ShardGroup shards,
            TrainingStore store,
            EventHub events,
            @Nullable TensorBoardLog tensorboard,
            @Nullable RunRecorder recorder,
            InstantSource clock) {
        this.training = training;
        this.reproduction = Reproduction.of(training);
        this.shards = shards;
        this.store = store;
        this.events = events;
        this.clock = clock;
        this.master = new Slot<>(masterName, MASTER_BOUND);
        this.history = new TrainingHistory(clock.instant(), store.resumption());
        this.evaluations = new Evaluations(training.metrics());
        this.callbacks = new Callbacks(training.callbacks(), store.resumedWords(), history.step());
        this.departures = Idle.singleThread(masterName + "-departures");
        this.tensorboard = tensorboard;
        this.recorder = recorder;
        if (tensorboard != null) {
            events.add(tensorboard);
        }
        this.lastProgress = history.progress(
                TaskLedger.start(store.ledgerSpec(), event -> {}).progress(),
                history.step(),
                Double.NaN,
                clock.instant());
    }

    Training training() {
        return training;
    }

    /** How the run is repeated. */
    String reproduction() {
        return reproduction;
    }

    /** Adds the job that runs the training to how the run is repeated. */
    void runBy(JobPlan plan) {
        reproduction = Reproduction.of(training, plan);
    }

    ShardGroup shards() {
        return shards;
    }

    TrainingStore store() {
        return store;
    }

    EventHub events() {
        return events;
    }

    InstantSource clock() {
        return clock;
    }

    Slot<TrainingMaster> masterSlot() {
        return master;
    }

    RunningLoss loss() {
        return loss;
    }

    TrainingHistory history() {
        return history;
    }

    Evaluations evaluations() {
        return evaluations;
    }

    Callbacks callbacks() {
        return callbacks;
    }

    /** Writes a checkpoint of the moment, with what a run that goes on from it has to know. */
    Path checkpoint(ShardCut cut) throws IOException {
        Map<String, String> words = new TreeMap<>(callbacks.states());
        words.put(TrainingStore.ELAPSED, history.elapsedInAll(clock.instant()).toString());
        Path directory = store.checkpoint(cut, words);
        events.emit(new TrainingEvent.CheckpointWritten(cut.version(), directory));
        callbacks.checkpointed(cut.version(), directory);
        return directory;
    }

    /** What the training has come to, should the job fail. */
    void keep(ShardCut cut) {
        remains = cut;
    }

    /** What the training has come to, also when the job has failed; empty while it trains. */
    Optional<TrainedModel> trained() {
        ShardCut cut = remains;
        return history.result()
                .map(TrainingResult::model)
                .or(() -> cut == null ? Optional.empty() : Optional.of(model(cut)));
    }

    /** The model that is to be the result when the training ends with these parameters. */
    TrainedModel model(ShardCut cut) {
        return callbacks.kept().orElseGet(() -> TrainedModel.of(training.model(), cut.model()));
    }

    /**
     * Gives a parameter server its shard, from the newest saved state or with the initial values.
     *
     * @return whether there was a shard in this place before, of which something may be lost
     */
    boolean attach(int index) {
        boolean again;
        synchronized (served) {
            again = served.get(index);
            served.set(index);
        }
        ParameterShard shard = store.newShard(index);
        // Before and behind: a copy from before must never pass for one of the shards as they are now.
        shardLives.incrementAndGet();
        shards.attach(index, shard);
        shardLives.incrementAndGet();
        step();
        return again;
    }

    /**
     * Rises whenever a shard begins anew, which may take versions back: the same version has the same parameters only as
     * long as this number is the same.
     */
    long shardLives() {
        return shardLives.get();
    }

    /** The master, as soon as it is there; none when what was trained is written, so that none will come. */
    Optional<TrainingMaster> master(ReplicaContext caller) {
        return master.await(caller, () -> history.result().isPresent());
    }

    @Override
    public void run(ReplicaPlan replica, ReplicaContext context) throws IOException, InterruptedException {
        switch (replica.role()) {
            case MASTER -> new MasterMain(context, this).run();
            case PS -> new PsMain(context, this).run();
            case WORKER -> new WorkerMain(context, this).run();
            default -> throw new IllegalStateException(replica.role() + " is no role of the in-process runtime");
        }
    }

    @Override
    public void gone(ReplicaPlan replica) {
        if (replica.role() != RoleType.WORKER) {
            return;
        }
        try {
            departures.execute(() -> departed(replica.name()));
        } catch (RejectedExecutionException closed) {
            // The run is closed: there is nobody left to tell.
            return;
        }
    }

    private void departed(String worker) {
        synchronized (gone) {
            gone.add(worker);
        }
        shards.leave(worker);
        TrainingMaster present = master.peek();
        if (present != null) {
            try {
                present.workerGone(worker);
            } catch (MasterGone next) {
                // The next master reads the list.
                return;
            } catch (UncheckedIOException unwritable) {
                present.broken("the task journal cannot be written: " + Reason.of(unwritable));
            }
        }
    }

    /** Lets every shard keep its parameters at each multiple of the evaluation interval, and tells the master. */
    void pinEvaluations(TrainingMaster leader) throws InterruptedException {
        if (training.evaluationSteps() > 0) {
            shards.pinEvery(training.evaluationSteps(), KEPT_PINS, leader::versionReached);
        }
    }

    /**
     * The model version: the largest of the shards'. It falls when a parameter server comes back older; while one is away,
     * it is what was last heard of.
     */
    long step() {
        long newest = 0;
        for (int i = 0; i < shards.shards(); i++) {
            Optional<ParameterShard> shard = shards.shard(i);
            if (shard.isEmpty()) {
                return history.step();
            }
            newest = Math.max(newest, shard.get().version());
        }
        history.at(newest);
        return newest;
    }

    /** Where the training stands; while no master is there, where it stood when one was last asked. */
    Progress progress() {
        TrainingMaster present = master.peek();
        if (present != null) {
            // What was lost is heard of by those who ask, and not with each task, which would wait for the shards.
            step();
            try {
                lastProgress = present.progress();
            } catch (MasterGone next) {
                return lastProgress;
            }
        }
        return lastProgress;
    }

    /** A training task counts as done. */
    void recordCompleted(Task task) {
        if (recorder != null) {
            recorder.taskCompleted(task.pushId(0), task.minibatches());
        }
    }

    /** The shards have what was to be trained. */
    void recordEnd(LongStream pushes, ShardCut cut) {
        if (recorder != null) {
            recorder.ended(
                    PushSet.of(pushes),
                    cut.shards().stream().map(ShardSnapshot::version).toList());
        }
    }

    /** Stops everything of the run, in an order in which nothing is written to what is closed. */
    void close(InProcessSubstrate substrate) {
        shards.close();
        substrate.close();
        departures.shutdownNow();
        events.close();
        try {
            try (RunRecorder last = recorder) {
                if (tensorboard != null) {
                    tensorboard.close();
                }
                store.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("closing the run: " + Reason.of(e), e);
        }
    }

    /** The number of a parameter shard that nobody keeps at the moment; -1 when all are kept. */
    int missingShard() {
        for (int i = 0; i < shards.shards(); i++) {
            if (shards.shard(i).isEmpty()) {
                return i;
            }
        }
        return -1;
    }

    /** Workers that left so far; a master that comes up later has to hear of them. */
    List<String> goneWorkers() {
        synchronized (gone) {
            return List.copyOf(gone);
        }
    }
}
