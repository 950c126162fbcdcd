package dev.edl.runtime.engine;

import dev.edl.runtime.ResumedProgress;
import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.TrainingResult;
import dev.edl.runtime.engine.decisions.BestVersion;
import dev.edl.runtime.engine.decisions.Decisions;
import dev.edl.runtime.engine.decisions.DecisionsTooLargeException;
import dev.edl.runtime.engine.files.ModelExport;
import dev.edl.runtime.engine.files.RunProgress;
import dev.edl.runtime.engine.files.TrainingStore;
import dev.edl.runtime.engine.internal.CheckpointWriter;
import dev.edl.runtime.engine.internal.PeriodicTask;
import dev.edl.runtime.engine.ports.MasterGoneException;
import dev.edl.runtime.engine.ports.RegistrationPort;
import dev.edl.runtime.engine.ports.TryAgainException;
import dev.edl.runtime.internal.text.ExceptionText;
import dev.edl.runtime.proof.LedgerProof;
import dev.edl.runtime.proof.ShardProof;
import dev.edl.runtime.ps.ModelSnapshot;
import dev.edl.runtime.ps.ShardCut;
import dev.edl.runtime.ps.ShardTimeoutException;
import dev.edl.runtime.ps.ports.DecisionRecord;
import dev.edl.runtime.ps.ports.ShardsControl;
import dev.edl.runtime.ps.ports.StaleTermException;
import dev.edl.runtime.task.LedgerEvent;
import dev.edl.runtime.task.LedgerProgress;
import dev.edl.runtime.task.TaskLedger;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The master of a training: recovers the task ledger, hands out work until all is done, writes checkpoints and, at the
 * end, the model.
 */
public final class MasterRunner {
    private static final System.Logger LOG = System.getLogger(MasterRunner.class.getName());

    /** Pause between two looks for absent replicas. */
    private static final Duration ABSENCE_LOOK = Duration.ofSeconds(1);

    private final ReplicaContext context;
    private final SharedTrainingState services;
    private final Training training;
    private final TrainingStore store;
    private final AbsentServerRetry retry;
    /**
     * Version of the newest checkpoint, from which the interval to the next one counts. If each master counted from the
     * step at its own start, masters that are killed often would write no checkpoint.
     */
    private long checkpointed;

    /** Creates a master that is not started. */
    public MasterRunner(ReplicaContext context, SharedTrainingState services) {
        this.context = context;
        this.services = services;
        this.training = services.training();
        this.store = services.store();
        this.retry = services.waits(context::check);
        this.checkpointed = services.checkpointed();
    }

    /**
     * Leads the training to its end.
     *
     * @throws TrainingFailedException if the training cannot succeed
     * @throws TryAgainException if another master leads, or a server is absent for too long
     */
    public void run() throws IOException, InterruptedException {
        try {
            lead();
        } catch (ShardTimeoutException | StaleTermException | MasterGoneException elsewhere) {
            throw new TryAgainException(ExceptionText.of(elsewhere), elsewhere);
        }
    }

    @SuppressWarnings("try") // The absences are watched until the master ends.
    private void lead() throws IOException, InterruptedException {
        if (services.isOver()) {
            // The previous master was killed after it had finished.
            return;
        }
        // The writer is closed after the master retires, so that a master that waits for a disk serves no worker.
        try (CheckpointWriter writer = new CheckpointWriter(context.name() + "-checkpoints", context::check)) {
            TrainingMaster master = master(services, services.lead(), event -> {});
            RegistrationPort registration = new LocalRegistrationPort(master, services);
            // Before the first wait for a server, because servers wait for their assignment.
            services.registrationSlot().publish(registration);
            services.watch().registers(master.term(), registration);
            try (PeriodicTask watching = PeriodicTask.start(
                    context.name() + "-absences", ABSENCE_LOOK, () -> reportUnlessEnded(master, services))) {
                comeUp(master, services, master.shards(), retry);
                if (services.isOver()) {
                    return;
                }
                services.publish(master);
                services.watch().serves(master.term(), worker -> new LocalMasterPort(master, services, worker));
                // Covers workers that left after the first check and before the master receives such notices.
                services.departures().tellAll(master);
                lead(master, writer);
            } catch (DecisionsTooLargeException full) {
                throw new TrainingFailedException(ExceptionText.of(full) + kept(master), full);
            } catch (TrainingFailedException failure) {
                throw new TrainingFailedException(failure.getMessage() + kept(master), failure);
            } finally {
                try {
                    // Progress that is requested while no master runs is that of the last master.
                    services.progress();
                } catch (StaleTermException later) {
                    // The later master handles it. This master keeps its outcome: a written result or a failure.
                    LOG.log(System.Logger.Level.DEBUG, "another master leads", later);
                } finally {
                    services.masterSlot().retire(master);
                    services.registrationSlot().retire(registration);
                    master.retire();
                    services.watch().left(master.term());
                }
            }
        }
    }

