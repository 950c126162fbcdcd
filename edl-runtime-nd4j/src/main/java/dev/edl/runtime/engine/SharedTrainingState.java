package dev.edl.runtime.engine;

import dev.edl.exec.Substrate;
import dev.edl.plan.JobPlan;
import dev.edl.runtime.InvalidTrainingException;
import dev.edl.runtime.Progress;
import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.TrainingResult;
import dev.edl.runtime.engine.decisions.Decisions;
import dev.edl.runtime.engine.decisions.DecisionsCodec;
import dev.edl.runtime.engine.decisions.DecisionsTooLargeException;
import dev.edl.runtime.engine.files.ReproductionText;
import dev.edl.runtime.engine.files.RunProgress;
import dev.edl.runtime.engine.files.TensorBoardLog;
import dev.edl.runtime.engine.files.TrainingStore;
import dev.edl.runtime.engine.internal.AbsenceWatch;
import dev.edl.runtime.engine.internal.RunningLoss;
import dev.edl.runtime.engine.internal.ShardLifeCounter;
import dev.edl.runtime.engine.ports.LeadingMasterListener;
import dev.edl.runtime.engine.ports.MasterGoneException;
import dev.edl.runtime.engine.ports.RegistrationPort;
import dev.edl.runtime.history.PushSet;
import dev.edl.runtime.history.RunRecorder;
import dev.edl.runtime.internal.text.ExceptionText;
import dev.edl.runtime.ps.ShardCut;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ShardSnapshot;
import dev.edl.runtime.ps.ShardTimeoutException;
import dev.edl.runtime.ps.ports.DecisionRecord;
import dev.edl.runtime.ps.ports.MasterShardGroup;
import dev.edl.runtime.ps.ports.ShardsControl;
import dev.edl.runtime.ps.ports.Term;
import dev.edl.runtime.task.Task;
import dev.edl.runtime.task.TaskLedger;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** State that outlives a master and that the masters of one run share in one process: the shards, files, events. */
public final class SharedTrainingState {
    /** Exit code of a replica of a training that cannot succeed; EX_SOFTWARE of BSD's sysexits. */
    public static final int CANNOT_SUCCEED = 70;

    /** Exit code of a replica that must be restarted because another one was absent; EX_TEMPFAIL of BSD's sysexits. */
    public static final int TRY_AGAIN = 75;

    /** Maximum time that one call waits for an absent shard; {@link AbsentServerRetry} then retries the call. */
    public static final Duration SHARD_LOOK = Duration.ofMillis(100);

    private final String masterName;
    private final AtomicLong terms = new AtomicLong();
    private final Training training;
    private final MasterShardGroup shards;
    private final TrainingStore store;
    private final EventHub events;
    private final RunClock clock;
    private final ServiceSlot<TrainingMaster> master;
    private final ServiceSlot<RegistrationPort> registration;
    private final RunningLoss loss = new RunningLoss();
    private final RunProgress progress;
    private final AbsenceWatch absences;
    /** Callbacks of the first master, started early to find mistakes before any replica runs. */
    private @Nullable Callbacks begun;

    private final Queue<WrittenCheckpoint> written = new ConcurrentLinkedQueue<>();
    private final DepartedWorkers departed;
    private final @Nullable TensorBoardLog tensorboard;
    private final @Nullable RunRecorder recorder;
    private volatile String reproduction;
    private volatile String runOfLives;
    private volatile String start = "";
    private volatile Progress lastProgress;
    private volatile @Nullable ShardCut remains;
    private final ShardLifeCounter lives;
    private volatile @Nullable TrainedModel remainsBest;
    private volatile boolean led;
    private volatile LeadingMasterListener watch = LeadingMasterListener.NONE;
    private volatile long checkpointed;

