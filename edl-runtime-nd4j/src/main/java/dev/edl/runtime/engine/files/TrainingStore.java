package dev.edl.runtime;

import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.history.HistoryDetail;
import dev.edl.runtime.history.HistoryEvent;
import dev.edl.runtime.ps.Checkpoint;
import dev.edl.runtime.ps.CheckpointStore;
import dev.edl.runtime.ps.ParameterShard;
import dev.edl.runtime.ps.ShardContents;
import dev.edl.runtime.ps.ShardCut;
import dev.edl.runtime.ps.ShardRange;
import dev.edl.runtime.ps.ShardSnapshot;
import dev.edl.runtime.task.Durability;
import dev.edl.runtime.task.FileJournal;
import dev.edl.runtime.task.LedgerSpec;
import java.io.FileNotFoundException;
import java.io.IOException;
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
import org.jspecify.annotations.Nullable;

/** What outlives the replicas of one run: the task journal, the checkpoints, the initial values. */
final class TrainingStore implements AutoCloseable {
    /** The word of a checkpoint that says how long all runs up to it took, as {@link Duration} reads it. */
    static final String ELAPSED = "elapsed";

    /** The task journal, in the checkpoint directory. */
    static final String JOURNAL = "tasks.journal";

    private static final String MAX_STEPS = "maxSteps";

    private final Training training;
    private final LedgerSpec ledgerSpec;
    private final ShardContents contents;
    private final List<ShardRange> ranges;
    private final float[] initial;
    private final Path journal;
    private final @Nullable CheckpointStore checkpoints;
    private final @Nullable RunLock held;
    private @Nullable List<ShardSnapshot> newest;
    private @Nullable Path newestDirectory;
    private @Nullable Resumption resumption;
    private Map<String, String> resumedWords = Map.of();

    private TrainingStore(Training training, int shards, @Nullable RunLock held) throws IOException {
        this.training = training;
        this.held = held;
        this.ledgerSpec = ledgerSpec(training);
        this.contents = ShardContents.of(training.model(), training.seed());
        this.ranges = contents.split(shards);
        this.initial = new float[training.model().layout().size()];
        training.model().initialize(initial, training.seed());
        Optional<Path> resume = training.resumeFrom();
        if (resume.isPresent()) {
            newest = resumed(resume.get(), shards);
        }
        Optional<Path> directory = training.checkpointDirectory();
        if (directory.isPresent()) {
            boolean goesOnHere = refuseOthers(directory.get());
            journal = directory.get().resolve(JOURNAL);
            // A new run: what an earlier one has applied is known to the checkpoint, not to a journal.
            Files.deleteIfExists(journal);
            if (goesOnHere && resumption != null) {
                AbandonedCheckpoints.moveAside(directory.get(), resumption.checkpoint());
            }
            checkpoints = new CheckpointStore(directory.get(), training.keepCheckpoints());
        } else {
            journal = Files.createTempDirectory("edl-journal-").resolve(JOURNAL);
            checkpoints = null;
        }
    }

    /**
     * Checkpoints that the run does not go on from would be taken for its own, and be removed when they are too many.
     *
     * @return whether it goes on from one of this directory
     */
    private boolean refuseOthers(Path directory) throws IOException {
        Resumption from = resumption;
        if (from != null) {
            Path home = from.checkpoint().toAbsolutePath().getParent();
            if (home != null && Files.isSameFile(home, directory)) {
                return true;
            }
        }
        try (DirectoryStream<Path> old = Files.newDirectoryStream(directory, "version-*")) {
            Iterator<Path> each = old.iterator();
            if (each.hasNext()) {
                throw new InvalidTrainingException(List.of("checkpointDirectory holds checkpoints of an earlier run: "
                        + each.next() + "; go on from them with .resumeFrom(directory), or give this run a directory of"
                        + " its own"));
            }
        }
        return false;
    }

    static TrainingStore open(Training training, int shards) throws IOException {
        Optional<Path> directory = training.checkpointDirectory();
        RunLock held = directory.isPresent() ? RunLock.take(directory.get()) : null;
        try {
            return new TrainingStore(training, shards, held);
        } catch (IOException | RuntimeException e) {
            if (held != null) {
                held.close();
            }
            throw e;
        }
    }

