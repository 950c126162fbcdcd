package dev.edl.runtime.engine.files;

import dev.edl.runtime.HistoryDetail;
import dev.edl.runtime.InvalidTrainingException;
import dev.edl.runtime.ResumedProgress;
import dev.edl.runtime.Training;
import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.engine.decisions.Decisions;
import dev.edl.runtime.engine.decisions.DecisionsCodec;
import dev.edl.runtime.engine.internal.HeldPushes;
import dev.edl.runtime.engine.ports.AcquireRetry;
import dev.edl.runtime.engine.ports.SavedShard;
import dev.edl.runtime.engine.ports.TryAgainException;
import dev.edl.runtime.history.HistoryEvent;
import dev.edl.runtime.ps.Checkpoint;
import dev.edl.runtime.ps.CheckpointStore;
import dev.edl.runtime.ps.ShardContents;
import dev.edl.runtime.ps.ShardCut;
import dev.edl.runtime.ps.ShardSnapshot;
import dev.edl.runtime.ps.shard.ParameterShard;
import dev.edl.runtime.task.LedgerEvent;
import dev.edl.runtime.task.LedgerSpec;
import dev.edl.runtime.task.TaskLedger;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Checkpoints of one run, and the task ledger that the masters of one process hand over. Also provides the initial
 * values of the shards.
 */