    public SharedTrainingState(
            String masterName,
            Training training,
            MasterShardGroup shards,
            TrainingStore store,
            EventHub events,
            @Nullable TensorBoardLog tensorboard,
            @Nullable RunRecorder recorder,
            RunClock clock) {
        this.masterName = masterName;
        this.runOfLives = masterName;
        this.training = training;
        this.reproduction = ReproductionText.of(training);
        this.shards = shards;
        this.lives = new ShardLifeCounter(shards.count(), store.continues());
        this.store = store;
        this.events = events;
        this.clock = clock;
        this.master = new ServiceSlot<>(masterName, training.absenceTimeout(), clock.nanos());
        this.registration = new ServiceSlot<>(masterName, training.absenceTimeout(), clock.nanos());
        this.progress = new RunProgress(clock.wall().instant(), store.resumption());
        this.checkpointed = store.version();
        Decisions before = resumed();
        Callbacks first = new Callbacks(training.callbacks(), before);
        try {
            DecisionsCodec.encode(first.remembered(before, progress.step()));
        } catch (TrainingFailedException | DecisionsTooLargeException mistake) {
            throw new InvalidTrainingException(List.of(ExceptionText.of(mistake)));
        }
        this.begun = first;
        this.absences = new AbsenceWatch(training.absenceTimeout());
        this.departed = new DepartedWorkers(masterName, master::peek, this::leave);
        this.tensorboard = tensorboard;
        this.recorder = recorder;
        if (tensorboard != null) {
            events.add(tensorboard);
        }
        this.lastProgress = progress.progress(
                TaskLedger.start(store.ledgerSpec(), event -> {}).progress(),
                Double.NaN,
                clock.wall().instant());
    }

    public Training training() {
        return training;
    }

    /** Returns text that describes how to run the training again. */
    String reproduction() {
        return reproduction;
    }

    /**
     * Sets the job that runs the training. The name of each life of a shard contains the job's run id. The reproduction
     * text describes the job.
     */
    public void runBy(JobPlan plan) {
        runOfLives = plan.runId();
        reproduction = ReproductionText.of(training, plan);
    }

    /**
     * Sets only the run's id, for a process that has no plan.
     *
     * <p>The names of new lives of shards contain {@code process}. If all servers are lost with the master, terms
     * restart at 1; the new names still differ from those of earlier servers.
     *
     * @param process unique id of this process among all master processes of the run
     */
    public void runBy(String run, String process) {
        runOfLives = run + ShardLife.OF_PROCESS + process;
        start = "." + process;
    }

    /**
     * Returns the common prefix of the names of lives that shards begin under this process' masters. For a run without
     * a job, it is the master's name.
     */
    String runOfLives() {
        return runOfLives;
    }

    public MasterShardGroup shards() {
        return shards;
    }

    public TrainingStore store() {
        return store;
    }

    public EventHub events() {
        return events;
    }

    /** Returns the clock for dates and durations that people read. */
    InstantSource clock() {
        return clock.wall();
    }

    /** Returns the monotonic time, in nanoseconds, for leases and bounds. */
    long nanos() {
        return clock.nanos().getAsLong();
    }

    ServiceSlot<TrainingMaster> masterSlot() {
        return master;
    }

    /** Returns the slot where servers find the master, even while it waits for them and serves no worker yet. */
    ServiceSlot<RegistrationPort> registrationSlot() {
        return registration;
    }

    AbsenceWatch absences() {
        return absences;
    }

    /** Records that a worker has not reconnected in time, so that other workers do its tasks. */
    public void lost(String worker) {
        absences.lost(worker);
    }

    RunningLoss loss() {
        return loss;
    }

    public RunProgress history() {
        return progress;
    }

    String masterName() {
        return masterName;
    }

    /** Returns the decisions stored in the checkpoint that the run resumes from. */
    private Decisions resumed() {
        return store.decided()
                .map(decisions -> decisions.resumed(progress.step()))
                .orElse(Decisions.NONE);
    }

