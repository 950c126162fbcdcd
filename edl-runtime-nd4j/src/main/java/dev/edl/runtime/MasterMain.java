package dev.edl.runtime;

import dev.edl.runtime.ps.ShardCut;
import dev.edl.runtime.ps.ShardTimeoutException;
import dev.edl.runtime.task.FileJournal;
import dev.edl.runtime.task.LedgerEvent;
import dev.edl.runtime.task.TaskLedger;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The master: brings the task ledger up from its journal, hands out work until all of it is done, writes checkpoints
 * meanwhile and the model at the end.
 */
final class MasterMain {
    private final ReplicaContext context;
    private final TrainingServices services;
    private final Training training;
    private final TrainingStore store;

    MasterMain(ReplicaContext context, TrainingServices services) {
        this.context = context;
        this.services = services;
        this.training = services.training();
        this.store = services.store();
    }

    /** Leads the training to its end. */
    void run() throws IOException, InterruptedException {
        if (services.history().result().isPresent()) {
            // The master before this one was killed after its last deed.
            return;
        }
        try (FileJournal journal = store.openJournal()) {
            boolean first = journal.entries() == 0;
            List<LedgerEvent> seen = new ArrayList<>();
            TaskLedger ledger = TaskLedger.replay(store.ledgerSpec(), journal.events(), event -> {
                journal.accept(event);
                seen.add(event);
            });
            TrainingMaster master = new TrainingMaster(services, ledger, seen);
            if (first && store.resumption().isPresent()) {
                master.resume();
            }
            long before = master.proof().resumed();
            services.history().resumedWith(before);
            if (first) {
                services.history().resumed().map(TrainingEvent.Resumed::new).ifPresent(services.events()::emit);
            }
            // What happened while no master was there: workers left, shards came back older.
            services.goneWorkers().forEach(master::workerGone);
            master.reopen();
            services.pinEvaluations(master);
            services.masterSlot().publish(master);
            try {
                // Who left between the first look and the moment from which the master is told.
                services.goneWorkers().forEach(master::workerGone);
                lead(master);
            } catch (TrainingFailedException failure) {
                throw new TrainingFailedException(failure.getMessage() + kept(master), failure);
            } finally {
                // Whoever asks while there is no master is told where this one left off.
                services.progress();
                services.masterSlot().retire(master);
                master.retire();
            }
        }
    }

    private void lead(TrainingMaster master) throws IOException, InterruptedException {
        long checkpointed = services.step();
        while (!master.finished()) {
            context.check();
            Optional<String> failure = master.failure();
            if (failure.isPresent()) {
                throw new TrainingFailedException(failure.get());
            }
            services.callbacks().deliver(services, master);
            if (training.checkpointSteps() > 0) {
                long step = services.step();
                // A parameter server that came back older has taken the version back.
                checkpointed = Math.min(checkpointed, step);
                if (step - checkpointed >= training.checkpointSteps()) {
                    ShardCut cut = services.shards().cut();
                    checkpointed = cut.version();
                    checkpoint(cut);
                }
            }
            master.watch();
        }
        finish(master, master.finalCut().orElseThrow());
    }

    /** A disk may be full: the message names the directory and the checkpoint that is left. */
    private void checkpoint(ShardCut cut) {
        Optional<Path> newest = store.newestCheckpoint();
        try {
            services.checkpoint(cut);
        } catch (IOException unwritable) {
            throw new TrainingFailedException(
                    "version " + cut.version() + " cannot be written to checkpointDirectory "
                            + training.checkpointDirectory().map(Path::toString).orElse("")
                            + newest.map(path -> ", whose newest checkpoint is " + path.getFileName())
                                    .orElse(", which has no checkpoint yet"),
                    unwritable);
        }
    }

    /** Keeps what a training that fails has come to, and says where, for its message. */
    private String kept(TrainingMaster master) throws InterruptedException {
        try {
            Optional<ShardCut> remains = master.remains();
            return remains.isPresent() ? kept(remains.get(), master.finalCut().isPresent()) : "";
        } catch (ShardTimeoutException lost) {
            return "";
        }
    }

    private String kept(ShardCut cut, boolean all) {
        services.keep(cut);
        List<String> places = new ArrayList<>();
        List<String> faults = new ArrayList<>();
        if (training.checkpointDirectory().isPresent()) {
            try {
                Optional<Path> there = store.checkpointOf(cut);
                places.add((there.isPresent() ? there.get() : services.checkpoint(cut)).toString());
            } catch (IOException unwritable) {
                faults.add("; the checkpoint cannot be written: " + Reason.of(unwritable));
            }
        }
        if (all && training.export().isPresent()) {
            try {
                ModelExport.write(services.model(cut), training.export().get());
                places.add(training.export().get().toString());
            } catch (IOException unwritable) {
                faults.add("; the export cannot be written: " + Reason.of(unwritable));
            }
        }
        places.add("TrainingRun.model()");
        return (all ? "; all is trained, and version " : "; version ") + cut.version() + " is kept: "
                + String.join(", ", places) + String.join("", faults);
    }

    private void finish(TrainingMaster master, ShardCut cut) throws IOException, InterruptedException {
        services.callbacks().deliver(services, master);
        if (training.checkpointDirectory().isPresent()) {
            checkpoint(cut);
            services.callbacks().deliver(services, master);
        }
        TrainedModel model = services.model(cut);
        if (training.export().isPresent()) {
            Path file = training.export().get();
            try {
                ModelExport.write(model, file);
            } catch (IOException unwritable) {
                throw new TrainingFailedException("the model cannot be exported to " + file, unwritable);
            }
            services.events().emit(new TrainingEvent.Exported(file));
        }
        TrainingResult result = TrainingResult.of(
                services,
                cut,
                master.proof(),
                master.ledgerProgress(),
                model,
                services.callbacks().kept().isPresent()
                        ? services.callbacks().keptMetrics()
                        : services.evaluations().result(cut.version()));
        services.callbacks().end(result);
        services.history().finished(result);
        master.done();
    }
}