public final class TrainingStore implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(TrainingStore.class.getName());

    /**
     * Key of the checkpoint entry with the duration of all runs up to the checkpoint, in the format of
     * {@link Duration}.
     */
    public static final String ELAPSED = "elapsed";

    private final Training training;
    private final LedgerSpec ledgerSpec;
    private final ShardFactory factory;
    private final @Nullable CheckpointStore checkpoints;
    private final @Nullable RunLock held;
    /** Id of the run; empty if its masters are not processes. */
    private final Optional<String> run;
    /** Lock held while a checkpoint is written, which may take minutes; the store's monitor guards only the fields. */
    private final Object writing = new Object();

    private int writers;
    private boolean closed;
    private final boolean continues;
    private final boolean wrote;

    private @Nullable TaskLedger ledger;

    private @Nullable List<ShardSnapshot> newest;
    private @Nullable Path newestDirectory;
    private @Nullable ResumedProgress resumption;
    /** Metadata entries of the newest checkpoint; before the first, of the checkpoint that the run resumes from. */
    private Map<String, String> newestMetadata = Map.of();

    private TrainingStore(Training training, int shards, @Nullable RunLock held, Optional<String> run)
            throws IOException {
        this.training = training;
        this.held = held;
        this.run = run;
        this.ledgerSpec = ledgerSpec(training);
        this.factory = new ShardFactory(training, shards);
        List<String> differences = training.data().names().differences("data", factory.names(), "from");
        if (!differences.isEmpty()) {
            throw new InvalidTrainingException(differences);
        }
        Optional<Path> directory = training.checkpointDirectory();
        this.continues = run.isPresent() && directory.isPresent() && RunIdFile.isOf(run.get(), directory.get());
        // A checkpoint of this run also has what the run resumed from, which may be deleted by now.
        this.wrote = continues && takeOver(directory.get(), run.get(), shards);
        if (!continues) {
            factory.requireInitialValues();
        }
        if (!wrote && training.resumeFrom().isPresent()) {
            resume(training.resumeFrom().get(), shards);
        }
        if (directory.isPresent()) {
            if (!continues) {
                begin(directory.get());
            }
            if (run.isPresent()) {
                RunIdFile.write(run.get(), directory.get());
            }
            checkpoints = new CheckpointStore(directory.get(), training.keepCheckpoints());
        } else {
            checkpoints = null;
        }
    }

    /** Prepares the directory for a new run. */
    private void begin(Path directory) throws IOException {
        boolean goesOnHere = refuseOthers(directory);
        ResumedProgress from = resumption;
        if (goesOnHere && from != null) {
            SupersededCheckpointMover.moveAside(directory, from.checkpoint());
        }
    }

    /**
     * Reads the newest checkpoint that an earlier master of this run wrote.
     *
     * @return whether there is one
     */
    private boolean takeOver(Path directory, String run, int shards) throws IOException {
        Optional<Checkpoint> latest = new CheckpointStore(directory, 0)
                .latest(skipped -> LOG.log(System.Logger.Level.WARNING, "a checkpoint cannot be read: " + skipped));
        if (latest.isEmpty() || !run.equals(latest.get().metadata().get(RunIdFile.RUN))) {
            return false;
        }
        Path path = directory.resolve(latest.get().name());
        newest = read(latest.get(), path, shards);
        newestDirectory = path;
        resumption = CheckpointMetadata.resumption(newestMetadata).orElse(null);
        return true;
    }

    /**
     * Throws if the directory has checkpoints of another run. They would be taken for checkpoints of this run, and
     * deleted once there are too many.
     *
     * @return whether the run resumes from a checkpoint of this directory
     */
    private boolean refuseOthers(Path directory) throws IOException {
        ResumedProgress from = resumption;
        if (from != null) {
            Path home = from.checkpoint().toAbsolutePath().getParent();
            if (home != null && Files.isSameFile(home, directory)) {
                return true;
            }
        }
        if (run.isPresent()) {
            RunIdFile.moveUnknownAside(run.get(), directory);
        }
        try (DirectoryStream<Path> old = Files.newDirectoryStream(directory, "version-*")) {
            Iterator<Path> each = old.iterator();
            if (each.hasNext()) {
                throw new InvalidTrainingException(List.of("checkpointDirectory holds checkpoints of an earlier run: "
                        + each.next() + "; resume from them with .resumeFrom(directory), or give this run its own"
                        + " directory"));
            }
        }
        return false;
    }

    /** Opens the files of a run in one process. */
    public static TrainingStore open(Training training, int shards) throws IOException {
        Optional<Path> directory = training.checkpointDirectory();
        RunLock held = directory.isPresent() ? RunLock.take(directory.get()) : null;
        return open(training, shards, held, Optional.empty());
    }

    /**
     * Opens the files of one master of a run whose masters are processes. With a checkpoint directory it continues the
     * files of the run's earlier masters.
     *
     * @param run the unique id of the run
     * @param retry waits for the directory's locks, which a killed master may hold for a while
     * @throws TryAgainException if the directory is locked for longer than the training's absenceTimeout
     */
    public static TrainingStore open(Training training, int shards, String run, AcquireRetry retry)
            throws IOException, InterruptedException {
        Optional<Path> directory = training.checkpointDirectory();
        RunLock held = directory.isPresent() ? RunLock.take(directory.get(), run, retry) : null;
        return open(training, shards, held, Optional.of(run));
    }

    private static TrainingStore open(Training training, int shards, @Nullable RunLock held, Optional<String> run)
            throws IOException {
        try {
            return new TrainingStore(training, shards, held, run);
        } catch (IOException | RuntimeException e) {
            if (held != null) {
                held.close();
            }
            throw e;
        }
    }

    private static LedgerSpec ledgerSpec(Training training) {
        Optional<Dataset> validation = training.validation();
        List<String> differences = validation
                .map(data ->
                        data.names().differences("validation", training.data().names(), "data"))
                .orElse(List.of());
        if (!differences.isEmpty()) {
            throw new InvalidTrainingException(differences);
        }
        List<DataShard> evaluation = validation.isPresent() ? validation.get().shards() : List.of();
        return LedgerSpec.builder()
                .training(training.data().shards())
                .evaluation(evaluation)
                .minibatchSize(training.minibatch())
                .minibatchesPerTask(training.minibatchesPerTask())
                .epochs(training.epochs())
                .seed(training.seed())
                .shuffle(training.shuffle())
                .leaseTimeout(training.taskTimeout())
                .maxTaskFailures(training.maxTaskFailures())
                .maxMinibatches(training.maxSteps())
                .build();
    }

    /**
     * Throws if the training resumes from a checkpoint that does not exist.
     *
     * @throws InvalidTrainingException with the path
     */
    public static void checkResumed(Training training) {
        training.resumeFrom().filter(from -> !Files.isDirectory(from)).ifPresent(from -> {
            throw new InvalidTrainingException(
                    List.of("resumeFrom must name a version-N directory or the directory that holds them, was " + from
                            + ", which does not exist"));
        });
    }

    private void resume(Path from, int shards) throws IOException {
        checkResumed(training);
        Checkpoint checkpoint;
        boolean one = CheckpointStore.isCheckpoint(from);
        if (one) {
            checkpoint = CheckpointStore.load(from);
        } else {
            List<String> skipped = new ArrayList<>();
            checkpoint = new CheckpointStore(from, 0)
                    .latest(skipped::add)
                    .orElseThrow(() -> new FileNotFoundException("no valid checkpoint to resume from in " + from
                            + (skipped.isEmpty() ? "" : ": " + String.join("; ", skipped))));
        }
        Path path = one ? from : from.resolve(checkpoint.name());
        newest = read(checkpoint, path, shards);
        resumption = new ResumedProgress(
                path,
                checkpoint.version(),
                recordsOf(newest),
                Duration.parse(newestMetadata.getOrDefault(ELAPSED, "PT0S")));
    }

    /**
     * Returns the shards of a checkpoint, and keeps its metadata.
     *
     * @throws InvalidTrainingException if it belongs to another training
     */
    private List<ShardSnapshot> read(Checkpoint checkpoint, Path path, int shards) throws IOException {
        List<String> differences = CheckpointMetadata.differences(checkpoint, training, ledgerSpec);
        if (!differences.isEmpty()) {
            throw new InvalidTrainingException(List.of(
                    "the checkpoint " + path + " belongs to another training: " + String.join("; ", differences)));
        }
        newestMetadata = checkpoint.metadata();
        return shardsOf(checkpoint, shards);
    }

    /** Returns the number of records, over all epochs, that are complete in a checkpoint. */
    private long recordsOf(List<ShardSnapshot> saved) {
        HeldPushes held = HeldPushes.of(saved);
        TaskLedger resumed = TaskLedger.start(ledgerSpec, event -> {});
        resumed.resume(held::byAll, held::byAny);
        return resumed.proof().resumed();
    }

    private List<ShardSnapshot> shardsOf(Checkpoint checkpoint, int shards) throws IOException {
        return checkpoint.shards(
                factory.contents(),
                training.model().layout(),
                training.optimizer(),
                ledgerSpec.pushIds().minibatchesPerEpoch(),
                shards);
    }

    /** Returns whether the directory has the state of an earlier master of this run, in another process. */
    public boolean continues() {
        return continues;
    }

    /** Returns whether an earlier master of this run, in another process, wrote a checkpoint. */
    public boolean hasEarlierCheckpoint() {
        return wrote;
    }

    /** Returns the progress that the run resumes from, if it does. */
    public Optional<ResumedProgress> resumption() {
        return Optional.ofNullable(resumption);
    }

    /**
     * Returns the masters' decisions from this run's newest checkpoint. Before this run has written one,
     * returns those of the checkpoint that it resumes from; empty without either.
     */
    public synchronized Optional<Decisions> decided() {
        Path from = newestDirectory != null || resumption == null ? newestDirectory : resumption.checkpoint();
        return DecisionsCodec.decode(newestMetadata, from);
    }

    /** Returns the first event of this run's history. */
    public HistoryEvent.Began began(HistoryDetail detail) {
        return new HistoryEvent.Began(
                factory.ranges(),
                training.model().layout().trained(),
                ledgerSpec.pushIds().minibatchesPerEpoch(),
                training.optimizer().toString(),
                training.consistency().staleness(),
                training.consistency().gradsToWait(),
                detail);
    }

    public LedgerSpec ledgerSpec() {
        return ledgerSpec;
    }

    /**
     * Returns the ledger for a new master: that of the last master of this process, or a new one.
     *
     * @param observer receives each further event before it takes effect
     */
    public synchronized TaskLedger ledger(Consumer<? super LedgerEvent> observer) {
        TaskLedger last = ledger;
        ledger = last == null ? TaskLedger.start(ledgerSpec, observer) : last.handedTo(observer);
        return ledger;
    }

    /** Forgets the ledger of this process, because a master of another process has led since. */
    public synchronized void dropLedger() {
        ledger = null;
    }

    /** Returns the factory of the run's shards. */
    public ShardFactory template() {
        return factory;
    }

    /**
     * Returns the newest saved state of a shard; empty if there is none, so that the shard starts with the initial
     * values.
     */
    public Optional<SavedShard> saved(int index) {
        return snapshot(index).map(InHeap::new);
    }

    /** Returns the version of the newest saved state, which may be that of an earlier run; 0 if there is none. */
    public synchronized long version() {
        return newest == null ? 0 : new ShardCut(newest).version();
    }

    private synchronized Optional<ShardSnapshot> snapshot(int index) {
        return newest == null ? Optional.empty() : Optional.of(newest.get(index));
    }

    /** Saved state of a shard that is still in memory since the master wrote the checkpoint. */
    private record InHeap(ShardSnapshot snapshot) implements SavedShard {
        @Override
        public ShardSnapshot read() {
            return snapshot;
        }

        @Override
        public String toString() {
            return "version " + snapshot.version();
        }
    }

    /** Creates a shard that follows no master yet, from its newest saved state or with the initial values. */
    public ParameterShard newShard(int index) {
        ParameterShard shard = factory.empty(index, ledgerSpec.pushIds().minibatchesPerEpoch());
        Optional<ShardSnapshot> saved = snapshot(index);
        if (saved.isPresent()) {
            shard.restore(saved.get());
            return shard;
        }
        try {
            factory.initialize(shard);
            return shard;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the contents of all shards of the model. */
    public ShardContents contents() {
        return factory.contents();
    }

    /**
     * Writes a checkpoint and returns its directory. Waits until no other checkpoint is being written; {@link #saved}
     * does not wait.
     *
     * @param more metadata entries in addition to those of the store
     */
    public Path checkpoint(ShardCut cut, Map<String, String> more) throws IOException {
        if (checkpoints == null) {
            throw new IllegalStateException("checkpointDirectory must be set to write a checkpoint");
        }
        Map<String, String> metadata = new TreeMap<>(more);
        metadata.putAll(CheckpointMetadata.of(training, ledgerSpec));
        metadata.putAll(training.data().names().metadata());
        run.ifPresent(id -> metadata.put(RunIdFile.RUN, id));
        resumption().ifPresent(from -> CheckpointMetadata.put(from, metadata));
        beginWrite();
        try {
            synchronized (writing) {
                Path directory = checkpoints.save(cut, training.model().layout(), metadata);
                synchronized (this) {
                    newest = cut.shards();
                    newestDirectory = directory;
                    newestMetadata = metadata;
                }
                return directory;
            }
        } finally {
            endWrite();
        }
    }

    private synchronized void beginWrite() {
        if (closed) {
            throw new IllegalStateException("the run has ended and may no longer write to checkpointDirectory "
                    + training.checkpointDirectory().orElseThrow());
        }
        writers++;
    }

    private synchronized void endWrite() throws IOException {
        writers--;
        giveBack();
    }

    /** Unlocks the checkpoint directory if the store is closed and no checkpoint is being written to it. */
    private synchronized void giveBack() throws IOException {
        if (closed && writers == 0 && held != null) {
            held.close();
        }
    }

    /** Returns the directory of the newest checkpoint if it was written from this cut; otherwise empty. */
    public synchronized Optional<Path> checkpointOf(ShardCut cut) {
        List<ShardSnapshot> saved = newest;
        return saved == cut.shards() ? newestCheckpoint() : Optional.empty();
    }

    public synchronized Optional<Path> newestCheckpoint() {
        return Optional.ofNullable(newestDirectory);
    }

    /**
     * Unlocks the checkpoint directory. If a checkpoint is still being written, the end of that write unlocks it.
     */
    @Override
    public synchronized void close() throws IOException {
        if (!closed) {
            closed = true;
            giveBack();
        }
    }
}