    /**
     * Returns the decisions of earlier masters.
     *
     * @param record the newest record of decisions that the shards hold, if any
     */
    Decisions decided(Optional<DecisionRecord> record) {
        if (record.isPresent()) {
            return DecisionsCodec.decode(record.get().content());
        }
        // All shards are new, so they have the state of the newest checkpoint.
        return store.newestCheckpoint().isEmpty() ? resumed() : store.decided().orElse(Decisions.NONE);
    }

    /** Starts the callbacks of a master. */
    synchronized Callbacks callbacks(Decisions before) {
        Callbacks first = begun;
        begun = null;
        return first != null && before.callbacks().equals(resumed().callbacks())
                ? first
                : new Callbacks(training.callbacks(), before);
    }

    /** A checkpoint that is completely written. */
    record WrittenCheckpoint(long version, Path directory) {}

    /** Removes and returns the oldest written checkpoint that is not announced; null if there is none. */
    @Nullable
    WrittenCheckpoint nextWritten() {
        return written.poll();
    }

    /** Writes a checkpoint of the current state, for a caller outside of the replicas. */
    public Path checkpoint(ShardCut cut) throws IOException, InterruptedException {
        return checkpoint(cut, metadata(shards.decided()));
    }

    /** Returns the metadata for a checkpoint taken now, for a run that resumes from it. */
    Map<String, String> metadata(Optional<DecisionRecord> decided) {
        Map<String, String> metadata = new TreeMap<>();
        metadata.put(
                TrainingStore.ELAPSED, progress.elapsedInAll(clock().instant()).toString());
        decided.ifPresent(
                record -> metadata.put(DecisionsCodec.ENTRY, Base64.getEncoder().encodeToString(record.content())));
        return metadata;
    }

    /**
     * Writes a checkpoint.
     *
     * @param metadata the checkpoint's metadata, taken at the time of the cut
     */
    Path checkpoint(ShardCut cut, Map<String, String> metadata) throws IOException {
        Path directory = store.checkpoint(cut, metadata);
        checkpointed = cut.version();
        events.emit(new TrainingEvent.CheckpointWritten(cut.version(), directory));
        written.add(new WrittenCheckpoint(cut.version(), directory));
        TrainingMaster present = master.peek();
        if (present != null) {
            present.wake();
        }
        return directory;
    }

    /** Returns the version of the run's newest checkpoint; the version at the run's start if there is none. */
    long checkpointed() {
        return checkpointed;
    }

    /** Stores the shards' state that the user can get from a failed job. */
    void keep(ShardCut cut) {
        remains = cut;
    }

    /** Stores the best version as the model that the user can get from a failed job. */
    void keepBest(TrainedModel best) {
        remainsBest = best;
    }

    /** Returns the trained model, also of a failed job; empty while the training runs. */
    public Optional<TrainedModel> trained() {
        ShardCut cut = remains;
        return progress.result()
                .map(TrainingResult::model)
                .or(() -> cut == null ? Optional.empty() : Optional.of(model(cut)));
    }

    /** Returns the trained model with the parameters of a cut. */
    TrainedModel model(ShardCut cut) {
        TrainedModel best = remainsBest;
        return best != null ? best : TrainedModel.of(training, cut.model());
    }

    /** Returns whether any master of this run was visible to workers. */
    boolean hasLed() {
        return led;
    }

    /** Publishes a master to workers. */
    void publish(TrainingMaster present) {
        led = true;
        master.publish(present);
    }

    /** Returns the counters of the shards' lives; with a new life, a shard's version may fall. */
    ShardLifeCounter lives() {
        return lives;
    }

    /**
     * Returns copies of all shards, for a caller outside of the replicas.
     *
     * @param meanwhile run while a shard is absent; an exception ends the wait
     * @throws ShardTimeoutException if a shard is absent for longer than the training's absenceTimeout
     */
    public ShardCut cut(Runnable meanwhile) throws InterruptedException {
        return waits(meanwhile).until(shards::cut);
    }

    /** Returns retries for calls to parameter servers; {@code meanwhile} runs between two tries. */
    AbsentServerRetry waits(Runnable meanwhile) {
        return new AbsentServerRetry(training.absenceTimeout(), clock.nanos(), this::missingShard, meanwhile);
    }