    /**
     * Creates a master with the ledger of the last master of this process, or with a new one.
     *
     * @param observer receives the ledger's further events
     */
    static TrainingMaster master(
            SharedTrainingState services, ShardsControl shards, Consumer<? super LedgerEvent> observer) {
        List<LedgerEvent> seen = new ArrayList<>();
        TaskLedger ledger = services.store().ledger(event -> {
            observer.accept(event);
            seen.add(event);
        });
        return new TrainingMaster(services, shards, ledger, seen);
    }

    /**
     * Prepares a master to take over, before workers can see it. Reads the earlier masters' decisions from the shards.
     * The first master of a process derives the ledger from the pushes that the shards hold. Handles changes that
     * happened while no master ran: departed workers, restored shards, new versions. If an earlier master has finished
     * the training, only records that.
     */
    static void comeUp(
            TrainingMaster master, SharedTrainingState services, ShardsControl shards, AbsentServerRetry retry)
            throws InterruptedException {
        boolean first = !master.ledger.changed();
        TrainingStore store = services.store();
        Optional<DecisionRecord> record = retry.until(shards::decided);
        RunProgress history = services.history();
        Decisions before = services.decided(record).begun(history.began().toEpochMilli());
        if (before.finished()) {
            history.reported();
            return;
        }
        history.began(Instant.ofEpochMilli(before.began()));
        Callbacks callbacks = services.callbacks(before);
        master.begin(
                callbacks,
                callbacks.remembered(
                        before, store.resumption().map(ResumedProgress::version).orElse(0L)));
        boolean led = services.hasLed() || store.hasEarlierCheckpoint();
        boolean held = record.isPresent()
                || store.resumption().isPresent()
                || store.newestCheckpoint().isPresent();
        if (first && (held || led)) {
            // Without a record too: a master that was killed before its first record may have handed out work.
            master.resume(led || record.isPresent(), !held, retry);
        }
        if (first && !led) {
            history.resumed().map(TrainingEvent.Resumed::new).ifPresent(services.events()::emit);
        }
        // While no master ran, workers may have left, shards restored older states, and versions been reached.
        services.departures().tellAll(master);
        master.reopen();
        master.decisions().takeOver();
    }

    private static void reportUnlessEnded(TrainingMaster master, SharedTrainingState services) {
        try {
            reportAbsences(master, services);
        } catch (MasterGoneException ended) {
            // The task ends with the master, just after it.
            LOG.log(System.Logger.Level.DEBUG, "the master has ended", ended);
        }
    }

    /** Looks for absent servers and silent workers, and emits the events that are due. Waits for no replica. */
    static void reportAbsences(TrainingMaster master, SharedTrainingState services) {
        long now = services.nanos();
        Set<String> servers = services.shards().unresponsive().stream()
                .map(index -> "ps-" + index)
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> holders = master.holders();
        Set<String> workers = new TreeSet<>(master.rounds().silent(now));
        workers.removeIf(
                worker -> !holders.contains(worker) || services.absences().hears(worker, now));
        if (holders.isEmpty() && !master.openEvaluations().isEmpty()) {
            workers.add("every worker");
        }
        if (!servers.isEmpty()) {
            // They wait for the server.
            workers.clear();
        }
        String waiting = waiting(holders.size(), services.training());
        for (TrainingEvent event : services.absences().poll(servers, workers, waiting, now)) {
            boolean overdue = event instanceof TrainingEvent.ReplicaAbsent absent && absent.overdue();
            services.events().emit(overdue ? services.watch().advised((TrainingEvent.ReplicaAbsent) event) : event);
        }
    }