    private static LedgerSpec ledgerSpec(Training training) {
        Optional<Dataset> validation = training.validation();
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

    /** What must be equal for a push id to mean the same minibatch. */
    private Map<String, String> fingerprint() {
        Map<String, String> words = new TreeMap<>();
        words.put("data", ledgerSpec.trainingShards().toString());
        words.put("minibatch", Integer.toString(training.minibatch()));
        words.put("minibatchesPerTask", Integer.toString(training.minibatchesPerTask()));
        words.put("seed", Long.toString(training.seed()));
        words.put("epochs", Integer.toString(training.epochs()));
        words.put("shuffle", Boolean.toString(training.shuffle()));
        words.put(MAX_STEPS, Long.toString(training.maxSteps()));
        return words;
    }

    private List<ShardSnapshot> resumed(Path from, int shards) throws IOException {
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
        List<String> differences = new ArrayList<>();
        fingerprint().forEach((key, value) -> {
            String then = checkpoint.journal().get(key);
            if (key.equals("epochs")) {
                if (then == null || Integer.parseInt(then) > training.epochs()) {
                    differences.add("epochs was " + then + " and may only grow, is " + value);
                }
            } else if (key.equals(MAX_STEPS)) {
                // Checkpoints of earlier versions had no such bound.
                long before = then == null ? 0 : Long.parseLong(then);
                long now = training.maxSteps();
                if (now > 0 && (before == 0 || before > now)) {
                    differences.add("maxSteps was " + (before == 0 ? "without a bound" : then)
                            + " and may only grow, is " + value);
                }
            } else if (!value.equals(then)) {
                differences.add(key + " was " + then + ", is " + value);
            }
        });
        if (!differences.isEmpty()) {
            ParameterLayout here = training.model().layout();
            here.parameters().stream()
                    .filter(parameter -> !checkpoint.layout().parameters().contains(parameter))
                    .findFirst()
                    .ifPresent(parameter -> differences.add(
                            "the model has the parameter " + parameter + ", but it was " + checkpoint.layout()));
            throw new InvalidTrainingException(
                    List.of("the checkpoint " + path + " is of another training: " + String.join("; ", differences)));
        }
        resumedWords = checkpoint.journal();
        resumption = new Resumption(
                path, checkpoint.version(), 0, Duration.parse(resumedWords.getOrDefault(ELAPSED, "PT0S")));
        return checkpoint.shards(
                contents,
                training.model().layout(),
                training.optimizer(),
                ledgerSpec.pushIds().minibatchesPerEpoch(),
                shards);
    }

    /** What the run goes on from, its records not counted yet. */
    Optional<Resumption> resumption() {
        return Optional.ofNullable(resumption);
    }

    /** The words of the checkpoint that the run goes on from; none for a run from the start. */
    Map<String, String> resumedWords() {
        return resumedWords;
    }

    /** What a history of this run begins with. */
    HistoryEvent.Began began(HistoryDetail detail) {
        return new HistoryEvent.Began(
                ranges,
                training.model().layout().trained(),
                ledgerSpec.pushIds().minibatchesPerEpoch(),
                training.optimizer().toString(),
                training.consistency().staleness(),
                training.consistency().gradsToWait(),
                detail);
    }

    LedgerSpec ledgerSpec() {
        return ledgerSpec;
    }

    FileJournal openJournal() throws IOException {
        // In a directory of its own it is removed at the end of the run, and read by the run's next master at most.
        return FileJournal.open(
                journal,
                ledgerSpec,
                training.checkpointDirectory().isPresent() ? Durability.PROCESS : Durability.CLOSE);
    }

    /** A shard from its newest saved state, or with the initial values. */
    ParameterShard newShard(int index) {
        ParameterShard shard = emptyShard(index);
        List<ShardSnapshot> saved;
        synchronized (this) {
            saved = newest;
        }
        if (saved != null) {
            shard.restore(saved.get(index));
        } else {
            shard.initialize(initial);
        }
        return shard;
    }

    /** A shard without values, which only holds the place of one. */
    ParameterShard emptyShard(int index) {
        return new ParameterShard(
                ranges.get(index),
                ranges.size(),
                contents,
                training.updateRule(),
                ledgerSpec.pushIds().minibatchesPerEpoch());
    }

    /** Writes a checkpoint and returns its directory; one at a time. */
    synchronized Path checkpoint(ShardCut cut, Map<String, String> more) throws IOException {
        if (checkpoints == null) {
            throw new IllegalStateException("the training has no checkpoint directory");
        }
        Map<String, String> words = new TreeMap<>(more);
        words.putAll(fingerprint());
        Path directory = checkpoints.save(cut, training.model().layout(), words);
        newest = cut.shards();
        newestDirectory = directory;
        return directory;
    }

    /** Where these very copies were written, if that was the last checkpoint. */
    synchronized Optional<Path> checkpointOf(ShardCut cut) {
        List<ShardSnapshot> saved = newest;
        return saved == cut.shards() ? newestCheckpoint() : Optional.empty();
    }

    synchronized Optional<Path> newestCheckpoint() {
        return Optional.ofNullable(newestDirectory);
    }

    /** Removes a journal that nobody will read again. */
    @Override
    public void close() throws IOException {
        if (held != null) {
            held.close();
        }
        if (training.checkpointDirectory().isEmpty()) {
            Files.deleteIfExists(journal);
            Path folder = journal.getParent();
            if (folder != null) {
                Files.deleteIfExists(folder);
            }
        }
    }
}