    /** Returns copies of all shards; empty if one is absent. Does not wait. */
    public Optional<ShardCut> cutIfWhole() throws InterruptedException {
        if (missingShard() >= 0) {
            return Optional.empty();
        }
        try {
            return Optional.of(shards.cut());
        } catch (ShardTimeoutException away) {
            return Optional.empty();
        }
    }

    /** Sets the watch that is notified when a master begins or ends. Call it before the first master. */
    public void watch(LeadingMasterListener next) {
        watch = next;
    }

    LeadingMasterListener watch() {
        return watch;
    }

    /**
     * Raises the next master's term above those of earlier masters in other processes.
     *
     * @param term the largest term that the shards follow; 0 if they follow none
     */
    public void follow(long term) {
        terms.accumulateAndGet(term, Math::max);
        store.dropLedger();
        led |= term > 0;
    }

    /** Returns the master once it is present; empty if the result is written, so that no master will come. */
    Optional<TrainingMaster> master(ReplicaContext caller) {
        return master.await(caller, this::isOver);
    }

    /** Reports the result to the watch, and records that. */
    void finished(TrainingResult result) throws IOException, InterruptedException {
        // The watch makes the result durable; if that fails, no replica may take the training for finished.
        watch.finished(result);
        progress.finished(result);
    }

    /** Returns whether the result is written, so that no master will come. */
    public boolean isOver() {
        return progress.isReported();
    }

    DepartedWorkers departures() {
        return departed;
    }

    /** Gives the tasks of a cut off or ended worker of another process to other workers. Returns at once. */
    public void gone(String worker) {
        departed.gone(worker);
    }

    /** Removes a worker from the rounds. Only the master does so; a later master begins without members. */
    public void leave(String worker) {
        TrainingMaster present = master.peek();
        if (present != null) {
            present.leave(worker);
        }
    }

    /** Returns the shards for a new master; fences all earlier masters. */
    ShardsControl lead() {
        long number = terms.incrementAndGet();
        return shards.lead(new Term(number, masterName + start + "." + number));
    }

    /**
     * Returns the model version: the largest of the shards'. The version falls when a parameter server restores an
     * older state. While a server is absent, returns the last known version.
     */
    public long step() {
        OptionalLong newest = shards.newestVersion();
        if (newest.isEmpty()) {
            return progress.step();
        }
        progress.at(newest.getAsLong());
        return newest.getAsLong();
    }

    /** Returns the training's progress; without a master, the last known progress. */
    public Progress progress() {
        TrainingMaster present = master.peek();
        if (present != null) {
            // A loss may lower the version. It is read here, on request, because reading it per task would wait for
            // the shards.
            step();
            try {
                lastProgress = present.progress();
            } catch (MasterGoneException next) {
                return lastProgress;
            }
        }
        return lastProgress;
    }

    /** Records in the run's history that a training task is complete. */
    void recordCompleted(Task task) {
        if (recorder != null) {
            recorder.taskCompleted(task.pushId(0), task.minibatches());
        }
    }

    /** Records in the run's history that the shards have applied all pushes of the training. */
    void recordEnd(LongStream pushes, ShardCut cut) {
        if (recorder != null) {
            recorder.ended(
                    PushSet.of(pushes),
                    cut.shards().stream().map(ShardSnapshot::version).toList());
        }
    }

    /** Stops the shards and the replicas, then closes the files, so that no replica writes to a closed file. */
    public void close(Substrate substrate) {
        shards.close();
        substrate.close();
        departed.close();
        events.close();
        try {
            try (RunRecorder last = recorder) {
                if (tensorboard != null) {
                    tensorboard.close();
                }
                store.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("closing the run: " + ExceptionText.of(e), e);
        }
    }

    /** Returns the index of an absent parameter shard; -1 if none is absent. */
    public int missingShard() {
        return shards.missing();
    }
}