    /** Returns the text for people: the replicas and actions that wait for a server. */
    private static String waiting(int workers, Training training) {
        String who = workers == 0 ? "the master" : workers == 1 ? "1 worker" : workers + " workers";
        boolean checkpoint = training.checkpointSteps() > 0;
        return who
                + (checkpoint ? " and the checkpoint" : "")
                + (checkpoint || workers > 1 ? " wait for it" : " waits for it");
    }

    private void lead(TrainingMaster master, CheckpointWriter writer) throws IOException, InterruptedException {
        while (!master.finished()) {
            context.check();
            runIteration(master, writer);
            master.watch(retry);
        }
        writer.await();
        finish(master);
    }

    /**
     * Throws if the training has failed, calls callbacks, and starts a checkpoint if one is due. Waits for the
     * callbacks only.
     */
    void runIteration(TrainingMaster master, CheckpointWriter writer) throws InterruptedException {
        Optional<String> failure = master.failure();
        if (failure.isPresent()) {
            throw new TrainingFailedException(failure.get());
        }
        writer.isIdle();
        if (services.missingShard() < 0 || !master.callbacks().any()) {
            // Otherwise this call would wait for the server.
            deliver(master);
        }
        if (training.checkpointSteps() > 0) {
            long step = services.step();
            // A parameter server that restored an older state has reverted the version.
            checkpointed = Math.min(checkpointed, step);
            if (step - checkpointed >= training.checkpointSteps() && writer.isIdle()) {
                Optional<ShardCut> cut = master.cutIfWhole();
                if (cut.isPresent()) {
                    checkpointed = cut.get().version();
                    // Taken at the cut, not at the write.
                    Map<String, String> metadata = metadata(master);
                    writer.begin(cut.get(), () -> checkpoint(cut.get(), metadata));
                }
            }
        }
    }

    /** Records the decision to announce each written checkpoint. */
    private void announce(TrainingMaster master, boolean last) {
        for (SharedTrainingState.WrittenCheckpoint next = services.nextWritten();
                next != null;
                next = services.nextWritten()) {
            master.decisions().checkpointed(next.version(), next.directory(), last);
        }
    }

    /** Announces checkpoints and makes pending calls to callbacks. */
    private void deliver(TrainingMaster master) throws InterruptedException {
        announce(master, false);
        master.callbacks().deliver(services, master.decisions(), retry);
    }

    private Map<String, String> metadata(TrainingMaster master) {
        return services.metadata(
                master.hasBegun() ? Optional.of(master.decisions().written()) : Optional.empty());
    }

    /**
     * Writes a checkpoint. If that fails, for example on a full disk, the message names the directory and the newest
     * checkpoint.
     */
    private void checkpoint(ShardCut cut, Map<String, String> metadata) {
        Optional<Path> newest = store.newestCheckpoint();
        try {
            services.checkpoint(cut, metadata);
        } catch (IOException unwritable) {
            throw new TrainingFailedException(
                    "version " + cut.version() + " cannot be written to checkpointDirectory "
                            + training.checkpointDirectory().map(Path::toString).orElse("")
                            + newest.map(path -> ", whose newest checkpoint is " + path.getFileName())
                                    .orElse(", which has no checkpoint yet"),
                    unwritable);
        }
    }

    /**
     * Saves the parameters of a failing training. Returns the places as text for the failure's message; empty if there
     * are no parameters to save.
     */
    private String kept(TrainingMaster master) throws InterruptedException {
        Optional<ShardCut> remains = master.remains();
        if (remains.isEmpty()) {
            return "";
        }
        boolean all = master.finalCut().isPresent();
        return kept(all ? withBest(master, remains.get()) : remains.get(), metadata(master), all);
    }

    private String kept(ShardCut cut, Map<String, String> metadata, boolean all) {
        services.keep(cut);
        List<String> places = new ArrayList<>();
        List<String> faults = new ArrayList<>();
        if (training.checkpointDirectory().isPresent()) {
            try {
                Optional<Path> there = store.checkpointOf(cut);
                places.add((there.isPresent() ? there.get() : services.checkpoint(cut, metadata)).toString());
            } catch (IOException unwritable) {
                faults.add("; the checkpoint cannot be written: " + ExceptionText.of(unwritable));
            }
        }
        if (all && training.export().isPresent()) {
            try {
                ModelExport.write(services.model(cut), training.export().get());
                places.add(training.export().get().toString());
            } catch (IOException unwritable) {
                faults.add("; the export cannot be written: " + ExceptionText.of(unwritable));
            }
        }
        places.add("TrainingRun.model()");
        return (all ? "; all steps are done, version " : "; version ") + cut.version() + " is available in: "
                + String.join(", ", places) + String.join("", faults);
    }

    /**
     * Returns the final cut of the shards. Takes it again if a checkpoint needs the best version and the cut lacks it:
     * an evaluation that ended after the cut may have found the best version.
     */
    private ShardCut withBest(TrainingMaster master, ShardCut end) throws InterruptedException {
        Optional<BestVersion> best = master.decisions().now().best();
        if (training.checkpointDirectory().isEmpty()
                || best.isEmpty()
                || end.keeps(best.get().version())) {
            return end;
        }
        // A shard that was lost since has neither that state nor that version.
        Optional<ShardCut> again =
                master.cutIfWhole().filter(cut -> cut.consistent() && cut.version() == end.version());
        again.ifPresent(master::renew);
        return again.orElse(end);
    }

    /** Writes the result of a finished training. */
    void finish(TrainingMaster master) throws IOException, InterruptedException {
        deliver(master);
        ShardCut cut = withBest(master, master.finalCut().orElseThrow());
        if (training.checkpointDirectory().isPresent() && !master.decisions().hasFinalCheckpoint(cut)) {
            checkpoint(cut, metadata(master));
            announce(master, true);
            deliver(master);
        }
        Optional<ModelSnapshot> best = master.decisions().bestModel(retry);
        TrainedModel model = TrainedModel.of(training, best.orElseGet(cut::model));
        if (best.isPresent()) {
            services.keepBest(model);
        }
        if (training.export().isPresent()) {
            Path file = training.export().get();
            try {
                ModelExport.write(model, file);
            } catch (IOException unwritable) {
                throw new TrainingFailedException("the model cannot be exported to " + file, unwritable);
            }
            services.events().emit(new TrainingEvent.Exported(file));
        }
        TrainingResult result = resultOf(
                services,
                cut,
                master.proof(),
                master.ledgerProgress(),
                model,
                master.decisions().now().figures(cut.version(), best.isPresent()));
        master.callbacks().end(result, services, master.decisions(), retry);
        services.finished(result);
        if (training.checkpointDirectory().isEmpty()) {
            // Otherwise the directory has the result.
            try {
                master.decisions().finish();
            } catch (StaleTermException later) {
                LOG.log(System.Logger.Level.DEBUG, "another master leads", later);
            }
        }
        // Workers leave from here on. A later master finds the result without them, unless all servers had to have the
        // decision record and one was absent.
        master.done();
    }

    private static TrainingResult resultOf(
            SharedTrainingState services,
            ShardCut cut,
            LedgerProof proof,
            LedgerProgress done,
            TrainedModel model,
            Map<String, Double> metrics) {
        RunProgress progress = services.history();
        return new TrainingResult(
                cut.version(),
                metrics,
                progress.curve(),
                proof,
                proofs(cut),
                done.minibatchesTotal(),
                progress.elapsed(services.clock().instant()),
                done.recordsDone(),
                services.store().newestCheckpoint(),
                services.training().export(),
                model,
                proof.stopped(),
                progress.resumed(),
                services.reproduction());
    }

    private static List<ShardProof> proofs(ShardCut cut) {
        return cut.shards().stream()
                .map(shard -> new ShardProof(
                        shard.range().name(), shard.version(), shard.appliedCount(), shard.gradientCount()))
                .toList();
    }
}
